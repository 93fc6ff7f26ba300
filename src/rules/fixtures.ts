import type { CustomerEvent, OrderEvent, OrderFacts } from '../events/event';
import { Money } from '../kernel/money';
import type { Organization } from '../kernel/organization';
import type { CompiledRule } from './compiled-rule';
import type { RuleProblem } from './document/problems';
import { loadRule } from './load-rule';
import { LookupTable, type LookupTables } from './lookup-table';
import { planRule, type RuleContext, type RuleOutcome } from './plan-rule';

/** Events and rules for tests of rules and for the benchmark. Names and documents are invented. */

export const ORGANIZATION: Organization = {
  id: '0190a000-0000-7000-8000-000000000001',
  slug: 'acme',
  name: 'Acme Ltda',
  timeZone: 'America/Sao_Paulo',
  currency: 'BRL',
};

export const TABLES: LookupTables = new Map(
  [
    LookupTable.of('category', {
      ...{ 'online-sales': '1.1.01', 'payment-fees': '2.1.04', refunds: '2.1.06' },
      ...{ chargebacks: '2.1.06', 'chargebacks-won': '1.2.99', 'cancelled-sales': '2.1.06' },
      ...{ 'marketplace-commission': '2.1.05', bills: '2.6.99' },
    }),
    LookupTable.of('sales', {
      ...{ 'first-due-days': '0', 'card-days': '30', 'write-off-account': 'Baixas' },
    }),
    LookupTable.of('paymentTiming', { credit_card: 'monthly', pix: 'at-once', default: 'by-instalments' }),
    LookupTable.of('gatewayAccount', { pagbank: 'pagbank-account', default: 'main' }),
    LookupTable.of('payoutAccount', { default: 'main' }),
    LookupTable.of('strict', { known: 'yes' }),
    LookupTable.of('rates', { USD: '5.4321', JPY: '0.0345', 'USD 2026-03': '5.4321' }),
  ].map((table) => [table.name, table]),
);

/** By which its documents are named in business keys. */
export const DOCUMENT_KEY = Buffer.alloc(32, 7);

export const CONTEXT: RuleContext = {
  organization: ORGANIZATION,
  tables: TABLES,
  documentKey: DOCUMENT_KEY,
};

export function brl(value: string): Money {
  return Money.parse(value, 'BRL');
}

/** A paid order of 100.00 in three instalments, paid on the evening of 4 March 2026 in São Paulo. */
export function paidOrder(overrides: Partial<OrderFacts> = {}, raw: unknown = {}): OrderEvent {
  const paidAt = new Date('2026-03-05T01:30:00Z');
  const order: OrderFacts = {
    key: 'shop/order/1001',
    source: 'shop',
    id: '1001',
    number: '#1001',
    total: brl('100.00'),
    createdAt: new Date('2026-03-05T01:00:00Z'),
    paidAt,
    instalments: 3,
    test: false,
    customer: {
      key: 'shop/customer/7',
      name: 'Ana Souza',
      document: '529.982.247-25',
      email: 'ana@example.com',
      address: { line1: 'Rua das Flores', number: '10', city: 'Santos', state: 'SP', country: 'BR' },
    },
    payment: {
      key: 'shop/order/1001/payment/1',
      gateway: 'pagbank',
      method: 'pix',
      value: brl('100.00'),
      paidAt,
    },
    payments: [],
    refunds: [],
    lines: [
      { title: 'Mug', sku: 'M-1', quantity: 2, price: brl('30.00') },
      { title: 'Shirt', quantity: 1, price: brl('40.00') },
    ],
    differences: [],
    ...overrides,
  };
  const payments = overrides.payments ?? (order.payment ? [order.payment] : []);
  return { type: 'order.paid', key: order.key, occurredAt: paidAt, order: { ...order, payments }, raw };
}

export function updatedCustomer(): CustomerEvent {
  const { customer } = paidOrder().order;
  return {
    type: 'customer.updated',
    key: customer.key,
    occurredAt: new Date('2026-03-05T01:30:00Z'),
    customer,
    raw: {},
  };
}

/** @throws Error listing the problems, so that a test's own mistakes are seen */
export function compiled(document: string, version?: number): CompiledRule {
  const loaded = loadRule(document, { tables: TABLES.keys() }, version);
  if ('rule' in loaded) return loaded.rule;
  throw new Error(
    loaded.problems.map(({ line, column, message }) => `${line}:${column} ${message}`).join('\n'),
  );
}

export function problemsOf(document: string): readonly RuleProblem[] {
  const loaded = loadRule(document, { tables: TABLES.keys(), isNew: true });
  return 'problems' in loaded ? loaded.problems : [];
}

export function run(document: string, event = paidOrder() as OrderEvent | CustomerEvent): RuleOutcome {
  return planRule(compiled(document), event, CONTEXT);
}

/** A rule with one step that puts an expression's value, as text, into the customer's name. */
export function ruleNaming(template: string, event = 'order.paid'): string {
  return [
    'rule: probe',
    'when:',
    `  event: ${event}`,
    'then:',
    '  - id: customer',
    '    do: customer.ensure',
    '    with:',
    `      name: ${JSON.stringify(template)}`,
  ].join('\n');
}

/** What {@link ruleNaming} makes of a template: the name, or why there is none. */
export function textOf(template: string, event?: OrderEvent): string | { refused: string } {
  const outcome = run(ruleNaming(template), event);
  if (!outcome.matched) throw new Error('the probe has no conditions');
  if ('refused' in outcome) return { refused: outcome.refused.reason };
  const [effect] = outcome.plan.steps[0]?.effects ?? [];
  if (effect?.operation !== 'customer.ensure') throw new Error('the probe plans a customer');
  return effect.input.name;
}
