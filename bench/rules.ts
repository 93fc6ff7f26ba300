/** How fast rules are on one core: `npm run bench:rules`. */
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { OrderEvent } from '../src/events/event';
import { brl, compiled, CONTEXT, paidOrder } from '../src/rules/fixtures';
import { planRule } from '../src/rules/plan-rule';
import { MANY_RULES, planningTime } from './rules/many-rules';
import { sideBySide } from './rules/side-by-side';

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

const document = readFileSync('config/profiles/cash/order-paid.yaml', 'utf8');
const orderPaid = compiled(document);
const plan = (rule: typeof orderPaid, event: OrderEvent) => () => void planRule(rule, event, CONTEXT);

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

/** What is to be reached on any machine: ratios within this run, and one time. */
function verdict(what: string, holds: boolean): void {
  process.stdout.write(`${holds ? 'holds ' : 'MISSED'} ${what}\n`);
}

const LEAST_OF_BARE_CEL = 0.6;
const MOST_MS = 5;

async function compare(): Promise<void> {
  const rates = await sideBySide();
  const { ponte } = rates;
  for (const [engine, value] of Object.entries(rates))
    report(`the rule order-paid on an order: ${engine}`, value, `/s  ${(value / ponte).toFixed(2)} of ponte`);
  for (const [how, own] of Object.entries(MANY_RULES)) {
    const time = await planningTime(own);
    report(`1,000 enabled rules on an event, ${how}`, time * 1_000, 'µs');
    // Where a thousand rules apply, a thousand plans are made: no bound is set for that.
    if (how !== 'all of them apply')
      verdict(`1,000 enabled rules, ${how}: under ${MOST_MS} ms (${time.toFixed(2)})`, time < MOST_MS);
  }
  const ofBare = ponte / rates['bare CEL library'];
  verdict(
    `at least ${LEAST_OF_BARE_CEL} of the bare CEL library (${ofBare.toFixed(2)})`,
    ofBare >= LEAST_OF_BARE_CEL,
  );
  for (const other of ['JSONata', 'json-rules-engine'] as const)
    verdict(`ahead of ${other} (${(ponte / rates[other]).toFixed(1)} times)`, ponte > rates[other]);
}

void compare();
