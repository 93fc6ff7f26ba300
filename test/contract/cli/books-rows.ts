import type { ScriptedReply } from '../../support/recording-server';
import type { CommandRow } from './command-row';

const ID = '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61';
const ORG = '/admin/organizations/main';
const BOOKS = `${ORG}/books`;
const KEY = 'loja/order/7';
const at = '2026-11-20T12:00:00.000Z';
const MAIN = { id: ID, name: 'Main account' };
const CUSTOMER = { id: ID, name: 'Lia Campos', document: '***7-25', email: 'l***@example.com' };
const PAYMENT = {
  payment: 'receipt/loja/order/7',
  value: '70.00',
  receipts: 3,
  account: MAIN,
  gateway: 'pix',
};
const ORIGIN = { businessKey: KEY, delivery: ID };

const ORDER = {
  ...{ key: KEY, source: 'loja', currency: 'BRL', complete: false },
  summary: {
    number: '1007',
    total: '70.00',
    received: '50.00',
    refunded: null,
    open: '20.00',
    customer: CUSTOMER,
  },
  items: [
    {
      ...{ at, kind: 'webhook', delivery: ID, source: 'loja', origin: 'webhook', topic: 'orders/paid' },
      ...{ state: 'done', outcome: 'applied', reason: null, body: 'kept', repeats: 2, lastRepeatAt: at },
    },
    {
      ...{ at, kind: 'webhook', delivery: ID, source: 'loja', origin: 'webhook', topic: 'orders/updated' },
      ...{ state: 'dead', outcome: null, reason: 'no category', repeats: 1 },
    },
    {
      ...{ at, kind: 'run', delivery: ID, event: 'order.paid', rule: 'order-paid', version: 4 },
      ...{ state: 'refused', reason: 'no category', steps: [] },
    },
    { at, kind: 'effect', key: 'receipt/7', operation: 'receipt.allocate', state: 'applied', value: '50.00' },
    {
      ...{
        at,
        kind: 'entry',
        type: 'transfer',
        record: ID,
        effect: null,
        value: '12.30',
        date: '2026-11-21',
      },
      ...{ account: MAIN, fromAccount: { id: ID, name: 'Gateway' }, description: null, takesBack: null },
    },
    {
      at,
      kind: 'attention',
      id: ID,
      code: 'money-left',
      detail: 'twenty cents',
      value: '0.20',
      resolvedAt: at,
    },
    {
      at,
      kind: 'attention',
      id: ID,
      code: 'amount-changed',
      detail: 'a tip',
      value: '0.30',
      resolvedAt: null,
    },
    {
      at,
      kind: 'approval',
      id: ID,
      effect: 'payment/7',
      state: 'waiting',
      rule: 'large-refund',
      step: 'refund',
    },
    {
      ...{ at, kind: 'audit', action: 'delivery.replay', subject: ID, actor: ID, reason: 'the shop asked' },
      runs: [
        {
          ...{ event: 'order.paid', rule: 'order-paid', version: 3, state: 'done' },
          steps: [{ id: 'receipt', state: 'waiting', effects: [] }],
        },
      ],
    },
    { at, kind: 'feed', id: 'f1', cursor: 'c1', type: 'receipt.registered', subject: `receipt ${ID}` },
    { at, kind: 'of-a-later-version', what: 'new' },
  ],
};

