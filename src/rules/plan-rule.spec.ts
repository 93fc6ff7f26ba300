import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { CanonicalEvent, OrderEvent, OrderFacts } from '../events/event';
import type { PlannedEffect } from '../finance/api/effects/effect';
import { Money } from '../kernel/money';
import { brl, compiled, CONTEXT, paidOrder, run, TABLES, textOf, updatedCustomer } from './fixtures';
import type { Plan } from './plan';
import { planRule, type RuleOutcome } from './plan-rule';
import { propertyRuns } from '../../test/support/property-runs';

const ORDER_PAID = readFileSync(join(__dirname, '../../config/profiles/cash/order-paid.yaml'), 'utf8');
const orderPaid = compiled(ORDER_PAID);

function planned(event: CanonicalEvent, rule = orderPaid): RuleOutcome {
  return planRule(rule, event, CONTEXT);
}

function effectsOf(outcome: RuleOutcome): PlannedEffect[] {
  return outcome.matched && 'plan' in outcome ? outcome.plan.steps.flatMap(({ effects }) => effects) : [];
}

function scheduleOf(outcome: RuleOutcome) {
  const effect = effectsOf(outcome).find(({ operation }) => operation === 'credit-schedule.create');
  return effect?.operation === 'credit-schedule.create' ? effect.input : undefined;
}

describe('the rule order-paid', () => {
  it('takes dates for facts unless the event or a payment is dated by something else', () => {
    const event = paidOrder();
    const [payment] = event.order.payments;
    const payments = payment ? [{ ...payment, datedBy: 'created_at' }] : [];
    const known = [
      event,
      { ...event, datedBy: 'received' },
      { ...event, order: { ...event.order, payments } },
    ]
      .map((one) => planned(one))
      .map((outcome) => outcome.matched && 'plan' in outcome && outcome.plan.datesKnown);
    expect(known).toEqual([true, undefined, undefined]);
  });

  it('plans a customer, a schedule in instalments and a receipt', () => {
    const key: unknown = expect.stringMatching(/^customer\/document\/[0-9a-f]{32}$/);
    expect(planned(paidOrder())).toEqual({
      matched: true,
      plan: {
        datesKnown: true,
        rule: 'order-paid',
        version: 1,
        steps: [
          {
            id: 'customer',
            action: 'customer.ensure',
            effects: [
              {
                key,
                operation: 'customer.ensure',
                input: {
                  name: 'Ana Souza',
                  document: '52998224725',
                  email: 'ana@example.com',
                  address: {
                    line1: 'Rua das Flores',
                    number: '10',
                    city: 'Santos',
                    state: 'SP',
                    country: 'BR',
                  },
                },
              },
            ],
          },
          {
            id: 'schedule',
            action: 'creditSchedule.ensure',
            effects: [
              {
                key: 'credit-schedule/shop/order/1001',
                operation: 'credit-schedule.create',
                amount: '100.00',
                input: {
                  customer: { $ref: 'customer.id' },
                  value: '100.00',
                  dueDate: '2026-03-04',
                  description: 'shop order #1001',
                  reference: 'shop/order/1001',
                  category: '1.1.01',
                  instalments: [
                    { value: '33.34', dueDate: '2026-03-04' },
                    { value: '33.33', dueDate: '2026-04-04' },
                    { value: '33.33', dueDate: '2026-05-04' },
                  ],
                  settled: true,
                  writeOff: 'write-off/shop/order/1001/cancelled',
                },
              },
            ],
          },
          {
            id: 'receipt',
            action: 'receipt.register',
            effects: [
              {
                key: 'receipt/shop/order/1001/payment/1',
                operation: 'receipt.allocate',
                amount: '100.00',
                input: {
                  schedules: { $ref: 'schedule.all' },
                  value: '100.00',
                  date: '2026-03-04',
                  account: 'pagbank-account',
                  identifier: 'shop/order/1001/payment/1',
                  afterWriteOff: {
                    key: 'write-off/shop/order/1001/cancelled',
                    category: '1.1.01',
                    description: 'shop order #1001, paid after it was cancelled',
                  },
                },
              },
            ],
          },
        ],
      },
    });
  });

  it('does nothing for other events, test orders and orders of nothing', () => {
    const created: OrderEvent = { ...paidOrder(), type: 'order.created' };
    const outcomes = [
      created,
      updatedCustomer(),
      paidOrder({ test: true }),
      paidOrder({ total: brl('0.00') }),
    ];
    expect(outcomes.map((event) => planned(event))).toEqual(outcomes.map(() => ({ matched: false })));
  });

  it('plans one schedule for one instalment', () => {
    expect(scheduleOf(planned(paidOrder({ instalments: 1 })))).not.toHaveProperty('instalments');
  });

  it('sends a gateway that no table knows to the default account', () => {
    const { payment } = paidOrder().order;
    const outcome = planned(paidOrder({ payment: payment && { ...payment, gateway: 'brand-new' } }));
    expect(effectsOf(outcome).at(-1)?.input).toMatchObject({ account: 'main' });
  });

  it.each<[string, Partial<OrderFacts>, object]>([
    [
      'an invalid CPF',
      { customer: { ...paidOrder().order.customer, document: '529.982.247-26' } },
      {
        step: 'customer',
        reason: "the customer's document is not a valid CPF: its check digits do not match",
      },
    ],
    [
      'another currency',
      { total: Money.parse('10.00', 'USD') },
      {
        reason:
          'an amount is in USD, but the books are kept in BRL: convert it in the rule by a table with the rate of each month (docs/rules.md, "Other currencies"), book it by hand, or give the source to an organization that keeps its books in USD',
      },
    ],
    [
      'no payment',
      { payment: undefined },
      { reason: '"firstPaidOn": the list has no element at this position' },
    ],
    [
      'more instalments than are taken',
      { instalments: 200 },
      { step: 'schedule', reason: 'input "instalments": the number of instalments must be 1 to 120' },
    ],
    [
      'a number that is too long for a description',
      { number: 'x'.repeat(600) },
      { step: 'schedule', reason: 'input "description": the text is longer than 500 characters' },
    ],
  ])('refuses an order with %s, in a sentence', (_, overrides, refused) => {
    const { ifBooked: _plan, ...outcome } = planned(paidOrder(overrides)) as RuleOutcome & {
      ifBooked?: Plan;
    };
    expect(outcome).toEqual({ matched: true, refused });
  });

  it('plans what can be done all the same where the order is booked, for an invalid CPF and nothing else', () => {
    const customer = { ...paidOrder().order.customer, document: '529.982.247-26' };
    const onlyIfBooked = {
      ...{
        step: 'customer',
        reason: "the customer's document is not a valid CPF: its check digits do not match",
      },
    };
    expect(planned(paidOrder({ customer }))).toMatchObject({ ifBooked: { onlyIfBooked } });
    for (const broken of [{ instalments: 200 }, { customer, instalments: 200 }])
      expect(planned(paidOrder(broken))).not.toHaveProperty('ifBooked');
    expect(planned(paidOrder({ customer, instalments: 200 }))).toMatchObject({
      refused: { step: 'customer' },
    });
  });

  it('makes as many instalments as there are cents, where there are fewer', () => {
    const plannedEffects = effectsOf(planned(paidOrder({ total: brl('0.02') })));
    const schedule = plannedEffects.find(({ operation }) => operation === 'credit-schedule.create');
    expect(schedule?.input).toMatchObject({
      value: '0.02',
      instalments: [{ value: '0.01' }, { value: '0.01' }],
    });
  });

  it('never repeats a document or e-mail address in a reason', () => {
    const customer = { ...paidOrder().order.customer, document: '11122233344' };
    const said = JSON.stringify(planned(paidOrder({ customer })));
    expect(said).toContain('refused');
    expect(said).not.toContain('11122233344');
  });

  it('lets a false condition decide even when another one fails', () => {
    const event = paidOrder({ test: true, total: Money.parse('10.00', 'USD') });
    expect(planned(event)).toEqual({ matched: false });
  });
});

