/** Messages of one shop, and what happens in it, as the page `docs/booking.md` names it. */
export interface BookingCase {
  /** The first column of the page's tables. */
  readonly what: string;
  /** Messages of Standard Webhooks, in the order of their sending: type and data. */
  readonly messages: (id: string) => readonly (readonly [type: string, data: object])[];
}

const day = (date: string) => `${date}T12:00:00-03:00`;

const PIX = { id: 'p1', gateway: 'pagarme', method: 'pix', value: '100.00', paidAt: day('2025-03-05') };
const GIFT_CARD = {
  ...{ ...PIX, id: 'g1', gateway: 'gift_card', method: 'gift_card', value: '40.00' },
  storeCredit: true,
};
const PIX_LATER = { ...PIX, id: 'p2', value: '20.00', paidAt: day('2025-03-08') };
const BOLETO = { ...PIX, method: 'boleto', fee: '3.49' };
const CARD = { ...PIX, method: 'credit_card', brand: 'visa', instalments: 2, fee: '4.39' };
const PLANNED = {
  ...{ ...CARD, fee: undefined },
  settlements: [
    { number: 1, value: '50.00', fee: '2.20', on: '2025-04-07' },
    { number: 2, value: '50.00', fee: '2.19', on: '2025-05-05' },
  ],
};
const CHARGE = { id: 'p1', gateway: 'pagarme', method: 'boleto', value: '100.00', dueDate: '2025-03-06' };
const CANCELLED = { cancelledAt: day('2025-03-10') };
/** A payment after that. */
const AFTER = { id: 'p2', paidAt: day('2025-03-12') };
const MORE = { total: '120.00', edits: [{ id: 'e1', value: '20.00', editedAt: day('2025-03-07') }] };
const LESS = { total: '70.00', edits: [{ id: 'e1', value: '-30.00', editedAt: day('2025-03-04') }] };
const LESS_LATER = { total: '70.00', edits: [{ id: 'e1', value: '-30.00', editedAt: day('2025-03-07') }] };
const REFUND = { id: 'r1', paymentId: 'p1', value: '30.00', refundedAt: day('2025-03-21') };

/** An order of R$ 100.00 of 3 March, as each of its messages has it. */
function order(id: string, more: object = {}) {
  return {
    ...{ id, number: id, currency: 'BRL', total: '100.00', createdAt: day('2025-03-03') },
    customer: { id: `c-${id}`, name: 'Lia Campos', email: `lia-${id}@example.com` },
    ...more,
  };
}

/** The acquirer says that it paid the first instalment of two. */
function settledFirst(id: string): readonly [type: string, data: object] {
  const settlement = { id: `s-${id}`, orderId: id, paymentId: 'p1', gateway: 'pagarme', number: 1, of: 2 };
  return ['payment.settled', { ...settlement, value: '50.00', fee: '2.20', settledAt: day('2025-04-07') }];
}

const TWICE = { instalments: 2 };
const AGREED = {
  terms: [
    { value: '60.00', dueDate: '2025-04-02' },
    { value: '40.00', dueDate: '2025-05-02' },
  ],
};

