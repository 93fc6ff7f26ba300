import fc from 'fast-check';
import type { OrderEvent, OrderFacts } from '../../../src/events/event';
import { Money } from '../../../src/kernel/money';
import { compileExpression } from '../../../src/rules/cel/expression';
import { RuleScope } from '../../../src/rules/cel/scope';
import { paidOrder, TABLES } from '../../../src/rules/fixtures';

/*
 * Conditions over everything that is computed without the CEL library, with parts that are left to it, and orders in which
 * any of what they read is absent, of another kind or currency, or too large to be read.
 */

const COMPARISONS = ['==', '!=', '<', '<=', '>', '>='] as const;
const EQUALITIES = ['==', '!='] as const;

type Texts = Record<'amount' | 'int' | 'text' | 'instant' | 'day' | 'bool', string>;

const AMOUNTS = ['-0.01', '0.00', '1', '99.99', '100.00', '100.01', '99999999999.99', '1.234', '1.230'];
const TEXTS = ['', 'pagbank', 'stone', '#1001', 'ana@example.com', 'known', '100.00'];

const { bool: condition } = fc.letrec<Texts>((tie) => {
  const of = <K extends keyof Texts>(kind: K) => tie(kind);
  const compared = (kind: keyof Texts, operators: readonly string[] = COMPARISONS) =>
    fc
      .tuple(of(kind), fc.constantFrom(...operators), of(kind))
      .map(([left, operator, right]) => `${left} ${operator} ${right}`);
  const either = (kind: keyof Texts) =>
    fc.tuple(of('bool'), of(kind), of(kind)).map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`);
  return {
    amount: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(
        ...['order.total', 'order.discount', 'order.payment.value', 'order.payment.fee'],
        ...['order.charge.value', 'order.refunds[0].value', 'order.lines[0].price', 'order.total'],
      ),
      fc.constantFrom(...AMOUNTS).map((amount) => `money("${amount}")`),
      fc.tuple(of('amount'), fc.constantFrom('+', '-'), of('amount')).map((parts) => `(${parts.join(' ')})`),
      of('text').map((text) => `money((${text} + ""))`),
      of('amount').map((amount) => `(-${amount})`),
      either('amount'),
    ),
    int: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom('order.instalments', 'order.payment.instalments', 'order.lines.size()', '-3'),
      fc.constantFrom('0', '1', '2', '3', '9007199254740993', '9223372036854775807'),
      fc.tuple(of('int'), fc.constantFrom('+', '-', '/'), of('int')).map((parts) => `(${parts.join(' ')})`),
      of('text').map((text) => `(${text}).size()`),
      of('text').map((text) => `int((${text} + ""))`),
      either('int'),
    ),
    text: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(
        ...['order.number', 'order.payment.gateway', 'order.customer.email', 'order.lines[1].title'],
        ...['org.timeZone', 'tables.strict["known"]', 'order.marketplace'],
      ),
      fc.constantFrom(...TEXTS).map((text) => JSON.stringify(text)),
      fc.tuple(of('text'), of('text')).map(([left, right]) => `(${left} + ${right})`),
      of('text').map((key) => `tables.gatewayAccount[${key}]`),
      of('text').map((key) => `tables.strict[${key}]`),
      of('text').map((text) => `(${text}).lowerAscii()`),
      either('text'),
    ),
    instant: fc.constantFrom('order.paidAt', 'order.createdAt', 'order.cancelledAt', 'order.payment.paidAt'),
    day: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom('date("2026-03-04")', 'date("2026-03-05")'),
      fc.tuple(of('instant'), of('text')).map(([instant, zone]) => `${instant}.dateIn((${zone} + ""))`),
      of('instant').map((instant) => `${instant}.dateIn(org.timeZone)`),
    ),
    bool: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.constantFrom('order.test', 'order.payment.storeCredit', 'true', 'false', 'has(order.payment.fee)'),
      fc.oneof(compared('amount'), compared('int'), compared('text')),
      fc.oneof(compared('instant'), compared('day'), compared('text', EQUALITIES)),
      fc.tuple(of('bool'), fc.constantFrom('&&', '||'), of('bool')).map((parts) => `(${parts.join(' ')})`),
      of('bool').map((operand) => `!(${operand})`),
      fc
        .tuple(of('bool'), fc.constantFrom(...EQUALITIES), of('bool'))
        .map(([left, operator, right]) => `((${left}) ${operator} (${right}))`),
      fc.tuple(of('text'), of('text')).map(([text, part]) => `(${text}).startsWith(${part})`),
      fc
        .constantFrom('exists', 'all', 'exists_one')
        .map((walk) => `order.lines.${walk}(line, line.price > money("1.00"))`),
      of('text').map((text) => `raw.note == ${text}`),
      either('bool'),
    ),
  };
});

/** Whether a condition is within the limits of expressions. @throws Error where something else is wrong with it */
function isWithinLimits(source: string): boolean {
  const compiled = compileExpression(source, new RuleScope('order.paid', TABLES.keys()));
  if (!('problems' in compiled)) return true;
  const [problem] = compiled.problems;
  if (/could cost|too long|longer than|nested deeper/.test(problem?.message ?? '')) return false;
  throw new Error(`${source}: ${problem?.message}`);
}

/** A condition on an `order.paid` event. One that is longer or dearer than is allowed is left out. */
export const conditionText: fc.Arbitrary<string> = condition.filter(isWithinLimits);

const operator = fc.constantFrom(...COMPARISONS);

/** A value compared with a literal, as rules are found by it. */
const plainText: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('order.total', 'order.payment.value', '(order.total - order.payment.value)'),
      operator,
      fc.constantFrom(...AMOUNTS),
    )
    .map(([value, comparison, literal]) => `${value} ${comparison} money("${literal}")`),
  fc
    .tuple(fc.constantFrom('0', '1', '3', '9223372036854775807'), operator)
    .map(([literal, comparison]) => `${literal} ${comparison} order.instalments`),
  fc
    .tuple(fc.constantFrom(...EQUALITIES), fc.constantFrom(...TEXTS))
    .map(([comparison, literal]) => `order.payment.gateway ${comparison} "${literal}"`),
);

/** What a rule has set, and a condition that reads it. */
export const setText: fc.Arbitrary<{ readonly least: string; readonly condition: string }> = fc.record({
  least: fc.constantFrom('0.00', '100.00', '100.01', '1.234'),
  condition: fc
    .tuple(fc.constantFrom('order.total', 'order.payment.value'), operator, plainText, fc.boolean())
    .map(([value, comparison, other, isEither]) =>
      isEither
        ? `settings.least ${comparison} ${value} || ${other}`
        : `!(${value} ${comparison} settings.least) && ${other}`,
    ),
});

/** A condition of which rules are often found by a part, and often another part goes wrong. */
export const findableText: fc.Arbitrary<string> = fc
  .oneof(
    plainText,
    plainText.map((plain) => `!(${plain})`),
    fc
      .tuple(fc.oneof(plainText, conditionText), fc.constantFrom('&&', '||'), plainText)
      .map(([left, both, right]) => `(${left}) ${both} !(${right})`),
    fc.tuple(plainText, conditionText).map(([plain, other]) => `!(${plain} || !(${other}))`),
    conditionText,
  )
  .filter(isWithinLimits);

const amount = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('0.00', '1.00', '99.99', '100.00', '100.01').map(inReais) },
  fc.constantFrom(Money.parse('100.00', 'USD'), Money.parse('100', 'JPY'), inReais('999999999999.99')),
  fc.constantFrom('100.00' as never, 100 as never, undefined as never),
);
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  fc.constantFrom('x'.repeat(5_001), 7 as never, undefined as never),
);
const whole = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(0, 1, 2, 3) },
  fc.constantFrom(1.5, -3, Number.MAX_SAFE_INTEGER, undefined as never, 'three' as never),
);
const instant = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('2026-03-05T01:30:00Z', '2026-03-05T01:00:00Z').map(instantOf) },
  fc.constantFrom(new Date(NaN), undefined as never, 'yesterday' as never),
);
const flag = fc.constantFrom(true, false, false, 'yes' as never, undefined as never);

function inReais(decimal: string): Money {
  return Money.parse(decimal, 'BRL');
}

function instantOf(written: string): Date {
  return new Date(written);
}

const usual = paidOrder().order;
const line = fc.record({ title: text, price: amount, quantity: fc.constantFrom(1, 2.5) });

const facts: fc.Arbitrary<Partial<OrderFacts>> = fc.record(
  {
    number: text,
    total: amount,
    discount: amount,
    marketplace: text,
    createdAt: instant,
    paidAt: instant,
    cancelledAt: instant,
    instalments: whole,
    test: flag,
    customer: fc.record({ key: fc.constant('c'), name: fc.constant('Ana'), email: text }),
    payment: fc.option(
      fc.record({
        key: fc.constant('p'),
        gateway: text,
        method: fc.constant('pix'),
        value: amount,
        fee: amount,
        instalments: whole,
        storeCredit: flag,
        paidAt: instant,
      }),
      { nil: undefined },
    ),
    refunds: fc.constantFrom([], [{ key: 'r', value: inReais('1.00'), refundedAt: new Date(0) }]),
    lines: fc.oneof(
      { weight: 4, arbitrary: fc.array(line, { maxLength: 3 }) },
      fc.constant(Array.from({ length: 501 }, () => usual.lines[0]!)),
    ),
  },
  { requiredKeys: [] },
);

/** An `order.paid` event: often whole, often with something in it that no source should have made of it. */
export const orderEvent: fc.Arbitrary<OrderEvent> = fc
  .tuple(facts, fc.constantFrom({}, { note: 'stone' }, { note: ['stone'] }, null))
  .map(([order, raw]) => paidOrder(order, raw));
