/** A message of Standard Webhooks about the order with this identifier: type and data. */
export type Message = (id: string) => readonly [type: string, data: object];

/** The whole life of an order, in the order in which it happens. */
export interface WholeLife {
  readonly what: string;
  readonly messages: readonly Message[];
  /** Minor units that buyers paid to the gateway, less nothing. */
  readonly paidMinor: bigint;
}

const at = (day: string, hour = 12) => `${day}T${hour}:00:00-03:00`;
const pay = (id: string, value: string, day: string, more: object = {}) => ({
  ...{ id, gateway: 'pagarme', method: 'pix', value, paidAt: at(day), ...more },
});

/** What a message says of the order besides who bought it. */
const about =
  (type: string, more: object): Message =>
  (id) => [
    type,
    {
      ...{ id, number: id, currency: 'BRL', total: '100.00', createdAt: at('2025-03-03') },
      customer: { id: `c-${id}`, name: 'Lia Campos', email: `lia-${id}@example.com` },
      ...more,
    },
  ];

const CHARGE = { id: 'p1', gateway: 'pagarme', method: 'boleto', value: '40.00', dueDate: '2025-03-06' };
const P1 = pay('p1', '40.00', '2025-03-05', { method: 'boleto', fee: '3.49' });
const P2 = pay('p2', '60.00', '2025-03-06');
const DEARER = { id: 'e1', value: '20.00', editedAt: at('2025-03-07') };
const P3 = pay('p3', '20.00', '2025-03-08');
const CHEAPER = { id: 'e2', value: '-10.00', editedAt: at('2025-03-09') };
const R1 = { id: 'r1', paymentId: 'p2', value: '10.00', refundedAt: at('2025-03-10') };
const R2 = { id: 'r2', paymentId: 'p2', value: '30.00', refundedAt: at('2025-03-11') };
const ALL_PAID = { total: '110.00', payments: [P1, P2, P3], edits: [DEARER, CHEAPER] };

const dispute =
  (fields: object): Message =>
  (id) => [
    'payment.disputed',
    {
      ...{ id: `d-${id}`, orderId: id, gateway: 'pagarme', value: '60.00', fee: '15.00' },
      ...{ openedAt: at('2025-03-20'), ...fields },
    },
  ];

const payout: Message = (id) => [
  'payout.paid',
  { id: `o-${id}`, gateway: 'pagarme', value: '21.51', paidAt: at('2025-04-01') },
];

const PAID_IN_PARTS: WholeLife = {
  what: 'created, pending, paid in parts, edited, refunded in parts, charged back, paid out and cancelled',
  paidMinor: 12_000n,
  messages: [
    about('order.created', {}),
    about('order.pending', { charge: CHARGE }),
    about('order.paid', { payments: [P1] }),
    about('order.paid', { payments: [P1, P2] }),
    about('order.edited', { total: '120.00', payments: [P1, P2], edits: [DEARER] }),
    about('order.paid', { total: '120.00', payments: [P1, P2, P3], edits: [DEARER] }),
    about('order.edited', ALL_PAID),
    about('order.refunded', { ...ALL_PAID, refunds: [R1] }),
    about('order.refunded', { ...ALL_PAID, refunds: [R1, R2] }),
    dispute({ state: 'open' }),
    dispute({ state: 'won', closedAt: at('2025-03-28') }),
    payout,
    about('order.cancelled', { ...ALL_PAID, refunds: [R1, R2], cancelledAt: at('2025-04-02') }),
  ],
};

const LESS = { id: 'e1', value: '-20.00', editedAt: at('2025-03-04') };
const EXPIRED = { id: 'p0', gateway: 'pagarme', method: 'boleto', value: '80.00', dueDate: '2025-03-05' };
const HALF = pay('p1', '30.00', '2025-03-06');
const LATE = pay('p2', '50.00', '2025-03-12');
const GIVEN_UP = { total: '80.00', edits: [LESS], cancelledAt: at('2025-03-10') };

const GIVEN_UP_HALF_PAID: WholeLife = {
  what: 'created, made cheaper, expired, paid in part, cancelled, and paid too late',
  paidMinor: 8_000n,
  messages: [
    about('order.created', { instalments: 2 }),
    about('order.edited', { instalments: 2, total: '80.00', edits: [LESS] }),
    about('order.pending', { instalments: 2, total: '80.00', edits: [LESS], charge: EXPIRED }),
    about('order.expired', { instalments: 2, total: '80.00', edits: [LESS], charge: EXPIRED }),
    about('order.paid', { instalments: 2, total: '80.00', edits: [LESS], payments: [HALF] }),
    about('order.cancelled', { ...GIVEN_UP, instalments: 2, payments: [HALF] }),
    about('order.paid', { ...GIVEN_UP, instalments: 2, payments: [HALF, LATE] }),
  ],
};

const CARD = pay('p1', '100.00', '2025-03-05', {
  ...{ method: 'credit_card', instalments: 2 },
  settlements: [
    { number: 1, value: '50.00', fee: '2.20', on: '2025-04-07' },
    { number: 2, value: '50.00', fee: '2.19', on: '2025-05-05' },
  ],
});

const settled =
  (number: number, fee: string, day: string): Message =>
  (id) => [
    'payment.settled',
    {
      ...{ id: `s-${id}-${number}`, orderId: id, paymentId: 'p1', gateway: 'pagarme', number, of: 2 },
      ...{ value: '50.00', fee, settledAt: at(day) },
    },
  ];

const PAID_BY_CARD: WholeLife = {
  what: 'created, paid by a card in two instalments, settled month by month, and charged back',
  paidMinor: 10_000n,
  messages: [
    about('order.created', { instalments: 2 }),
    about('order.paid', { instalments: 2, commission: '12.00', marketplace: 'feira', payments: [CARD] }),
    settled(1, '2.20', '2025-04-07'),
    settled(2, '2.19', '2025-05-05'),
    dispute({ state: 'lost', closedAt: at('2025-05-20') }),
  ],
};

export const WHOLE_LIVES: readonly WholeLife[] = [PAID_IN_PARTS, GIVEN_UP_HALF_PAID, PAID_BY_CARD];
