import type { CommandRow } from './command-row';

const ID = '01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61';
const ORG = '/admin/organizations/main';
/** As `command-rows.ts` has it. */
const RULE = 'rule: order-paid\nwhen: { event: order.paid }\n';

const BACKTEST = {
  from: '2026-02-01T03:00:00.000Z',
  to: '2026-03-01T03:00:00.000Z',
  currency: 'BRL',
  deliveries: { read: 9, compared: 5, waiting: 1, dead: 1, discarded: 1, bodiesGone: 1 },
  orders: { compared: 4, differing: 3 },
  totals: [{ kind: 'missing', operation: 'payment.register', count: 2, value: '42.34' }],
  refusals: 1,
  items: [
    {
      businessKey: 'loja/order/1',
      effects: [
        {
          ...{ kind: 'missing', operation: 'payment.register', value: '30.00', applied: null },
          ...{ date: '2026-02-21', rule: 'order-refunded', key: 'k1', content: [], advice: null },
        },
        {
          ...{ kind: 'changed', operation: 'receipt.allocate', value: '98.50', applied: '100.00' },
          ...{ date: null, rule: 'order-paid', key: 'k2', content: ['account a, now b'], advice: 'by hand' },
        },
      ],
      refused: [{ rule: 'order-paid', step: null, reason: 'no category' }],
    },
  ],
  notListed: 2,
  waiting: [{ id: ID, businessKey: 'loja/order/7', receivedAt: '2026-02-02T00:00:00Z', reason: null }],
  dead: [{ id: ID, businessKey: 'loja/order/8', receivedAt: '2026-02-02T00:00:00Z', reason: 'dead reason' }],
  bodiesGone: [{ id: ID, businessKey: 'loja/order/9', receivedAt: '2026-02-02T00:00:00Z', reason: null }],
};
const PERIOD = { from: '2026-02-01', to: '2026-02-28' };
const REPAIR = { dryRun: true, plan: 'p1', deliveries: 2, queued: 0, repair: null, backtest: BACKTEST };
const BACKTEST_TABLE = [
  ...['9,', '5 were compared', '4 compared, 3 differ', '42.34 BRL', 'loja/order/1  missing', '2026-02-21'],
  ...['account a, now b. by hand', 'refused', 'no category', '2 more orders', 'dead reason', 'loja/order/9'],
];

/** Backtests and repairs: what is sent, and what is shown of the answer. */
export const BACKTEST_ROWS: readonly CommandRow[] = [
  {
    line: 'rules backtest --from 2026-02-01 --to 2026-02-28 --source loja --limit 9',
    asks: [[`POST ${ORG}/backtest`, { ...PERIOD, source: 'loja', limit: 9 }]],
    answers: [{ body: BACKTEST }],
    shows: BACKTEST_TABLE,
  },
  {
    line: 'rules backtest --from 2026-02-01 --to 2026-02-28 --file @rule.yaml',
    asks: [[`POST ${ORG}/backtest`, { ...PERIOD, rule: { name: 'order-paid', document: RULE } }]],
    answers: [{ body: BACKTEST }],
  },
  {
    line: 'rules backtest order-paid --from 2026-02-01 --to 2026-02-28 --file @rule.yaml',
    asks: [[`POST ${ORG}/rules/order-paid/backtest`, { ...PERIOD, document: RULE }]],
    answers: [{ body: BACKTEST }],
  },
  {
    line: 'rules backtest order-paid --from 2026-02-01 --to 2026-02-28 --rule-version 2',
    asks: [[`POST ${ORG}/rules/order-paid/backtest`, { ...PERIOD, version: 2 }]],
    answers: [{ body: BACKTEST }],
  },
  {
    line: 'repair --from 2026-02-01 --to 2026-02-28 --dry-run',
    asks: [[`POST ${ORG}/repair`, { ...PERIOD, dryRun: true }]],
    answers: [{ body: REPAIR }],
    shows: BACKTEST_TABLE,
  },
  {
    line: 'repair --from 2026-02-01 --to 2026-02-28 --yes --reason refunds',
    asks: [
      [`POST ${ORG}/repair`, { ...PERIOD, dryRun: true }],
      [`POST ${ORG}/repair`, { ...PERIOD, dryRun: false, plan: 'p1', reason: 'refunds' }],
    ],
    answers: [{ body: REPAIR }, { body: { ...REPAIR, dryRun: false, queued: 2, repair: ID } }],
    shows: ['queued', ID],
  },
  {
    line: `repairs show ${ID}`,
    asks: [`GET ${ORG}/repairs/${ID}`],
    answers: [{ body: { repair: ID, queued: 2, waiting: 1, done: 1, dead: 0, discarded: 0 } }],
    shows: ['waiting', '1'],
  },
];
