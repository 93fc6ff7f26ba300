import type { Expectation, Outcome } from './outcome';
import type { SentWebhook } from './scenario';
import { table } from './table';

/** Everything the demo has to say, as data. */
export interface DemoResult {
  ok: boolean;
  webhooks: SentWebhook[];
  outcome: Outcome;
  expectations: Expectation[];
  times: { startMs: number; settledMs: number; totalMs: number };
}

/** The demo's result as a person likes to read it. */
export function report({ ok, webhooks, outcome, expectations, times }: DemoResult): string {
  return [
    '',
    table(
      'Webhooks sent',
      ['what', 'topic', 'status', 'answer'],
      webhooks.map(({ what, topic, status, answer }) => [what, topic, String(status), answer]),
    ),
    table(
      'What came of them',
      ['source', 'topic', 'events', 'state', 'outcome'],
      outcome.deliveries.map((d) => [
        d.source,
        d.topic,
        d.events.join(', ') || '-',
        d.state,
        d.outcome ?? '-',
      ]),
    ),
    table(
      'Credit schedules',
      ['customer', 'description', 'due', 'value', 'open', 'paid'],
      outcome.schedules.map((s) => [
        s.stakeholder.name,
        s.description,
        s.dueDate.slice(0, 10),
        s.value.toFixed(2),
        s.openValue.toFixed(2),
        s.isPaid ? 'yes' : 'no',
      ]),
    ),
    table(
      'Payments received',
      ['payment', 'value', 'receipts'],
      outcome.payments.map(({ key, value, receipts }) => [
        key.replace(/^receipt\//, ''),
        value,
        String(receipts),
      ]),
    ),
    table(
      'Refunds and fees paid',
      ['payment', 'value'],
      outcome.paidOut.map(({ key, value }) => [key, value]),
    ),
    table(
      'Accounts',
      ['account', 'balance'],
      outcome.balances.map(({ accountName, balance }) => [accountName, balance.toFixed(2)]),
    ),
    table(
      'What needs a person',
      ['delivery', 'why'],
      outcome.deliveries.filter(({ state }) => state === 'dead').map(({ id, reason }) => [id, reason ?? '']),
    ),
    'Checked',
    ...expectations.map(({ what, isAsExpected }) => `  ${isAsExpected ? '✓' : '✗'} ${what}`),
    '',
    `Started in ${seconds(times.startMs)}, settled ${webhooks.length} webhooks in ${seconds(times.settledMs)}, all in ${seconds(times.totalMs)}.`,
    ok
      ? 'All of it held. Go on with `npm start`, and README.md for your first own webhook.'
      : 'Something did not hold: see the lines marked ✗.',
  ].join('\n');
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
