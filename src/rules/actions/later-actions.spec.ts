import fc from 'fast-check';
import { CalendarDate } from '../../kernel/calendar-date';
import { Money } from '../../kernel/money';
import { factType, int, plain } from '../cel/facts';
import { Instalment } from '../cel/functions';
import { brl, CONTEXT, paidOrder, problemsOf, TABLES } from '../fixtures';
import { loadRule } from '../load-rule';
import { planRule } from '../plan-rule';
import type { PlannedEffect } from '../../finance/api/effects/effect';
import { settlementPlan } from './input-types';
import { findAction } from './registry';

const day = (text: string): CalendarDate => CalendarDate.parse(text);

function plan(name: string, input: Record<string, unknown>, key = 'p') {
  const outcome = findAction(name)?.plan(input, { ...CONTEXT, key });
  if (outcome === undefined) throw new Error('no such action');
  return outcome;
}

function effectsOf(name: string, input: Record<string, unknown>, key?: string): readonly PlannedEffect[] {
  const outcome = plan(name, input, key);
  if (!('effects' in outcome)) throw new Error(outcome.refused);
  return outcome.effects;
}

/** The effects of the last step of a rule for a paid order. */
function effectsOfRule(step: string): readonly PlannedEffect[] | string {
  const document = `rule: r
when: { event: order.paid }
then:
  - id: customer
    do: customer.ensure
    with: { name: '\${order.customer.name}' }
  - id: schedule
    do: creditSchedule.ensure
    key: \${order.key}
    with:
      customer: \${steps.customer.id}
      value: \${order.total}
      dueDate: \${date("2026-03-05")}
      description: d
${step}`;
  const loaded = loadRule(document, { tables: TABLES.keys() });
  if ('problems' in loaded) throw new Error(loaded.problems.map(({ message }) => message).join('; '));
  const outcome = planRule(loaded.rule, paidOrder(), CONTEXT);
  if (!outcome.matched) return 'not matched';
  return 'refused' in outcome ? outcome.refused.reason : (outcome.plan.steps.at(-1)?.effects ?? []);
}

/** A rule for a paid order of this step alone. */
function ruleOf(step: string): string {
  return `rule: r\nwhen: { event: order.paid }\nthen:${step}`;
}

describe('receipt.settle', () => {
  const base = { schedules: { $ref: 'schedule.all' }, account: 'main' };

  it('has an effect for each part, with its number, its day and its value', () => {
    const effects = effectsOfRule(`
  - id: settle
    do: receipt.settle
    key: \${order.payment.key}/settlement
    with:
      schedules: \${steps.schedule.all}
      account: main
      plan: \${order.total.instalments(3, date("2026-04-06"))}
`);
    expect(effects).toEqual(
      [
        [1, '33.34', '2026-04-06'],
        [2, '33.33', '2026-05-06'],
        [3, '33.33', '2026-06-06'],
      ].map(([number, value, on]) => {
        const identifier = `shop/order/1001/payment/1/settlement/${number}`;
        return {
          ...{ key: `receipt/${identifier}`, operation: 'receipt.allocate', amount: value, notBefore: on },
          input: { ...base, value, date: on, identifier },
        };
      }),
    );
  });

  it('takes parts written out', () => {
    const effects = effectsOfRule(`
  - id: settle
    do: receipt.settle
    key: k
    with:
      schedules: \${steps.schedule.all}
      account: main
      plan:
        - { value: '\${money("60.00")}', on: '\${date("2026-04-06")}' }
        - { value: '\${money("40.00")}', on: '\${date("2026-05-06")}' }
`);
    expect(effects).toMatchObject([
      { key: 'receipt/k/1', amount: '60.00', notBefore: '2026-04-06' },
      { key: 'receipt/k/2', amount: '40.00', notBefore: '2026-05-06' },
    ]);
  });

  it('takes the settlements of an event, by their own numbers', () => {
    const planned = factType<{ number: number; value: Money; on: CalendarDate }>('PlannedSettlement', {
      number: int,
      value: plain<Money>('Money'),
      on: plain<CalendarDate>('Date'),
    });
    const facts = [
      planned.of({ number: 2, value: brl('40.00'), on: day('2026-05-06') }),
      planned.of({ number: 3, value: brl('60.00'), on: day('2026-06-06') }),
    ];
    expect(settlementPlan.accepts).toContain('list<PlannedSettlement>');
    const effects = effectsOf('receipt.settle', { ...base, plan: settlementPlan.read(facts) });
    expect(effects.map(({ key, notBefore, amount }) => [key, notBefore, amount])).toEqual([
      ['receipt/p/2', '2026-05-06', '40.00'],
      ['receipt/p/3', '2026-06-06', '60.00'],
    ]);
  });

  it('loses no cent and no part, and gives each a key of its own', () => {
    const parts = fc.array(fc.bigInt({ min: 1n, max: 1_000_000n }), { minLength: 1, maxLength: 120 });
    fc.assert(
      fc.property(parts, (minors) => {
        const list = minors.map(
          (minor, index) =>
            new Instalment(
              Money.ofMinor(minor, 'BRL'),
              day('2026-01-31').addMonths(index),
              BigInt(index + 1),
            ),
        );
        const effects = effectsOf('receipt.settle', { ...base, plan: settlementPlan.read(list) });
        const sum = effects.reduce((total, { amount = '' }) => total + Money.parse(amount, 'BRL').minor, 0n);
        expect(sum).toBe(minors.reduce((total, minor) => total + minor, 0n));
        expect(new Set(effects.map(({ key }) => key)).size).toBe(minors.length);
      }),
    );
  });

  it.each([
    [[{ value: brl('0.00'), on: day('2026-01-31') }], 'part 1 of the plan is 0.00; it must be above zero'],
    [
      [{ value: Money.parse('1.00', 'USD'), on: day('2026-01-31') }],
      'part 1 of the plan is in USD, but the books are kept in BRL',
    ],
    [
      [2, 2].map((number) => ({ value: brl('1.00'), on: day('2026-01-31'), number })),
      'the plan has two parts with the number 2',
    ],
    [
      Array.from({ length: 121 }, () => ({ value: brl('1.00'), on: day('2026-01-31') })),
      'the plan has 121 parts; there may be 120',
    ],
  ])('refuses %#', (parts, refused) => {
    expect(plan('receipt.settle', { ...base, plan: parts })).toEqual({ refused });
  });
});

