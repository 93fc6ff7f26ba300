import type { CommandRow } from './command-row';

const ID = '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61';
const PATH = '/admin/organizations/main/completeness';
const PERIOD = { from: '2026-02-01', to: '2026-02-28', source: 'loja' };
const LINE = 'completeness --source loja --from 2026-02-01 --to 2026-02-28';
const QUESTION = `GET ${PATH}?source=loja&from=2026-02-01&to=2026-02-28`;

const LATER = { count: 3, value: '71.25' };
const REPORT = {
  ...PERIOD,
  ...{ timeZone: 'America/Sao_Paulo', currency: 'BRL', books: 'ledger', knownSince: null },
  list: { isWhole: false, obstacle: 'its provider has no list' },
  entities: { orders: 412, payouts: 3, disputes: 2, bills: 0, tests: 1, otherCurrency: 0, differing: 1 },
  totals: [
    {
      aspect: 'receipt',
      shop: { count: 412, value: '98113.40' },
      booked: { count: 411, value: '98013.40' },
      ...{ inBooks: { count: 411, value: '98013.40' }, later: LATER, difference: '100.00' },
    },
  ],
  apart: [{ why: 'not-booked', count: 2, value: '59.80' }],
  items: [
    {
      ...{ businessKey: 'loja/order/7', kind: 'order', day: '2026-02-03' },
      differences: [
        {
          ...{ code: 'missing', aspect: 'receipt', expected: '100.00', found: '0.00', effect: 'receipt/7' },
          ...{ delivery: ID, cause: 'rule order-paid planned it', repair: null },
        },
      ],
    },
  ],
  unattached: [
    {
      ...{ delivery: ID, receivedAt: '2026-02-02T00:00:00Z', businessKey: 'loja/order/8' },
      ...{ code: 'dead-letter', cause: 'no category' },
    },
  ],
  ...{ differences: 2, repairable: 2, after: 'further' },
};
const PLAN = {
  ...{ dryRun: true, plan: 'p1', differences: 2, byPerson: 0, deliveries: 2, more: false },
  ...{ compareFrom: null, listed: [], queued: 0, repair: null },
};
const TABLE = [
  ...[
    '412 orders, 3 payouts, 2 chargebacks and 0 bills',
    '1 are tests and 1 differ',
    'its provider has no list',
    'payments',
  ],
  ...[
    '98113.40',
    '98013.40',
    'later sum',
    '71.25',
    'no rule books it: 2 times, 59.80',
    'loja/order/7',
    'receipt missing',
  ],
  ...['rule order-paid planned it', '--after further', 'loja/order/8', 'no category', 'Differences: 2.'],
];

/** What a shop says, compared with the books: what is asked, and what is shown of the answer. */
export const COMPLETENESS_ROWS: readonly CommandRow[] = [
  { line: LINE, asks: [QUESTION], answers: [{ body: REPORT }], shows: TABLE },
  {
    line: `${LINE} --limit 9 --after further`,
    asks: [`${QUESTION.replace('completeness', 'completeness/differing')}&limit=9&after=further`],
    answers: [{ body: { items: REPORT.items, after: 'and so on' } }],
    shows: ['loja/order/7', 'receipt missing', '--after and so on'],
  },
  {
    line: `${LINE} --repair --dry-run`,
    asks: [QUESTION, [`POST ${PATH}/repair`, { ...PERIOD, dryRun: true }]],
    answers: [{ body: REPORT }, { body: PLAN }],
    shows: TABLE,
  },
  {
    line: `${LINE} --repair --yes --reason month`,
    asks: [
      QUESTION,
      [`POST ${PATH}/repair`, { ...PERIOD, dryRun: true }],
      [`POST ${PATH}/repair`, { ...PERIOD, dryRun: false, plan: 'p1', reason: 'month' }],
    ],
    answers: [{ body: REPORT }, { body: PLAN }, { body: { ...PLAN, dryRun: false, queued: 2, repair: ID } }],
    shows: ['queued', ID],
  },
];