describe('values of a plan', () => {
  it('hold nothing that a database cannot', () => {
    expect(textOf('a\ud800b\0c')).toBe('a b c');
  });

  const step = (lines: string) => `
rule: probe
when: { event: order.paid }
then:
  - id: customer
    do: customer.ensure
    key: \${order.customer.key}
    with: { name: Ana }
  - id: schedule
    do: creditSchedule.ensure
    key: \${order.key}
    with:
      customer: \${steps.customer.id}
      value: \${order.total}
      dueDate: \${date("2026-01-31")}
      description: >-
        Order
        \${order.number}
${lines}
`;

  it('takes instalments written out', () => {
    const outcome = run(
      step(`
      instalments:
        - { value: '\${order.total - money("10.00")}', dueDate: '\${date("2026-01-31")}', description: first }
        - value: |
            \${money("10.00")}
          dueDate: \${date("2026-01-31").addMonths(1)}
`),
    );
    expect(scheduleOf(outcome)?.instalments).toEqual([
      { value: '90.00', dueDate: '2026-01-31', description: 'first' },
      { value: '10.00', dueDate: '2026-02-28' },
    ]);
  });

  it('refuses instalments that do not add up, with the difference', () => {
    const outcome = run(
      step('      instalments: ${(order.total - money("0.01")).instalments(2, date("2026-01-31"))}'),
    );
    expect(outcome).toEqual({
      matched: true,
      refused: {
        step: 'schedule',
        reason: 'the instalments add up to 99.99, not to 100.00: the difference is 0.01',
      },
    });
  });

  it('takes an address written out, and leaves out what is empty in it', () => {
    const outcome = run(`
rule: probe
when: { event: order.paid }
then:
  - id: customer
    do: customer.ensure
    with:
      name: "  Ana\\tSouza "
      address: { city: '\${order.customer.address.city}', line2: '\${order.customer.address.line2}', country: BR }
`);
    expect(effectsOf(outcome)[0]?.input).toEqual({
      name: 'Ana Souza',
      address: { city: 'Santos', country: 'BR' },
    });
  });

  it('uses what a step is given as its key', () => {
    expect(effectsOf(run(step('')))[0]?.key).toBe('customer/key/shop/customer/7');
  });
});