describe('attention.raise', () => {
  it('says what and how much, once for its key', () => {
    const [effect] = effectsOf('attention.raise', {
      ...{ code: 'rule-large-order', message: 'Look at it', value: brl('5.00') },
    });
    expect(effect).toEqual({
      ...{ key: 'attention/p', operation: 'attention.raise' },
      input: { code: 'rule-large-order', message: 'Look at it', value: '5.00' },
    });
  });

  it('takes an amount in another currency', () => {
    const [effect] = effectsOf('attention.raise', {
      ...{ code: 'rule-foreign', message: 'Look at it', value: Money.parse('5.00', 'USD') },
    });
    expect(effect).toMatchObject({ input: { value: '5.00', currency: 'USD' } });
    expect(effect?.amount).toBeUndefined();
  });

  it.each(['large-order', 'rule-', 'rule-Large', 'rule-a_b', `rule-${'a'.repeat(60)}`])(
    'refuses the code %s: written out when the rule is loaded, else when an event comes',
    (code) => {
      const step = (written: string) => `
  - id: ask
    do: attention.raise
    key: \${order.key}
    with: { code: '${written}', message: m }
`;
      const known = 'it must be `rule-` and lower-case words with hyphens, 60 characters at most';
      expect(problemsOf(ruleOf(step(code)))).toMatchObject([
        { line: 7, column: 19, message: `the input "code": ${known}` },
      ]);
      expect(effectsOfRule(step(`\${"${code}"}`))).toBe(`input "code": ${known}`);
    },
  );
});

describe('attention.resolve', () => {
  const step = (code: string, more = '') => `
  - id: done
    do: attention.resolve${more}
    with: { code: ${code} }
`;
  function stepsOf(document: string) {
    const loaded = loadRule(document, { tables: TABLES.keys() });
    if ('problems' in loaded) throw new Error(loaded.problems.map(({ message }) => message).join('; '));
    const outcome = planRule(loaded.rule, paidOrder(), CONTEXT);
    return outcome.matched && !('refused' in outcome) ? outcome.plan.steps : undefined;
  }

  it('changes nothing, and names what goes off the list', () => {
    expect(stepsOf(ruleOf(step('rule-look')))).toEqual([
      { id: 'done', action: 'attention.resolve', effects: [], resolves: ['rule-look'] },
    ]);
  });

  it('names it for each element of a list, and nothing where its condition is false', () => {
    const each = step('rule-look', '\n    forEach: { one: order.payments }\n    key: ${one.key}');
    expect(stepsOf(ruleOf(each))).toMatchObject([{ effects: [], resolves: ['rule-look'] }]);
    expect(stepsOf(ruleOf(step('rule-look', "\n    if: 'false'")))).toEqual([]);
  });

  it('refuses a code that no rule gives', () => {
    const known = 'it must be `rule-` and lower-case words with hyphens, 60 characters at most';
    expect(problemsOf(ruleOf(step('order-differs')))).toMatchObject([
      { message: `the input "code": ${known}` },
    ]);
  });
});

describe('http.notify', () => {
  const step = (data: string, type = 'order.booked'): string => `
  - id: tell
    do: http.notify
    key: \${order.key}/booked
    with:
      endpoint: partner
      type: '${type}'
      data: ${data}
`;

  it('sends texts, amounts as decimal text and days', () => {
    const data =
      "{ order: '${order.key}', total: '${order.total}', on: '${date(\"2026-03-05\")}', parts: '${order.instalments}', what: sold }";
    expect(effectsOfRule(step(data))).toEqual([
      {
        key: 'notification/shop/order/1001/booked',
        operation: 'http.notify',
        input: {
          ...{ endpoint: 'partner', type: 'order.booked' },
          data: { order: 'shop/order/1001', total: '100.00', on: '2026-03-05', parts: '3', what: 'sold' },
        },
      },
    ]);
  });

  it.each([
    ["'${order.key}'", 'takes object'],
    ['text', 'takes object'],
    ["{ 'a b': c }", 'is no name of a field'],
    ["{ order: '${order.customer}' }", 'takes string | Money | Date, not Customer'],
    [`{ ${Array.from({ length: 31 }, (_, index) => `f${index}: x`).join(', ')} }`, 'has 31 fields'],
  ])('is refused where its data is %s', (data, problem) => {
    expect(problemsOf(ruleOf(step(data))).map(({ message }) => message)).toContainEqual(
      expect.stringContaining(problem),
    );
  });

  it.each(['Order Booked', 'order..booked', `${'o'.repeat(60)}.b`])(
    'refuses the type "%s": written out when the rule is loaded, else when an event comes',
    (type) => {
      const known = 'it must be lower-case words with dots, such as order.booked, 60 characters at most';
      expect(problemsOf(ruleOf(step('{ a: b }', type)))).toMatchObject([
        { line: 9, column: 13, message: `the input "type": ${known}` },
      ]);
      expect(effectsOfRule(step('{ a: b }', `\${"${type}"}`))).toBe(`input "type": ${known}`);
    },
  );
});