/** The day, the books, and what happened to an order. */
export const BOOKS_ROWS: readonly CommandRow[] = [
  {
    line: 'overview show',
    asks: [`GET ${ORG}/overview`],
    answers: [
      {
        body: {
          date: '2026-11-20',
          received: { accepted: 7 },
          flow: [
            { hour: 8, from: 'eight', accepted: 0 },
            { hour: 9, from: 'nine', accepted: 7 },
          ],
        },
      },
    ],
    shows: ['2026-11-20', 'accepted=7', 'nine'],
    hides: ['eight'],
  },
  {
    line: 'overview show --date 2026-11-20',
    asks: [`GET ${ORG}/overview?date=2026-11-20`],
    answers: [{ body: { date: '2026-11-20' } }],
  },
  {
    line: `overview payments --date 2026-11-20 --source loja --account ${ID} --gateway pix --limit 3`,
    asks: [`GET ${ORG}/overview/payments?date=2026-11-20&source=loja&account=${ID}&gateway=pix&limit=3`],
    answers: [{ body: { items: [PAYMENT], after: null, complete: true } }],
    shows: ['receipt/loja/order/7', '70.00', 'Main account', 'pix'],
  },
  {
    line: 'overview payments --without-source --without-gateway',
    asks: [`GET ${ORG}/overview/payments?withoutSource=true&withoutGateway=true`],
    answers: [{ body: { items: [PAYMENT], after: null, complete: true } }],
  },
  {
    line: 'books accounts',
    asks: [`GET ${BOOKS}/accounts`],
    answers: [listed({ ...MAIN, kind: 'ordinary', balance: '-12.30', currency: 'BRL', isDefault: true })],
    shows: ['Main account', '-12.30'],
  },
  {
    line: `books entries ${ID} --from 2026-11-01 --to 2026-11-30`,
    asks: [`GET ${BOOKS}/accounts/${ID}/entries?from=2026-11-01&to=2026-11-30`],
    answers: [
      listed({
        id: ID,
        date: '2026-11-21',
        type: 'receipt',
        value: '50.00',
        customerOrSupplier: CUSTOMER,
        ...ORIGIN,
      }),
    ],
    shows: ['2026-11-21', '50.00', 'Lia Campos', KEY],
  },
  {
    line: `books receivables --state overdue --customer ${ID} --from 2026-11-01 --to 2026-11-30`,
    asks: [`GET ${BOOKS}/receivables?state=overdue&customer=${ID}&from=2026-11-01&to=2026-11-30`],
    answers: [
      listed({
        ...{ id: ID, customer: CUSTOMER, value: '70.00', open: '20.00', dueDate: '2026-11-25' },
        ...{ overdueDays: 3, instalment: '2/3', ...ORIGIN },
      }),
    ],
    shows: ['2026-11-25', '20.00', '2/3', 'Lia Campos', KEY],
  },
  {
    line: 'books customers --search "Lia C"',
    asks: [`GET ${BOOKS}/customers?search=Lia+C`],
    answers: [listed(CUSTOMER)],
    shows: ['***7-25', 'Lia Campos'],
  },
  {
    line: `books statement ${ID} --limit 2 --after further`,
    asks: [`GET ${BOOKS}/customers/${ID}?limit=2&after=further`],
    answers: [
      {
        body: {
          ...CUSTOMER,
          totals: { booked: '70.00', open: '20.00' },
          items: [{ type: 'receipt', value: '-50.00' }],
        },
      },
    ],
    shows: ['Lia Campos', 'open=20.00', '-50.00'],
  },
  {
    line: 'search "ana@example.com"',
    asks: [[`POST ${ORG}/search`, { text: 'ana@example.com' }]],
    answers: [{ body: { items: [{ kind: 'order', title: 'Order 7', businessKey: KEY }], complete: true } }],
    shows: ['Order 7', KEY],
  },
  {
    line: `order ${KEY}`,
    asks: [`GET ${ORG}/timeline?key=${encodeURIComponent(KEY)}`],
    answers: [{ body: ORDER }],
    shows: [
      ...[
        'customer Lia Campos',
        'number 1007, total 70.00, received 50.00, refunded -, open 20.00',
        'There is more than is shown',
      ],
      ...[
        'loja orders/paid',
        'applied; sent again 2 times',
        'no category; sent again once',
        'order-paid version 4',
        'order.paid; no category',
      ],
      ...[
        'receipt.allocate',
        '2026-11-21; Gateway; Main account',
        'resolved  twenty cents',
        'open      a tip',
      ],
      ...[
        'large-refund refund',
        'the shop asked; before: order-paid version 3 (receipt waiting)',
        `receipt ${ID}`,
        'of-a-later-version',
      ],
    ],
  },
];

function listed(...items: object[]): ScriptedReply {
  return { body: { items, after: null } };
}