export const BOOKING_CASES: readonly BookingCase[] = [
  {
    what: 'an order is made, to be paid in two instalments',
    messages: (id) => [['order.created', order(id, TWICE)]],
  },
  {
    what: 'an order is made, 60.00 of it to be paid after 30 days and 40.00 after 60',
    messages: (id) => [['order.created', order(id, AGREED)]],
  },
  {
    what: 'it waits for its boleto',
    messages: (id) => [['order.pending', order(id, { charge: CHARGE })]],
  },
  {
    what: 'its boleto is not paid',
    messages: (id) => [
      ['order.pending', order(id, { charge: CHARGE })],
      ['order.expired', order(id, { charge: CHARGE })],
    ],
  },
  {
    what: 'its boleto is paid, and the gateway keeps 3.49',
    messages: (id) => [
      ['order.pending', order(id, { charge: CHARGE })],
      ['order.paid', order(id, { payments: [BOLETO] })],
    ],
  },
  {
    what: 'a card pays it in two instalments, and the acquirer keeps 4.39',
    messages: (id) => [['order.paid', order(id, { ...TWICE, payments: [CARD] })]],
  },
  {
    what: 'a card pays it, and the message says when the acquirer pays and what it keeps',
    messages: (id) => [['order.paid', order(id, { ...TWICE, payments: [PLANNED] })], settledFirst(id)],
  },
  {
    what: 'it is cancelled before it is paid',
    messages: (id) => [
      ['order.created', order(id)],
      ['order.cancelled', order(id, CANCELLED)],
    ],
  },
  {
    what: 'it is cancelled after 40.00 of it were paid',
    messages: (id) => [
      ['order.paid', order(id, { payments: [{ ...PIX, value: '40.00' }] })],
      ['order.cancelled', order(id, { ...CANCELLED, payments: [{ ...PIX, value: '40.00' }] })],
    ],
  },
  {
    what: 'it becomes dearer by 20.00 after it was paid, and is cancelled and not refunded',
    messages: (id) => [
      ['order.paid', order(id, { payments: [PIX] })],
      ['order.cancelled', order(id, { ...MORE, ...CANCELLED, payments: [PIX] })],
    ],
  },
  {
    what: 'it is cancelled after it was paid, and not refunded',
    messages: (id) => [
      ['order.paid', order(id, { payments: [PIX] })],
      ['order.cancelled', order(id, { ...CANCELLED, payments: [PIX] })],
    ],
  },
  {
    what: 'it is paid after it was cancelled',
    messages: (id) => [
      ['order.cancelled', order(id, CANCELLED)],
      ['order.paid', order(id, { ...CANCELLED, payments: [{ ...PIX, paidAt: day('2025-03-12') }] })],
    ],
  },
  {
    what: 'it is cancelled after 40.00 of it were paid, the shop forgets that, and 60.00 more are paid',
    messages: (id) => [
      ['order.paid', order(id, { payments: [{ ...PIX, value: '40.00' }] })],
      ['order.cancelled', order(id, { ...CANCELLED, payments: [{ ...PIX, value: '40.00' }] })],
      [
        'order.paid',
        order(id, {
          payments: [
            { ...PIX, value: '40.00' },
            { ...PIX, ...AFTER, value: '60.00' },
          ],
        }),
      ],
    ],
  },
  {
    what: 'a card pays it after it was cancelled, and the message says when the acquirer pays and what it keeps',
    messages: (id) => [
      ['order.created', order(id, TWICE)],
      ['order.cancelled', order(id, { ...TWICE, ...CANCELLED })],
      ['order.paid', order(id, { ...TWICE, ...CANCELLED, payments: [{ ...PLANNED, ...AFTER, id: 'p1' }] })],
      settledFirst(id),
    ],
  },
  {
    what: 'it becomes dearer by 20.00 after it was paid, and 20.00 more are paid',
    messages: (id) => [
      ['order.paid', order(id, { payments: [PIX] })],
      ['order.edited', order(id, { ...MORE, payments: [PIX] })],
      ['order.paid', order(id, { ...MORE, payments: [PIX, PIX_LATER] })],
    ],
  },
  {
    what: 'it becomes cheaper by 30.00 before it is paid',
    messages: (id) => [
      ['order.edited', order(id, LESS)],
      ['order.paid', order(id, { ...LESS, payments: [{ ...PIX, value: '70.00' }] })],
    ],
  },
  {
    what: 'it becomes cheaper by 30.00 after it was paid, and 30.00 are refunded',
    messages: (id) => [
      ['order.paid', order(id, { payments: [PIX] })],
      ['order.edited', order(id, { ...LESS_LATER, payments: [PIX] })],
      ['order.refunded', order(id, { ...LESS_LATER, payments: [PIX], refunds: [REFUND] })],
    ],
  },
  {
    what: '30.00 go back to the buyer',
    messages: (id) => [
      ['order.paid', order(id, { payments: [PIX] })],
      ['order.refunded', order(id, { payments: [PIX], refunds: [REFUND] })],
    ],
  },
  {
    what: 'a gift card pays 40.00 of it, and a Pix 60.00',
    messages: (id) => [
      [
        'order.paid',
        order(id, {
          payments: [GIFT_CARD, { ...PIX, value: '60.00' }],
        }),
      ],
    ],
  },
  {
    what: 'a marketplace keeps 12.00 of it',
    messages: (id) => [
      ['order.paid', order(id, { marketplace: 'feira', commission: '12.00', payments: [PIX] })],
    ],
  },
  {
    what: 'a marketplace keeps 12.00 of it, and a gift card of the marketplace pays 40.00 before a Pix pays 60.00',
    messages: (id) => [
      [
        'order.paid',
        order(id, {
          marketplace: 'feira',
          commission: '12.00',
          payments: [GIFT_CARD, { ...PIX, value: '60.00' }],
        }),
      ],
    ],
  },
  {
    what: 'the buyer has the payment taken back, the gateway keeps 15.00 for it, and the shop wins',
    messages: (id) => [
      ['order.paid', order(id, { payments: [PIX] })],
      [
        'payment.disputed',
        {
          ...{ id: `d-${id}`, orderId: id, gateway: 'pagarme', value: '100.00', fee: '15.00', state: 'won' },
          ...{ openedAt: day('2025-04-02'), closedAt: day('2025-04-20') },
        },
      ],
    ],
  },
  {
    what: 'the gateway pays 65.61 out to the bank',
    messages: (id) => [
      ['payout.paid', { id: `o-${id}`, gateway: 'pagarme', value: '65.61', paidAt: day('2025-05-06') }],
    ],
  },
  {
    what: 'the gateway tells a fee of 4.39, and gives 1.20 of it back',
    messages: (id) => [
      ['fee.charged', { id: `f-${id}`, gateway: 'pagarme', value: '4.39', chargedAt: day('2025-04-07') }],
      [
        'fee.charged',
        { id: `g-${id}`, gateway: 'pagarme', value: '1.20', returned: true, chargedAt: day('2025-04-09') },
      ],
    ],
  },
  {
    what: "a supplier's bill of 80.00 is paid in the ERP",
    messages: (id) => [
      [
        'bill.paid',
        {
          ...{ id: `b-${id}`, supplier: { name: 'Madeiras Serra Azul Ltda' }, value: '80.00' },
          ...{ paidAt: day('2025-03-28'), description: 'nota 5521' },
        },
      ],
    ],
  },
];
