import type { CompiledRule } from '../../src/rules/compiled-rule';
import { compiled, DOCUMENT_KEY, ORGANIZATION, paidOrder, TABLES } from '../../src/rules/fixtures';
import { ActiveRules } from '../../src/workflows/active-rules';
import { Planner } from '../../src/workflows/planner';
import { median } from '../frame/statistics';
import { processorTime } from './processor-time';

const RULES = 1_000;
const TIMES = 40;

/** From which amount on a rule applies: that of the order for one of them, and more for all others. */
function amount(index: number): string {
  return `${index === 500 ? 100 : 101 + index}.00`;
}

/** How the rules of an organization divide its orders among themselves. */
export const MANY_RULES = {
  'each for a gateway': (index: number) => `order.payment.gateway == "${index === 500 ? 'pagbank' : index}"`,
  'each from an amount on': (index: number) => `order.total >= money("${amount(index)}")`,
  // No single comparison decides: each is tried.
  'each from an amount or a number of parts on': (index: number) =>
    `order.total >= money("${amount(index)}") || order.instalments > ${index + 3}`,
  'all of them apply': () => 'order.payment.gateway == "pagbank"',
} as const;

/** A rule that makes a payment of the order's fee where its condition holds. */
function rule(index: number, own: string): CompiledRule {
  const name = `rule-${String(index).padStart(4, '0')}`;
  return compiled(
    [
      `rule: ${name}`,
      'when:',
      '  event: order.paid',
      `  all: ['!order.test', '${own}']`,
      'then:',
      '  - id: payment',
      '    do: payment.register',
      `    key: \${order.key}/${name}`,
      '    with:',
      '      account: ${tables.gatewayAccount[order.payment.gateway]}',
      '      value: ${order.total}',
      '      date: ${order.payment.paidAt.dateIn(org.timeZone)}',
      '      description: Order ${order.number}',
    ].join('\n'),
  );
}

/** @returns milliseconds of processor time from an event to its runs, with 1,000 enabled rules on it; the median of many */
export async function planningTime(own: (index: number) => string): Promise<number> {
  const rules = Array.from({ length: RULES }, (_, index) => rule(index, own(index)));
  const active = new ActiveRules();
  active.replace(new Map([[ORGANIZATION.id, { rules, tables: TABLES, documentKey: DOCUMENT_KEY }]]));
  const planner = new Planner(active);
  const work = {
    organization: ORGANIZATION,
    deliveryId: '0190a000-0000-7000-8000-000000000002',
    eventIndex: 0,
    receivedAt: paidOrder().occurredAt,
  };
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const start = processorTime();
    const planned = await planner.plan({ ...work, event: paidOrder() });
    times.push(processorTime() - start);
    if (planned.refusals.length > 0 || planned.runs.length === 0) throw new Error('no rule was planned');
  }
  // The first half is for the compiler.
  return median(times.slice(TIMES / 2));
}
