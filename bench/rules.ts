/** How fast rules are on one core: `npm run bench:rules`. */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { OrderEvent } from '../src/events/event';
import { brl, compiled, ORGANIZATION, paidOrder, TABLES } from '../src/rules/fixtures';
import { planRule } from '../src/rules/plan-rule';

const ROUNDS = 5;
const ROUND_MS = 400;

/** The median of a few rounds, in calls a second. */
function perSecond(call: () => void): number {
  const rates = Array.from({ length: ROUNDS + 1 }, () => {
    const start = performance.now();
    let calls = 0;
    let elapsed = 0;
    while (elapsed < ROUND_MS) {
      for (let index = 0; index < 200; index += 1) call();
      calls += 200;
      elapsed = performance.now() - start;
    }
    return (calls / elapsed) * 1_000;
  });
  // The first round is for the compiler.
  return rates.slice(1).sort((left, right) => left - right)[Math.floor(ROUNDS / 2)] ?? 0;
}

function milliseconds(call: () => void): number {
  call();
  const start = performance.now();
  call();
  return performance.now() - start;
}

function report(what: string, value: number, unit: string): void {
  process.stdout.write(
    `${what.padEnd(60)} ${Math.round(value).toLocaleString('en-US').padStart(12)} ${unit}\n`,
  );
}

function probe(condition: string): string {
  return `rule: probe\nwhen: { event: order.paid, all: ['${condition}'] }\nthen:\n  - id: c\n    do: customer.ensure\n    with: { name: x }\n`;
}

const document = readFileSync('config/rules/order-paid.yaml', 'utf8');
const orderPaid = compiled(document);
const context = { organization: ORGANIZATION, tables: TABLES };
const plan = (rule: typeof orderPaid, event: OrderEvent) => () => void planRule(rule, event, context);

const test = paidOrder({ test: true });
const [line] = paidOrder().order.lines;
const large = paidOrder({
  lines: Array.from({ length: 500 }, () => ({
    quantity: 1,
    price: brl('1.00'),
    ...line,
    title: 'a'.repeat(5_000),
  })),
  refunds: Array.from({ length: 500 }, () => ({ key: 'r', value: brl('1.00'), refundedAt: new Date(0) })),
});

report(
  'rules decided by their conditions (two conditions, no match)',
  perSecond(plan(orderPaid, test)),
  '/s',
);
report(
  'orders mapped to a plan (three steps, three instalments)',
  perSecond(plan(orderPaid, paidOrder())),
  '/s',
);
report(
  'rules loaded and checked',
  perSecond(() => void compiled(document)),
  '/s',
);
report(
  'dearest kind of condition: 500 lines by 500 refunds',
  milliseconds(plan(compiled(probe('order.lines.all(l, order.refunds.all(r, r.value <= l.price))')), large)),
  'ms',
);
report(
  'text search in 500 lines of 5,000 characters',
  milliseconds(plan(compiled(probe('order.lines.exists(l, l.title.contains("ab"))')), large)),
  'ms',
);