const money = fc
  .integer({ min: 120, max: 9_999_999_999 })
  .map((cents) => Money.ofMinor(BigInt(cents), 'BRL'));

describe('whatever the order', () => {
  it('instalments add up to the total, to the cent, and are a month apart from the first', () => {
    fc.assert(
      fc.property(money, fc.integer({ min: 2, max: 120 }), (total, instalments) => {
        const schedule = scheduleOf(planned(paidOrder({ total, instalments })));
        const parts = schedule?.instalments ?? [];
        const sum = parts.reduce((added, { value }) => added.plus(brl(value)), Money.zero('BRL'));
        expect(parts).toHaveLength(instalments);
        expect(sum.equals(total)).toBe(true);
        const months = parts.map(
          ({ dueDate }) => Number(dueDate.slice(0, 4)) * 12 + Number(dueDate.slice(5, 7)),
        );
        expect(months).toEqual(parts.map((_, index) => 2026 * 12 + 3 + index));
      }),
    );
  });

  it('the same event gives the same plan, and the plan is data', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 30 });
    const orders = fc.record({
      total: money,
      instalments: fc.integer({ min: 1, max: 12 }),
      number: text,
      test: fc.boolean(),
      customer: fc.record(
        { key: text, name: text, email: text, phone: text, address: fc.record({ city: text, line1: text }) },
        { requiredKeys: ['key', 'name'] },
      ),
    });
    fc.assert(
      fc.property(orders, (overrides) => {
        const outcome = planned(paidOrder(overrides));
        expect(planned(paidOrder(copyOf(overrides)), compiled(ORDER_PAID))).toEqual(outcome);
        expect(JSON.parse(JSON.stringify(outcome))).toEqual(outcome);
      }),
    );
  });
});

/** A copy of its own, down to the last object. */
function copyOf(overrides: Partial<OrderFacts> & { total: Money }): Partial<OrderFacts> {
  const { total, ...others } = overrides;
  return { ...structuredClone(others), total: Money.ofMinor(total.minor, total.currency) };
}

describe('planning', () => {
  const readsEverything = compiled(`
rule: reads-everything
when:
  event: order.paid
  all: ['raw.a.exists(x, x == "b") || !order.test']
let:
  first: raw.a[0]
then:
  - id: customer
    do: customer.ensure
    with:
      name: \${order.lines.map(l, l.title + string(l.quantity)).join()} \${first} \${raw.b.c}
      document: \${raw.document}
      address: \${order.customer.address}
`);

  it('refuses and does not throw, whatever the facts are', () => {
    const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true, maxDepth: 3 });
    const facts = fc.dictionary(
      fc.constantFrom('total', 'instalments', 'test', 'customer', 'payment', 'lines', 'paidAt', 'number'),
      anything,
    );
    const payload = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'document', '__proto__'), anything);
    fc.assert(
      fc.property(facts, payload, (overrides, raw) => {
        const event = paidOrder(overrides, raw);
        for (const rule of [orderPaid, readsEverything]) {
          const outcome = planned(event, rule);
          if (outcome.matched && 'refused' in outcome)
            expect(outcome.refused.reason.length).toBeGreaterThan(5);
          expect(() => JSON.stringify(outcome)).not.toThrow();
        }
      }),
      { numRuns: propertyRuns(200) },
    );
  });

  it('does not change the event', () => {
    const event = paidOrder({}, { a: ['b'], b: { c: 'd' }, document: '529.982.247-25' });
    const before = JSON.stringify(event);
    expect(planned(event, readsEverything)).toHaveProperty('plan');
    expect(JSON.stringify(event)).toBe(before);
  });

  it('reads tables that were changed since as they are now', () => {
    const tables = new Map([...TABLES].filter(([name]) => name !== 'gatewayAccount'));
    expect(planRule(orderPaid, paidOrder(), { ...CONTEXT, tables })).toEqual({
      matched: true,
      refused: { step: 'receipt', reason: 'input "account": tables.gatewayAccount is absent' },
    });
  });
});
