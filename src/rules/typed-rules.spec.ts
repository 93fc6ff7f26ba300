import fc from 'fast-check';
import type { OrderEvent } from '../events/event';
import { Money } from '../kernel/money';
import { CONTEXT, paidOrder, TABLES } from './fixtures';
import { loadRule } from './load-rule';
import { planRule } from './plan-rule';
import { eventVariables, FACT_TYPES } from './cel/event-types';
import { propertyRuns } from '../../test/support/property-runs';

/** Expressions of one type, made of what there is of other types: grown from the typed scope, at most so many levels high. */
type Grower = (levels: number) => fc.Arbitrary<string>;

/** Every path of the event that has this type: `order.payment.value`. */
function pathsOf(type: string): string[] {
  const paths: string[] = [];
  const walk = (path: string, owner: string) => {
    const fields = FACT_TYPES.find(({ name }) => name === owner)?.fields ?? {};
    for (const [name, field] of Object.entries(fields)) {
      if (field.type === type) paths.push(`${path}.${name}`);
      walk(`${path}.${name}`, field.type);
    }
  };
  for (const [name, owner] of Object.entries(eventVariables('order.paid'))) walk(name, owner);
  return paths;
}

const GROWN: Record<string, Grower> = {
  string: grower('string', ['"x"', '"4.99"', '"half-up"', 'settings.word'], (of) => [
    call(of, '(% + %)', 'string', 'string'),
    call(of, 'string(%)', 'Money'),
    call(of, 'string(%)', 'int'),
    call(of, 'string(%)', 'Date'),
    call(of, '%.trim()', 'string'),
    call(of, '(% ? % : %)', 'bool', 'string', 'string'),
    call(of, 'tables.strict[%]', 'string'),
    call(of, 'order.lines.map(l, %).join(", ")', 'string'),
  ]),
  Money: grower('Money', ['money("10.00")', 'settings.least'], (of) => [
    call(of, '(% + %)', 'Money', 'Money'),
    call(of, '(% - %)', 'Money', 'Money'),
    call(of, '(-%)', 'Money'),
    call(of, '%.percent(%, "down")', 'Money', 'string'),
    call(of, '%.convert(%, "half-even")', 'Money', 'string'),
    call(of, '%.allocate([%, %])[0]', 'Money', 'Money', 'Money'),
    call(of, '%.instalments(%, %)[0].value', 'Money', 'int', 'Date'),
    call(of, 'money(%)', 'string'),
    call(of, '(% ? % : %)', 'bool', 'Money', 'Money'),
  ]),
  int: grower('int', ['3', '0', 'settings.days'], (of) => [
    call(of, '(% + %)', 'int', 'int'),
    call(of, '(% / %)', 'int', 'int'),
    call(of, 'size(%)', 'string'),
    call(of, 'order.lines.size()'),
    call(of, 'int(%)', 'string'),
    call(of, '%.indexOf(%)', 'string', 'string'),
  ]),
  bool: grower('bool', ['true', 'settings.isBooked'], (of) => [
    call(of, '(% && %)', 'bool', 'bool'),
    call(of, '(% || %)', 'bool', 'bool'),
    call(of, '(!%)', 'bool'),
    call(of, '(% == %)', 'string', 'string'),
    call(of, '(% <= %)', 'Money', 'Money'),
    call(of, '(% != %)', 'Money', 'Money'),
    call(of, '(% > %)', 'int', 'int'),
    call(of, '(% < %)', 'Date', 'Date'),
    call(of, '(% >= %)', 'Instant', 'Instant'),
    call(of, '%.contains(%)', 'string', 'string'),
    call(of, 'order.lines.exists(l, l.price > %)', 'Money'),
    call(of, 'has(order.payment.fee)'),
  ]),
  Date: grower('Date', ['date("2026-01-31")'], (of) => [
    call(of, '%.dateIn(org.timeZone)', 'Instant'),
    call(of, '%.addDays(%)', 'Date', 'int'),
    call(of, '%.addMonths(%)', 'Date', 'int'),
    call(of, '%.endOfMonth()', 'Date'),
    call(of, '%.addBusinessDays(%)', 'Date', 'int'),
    call(of, 'date(%, org.timeZone)', 'string'),
  ]),
  Instant: grower('Instant', [], () => []),
};

function grower(
  type: string,
  literals: readonly string[],
  calls: (of: (type: string) => fc.Arbitrary<string>) => fc.Arbitrary<string>[],
): Grower {
  const ends = fc.constantFrom(...pathsOf(type), ...literals);
  return (levels) => {
    const of = (other: string) => GROWN[other]?.(levels - 1) ?? fc.constant('');
    return levels === 0 ? ends : fc.oneof(ends, ...calls(of));
  };
}

/** A form with a place for each of these types. */
function call(
  of: (type: string) => fc.Arbitrary<string>,
  form: string,
  ...types: string[]
): fc.Arbitrary<string> {
  return fc
    .tuple(...types.map(of))
    .map((parts) => parts.reduce((text, part) => text.replace('%', () => part), form));
}

const money = fc
  .tuple(fc.bigInt({ min: -1_000_000n, max: 99_999_999_999_999n }), fc.constantFrom('BRL', 'BRL', 'USD'))
  .map(([minor, currency]) => Money.ofMinor(minor, currency));
const instant = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const word = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom('known', '12', '10.00', '2026-03-04', ''),
);

const event: fc.Arbitrary<OrderEvent> = fc
  .record({
    total: money,
    value: money,
    fee: fc.option(money, { nil: undefined }),
    at: instant,
    text: word,
    isPaid: fc.boolean(),
  })
  .map(({ total, value, fee, at, text, isPaid }) => {
    const payment = { key: 'k', gateway: text, method: text, value, paidAt: at, ...(fee && { fee }) };
    const own = { total, createdAt: at, number: text, lines: [{ title: text, quantity: 1.5, price: value }] };
    return paidOrder({ ...own, payment: isPaid ? payment : undefined, paidAt: isPaid ? at : undefined });
  });

/** What is said where a value is not of the type that was checked, or nobody knows what went wrong. */
const OF_TYPES =
  /not of the kind|cannot be computed|it is no list|needs text|needs an amount|is no text|has no text here/;

const SETTINGS = [
  'settings:',
  '  word: { type: text, default: known, description: d }',
  "  least: { type: Money, default: '1.00', description: d }",
  '  days: { type: int, default: 3, description: d }',
  '  isBooked: { type: bool, default: true, description: d }',
];

/** A rule with a condition, a name and two inputs of these. */
function ruleOf(condition: string, amount: string, day: string, text: string): string {
  return JSON.stringify({
    rule: 'grown',
    when: { event: 'order.paid', all: [condition] },
    let: { amount, day },
    then: [
      {
        ...{ id: 'payment', do: 'payment.register', key: `\${order.key}/\${${text}}` },
        with: { account: 'main', value: '${amount}', date: '${day}', description: `\${${text}}` },
      },
    ],
  });
}

describe('a rule that was checked', () => {
  it('fails at run time for no reason of types', () => {
    let [loaded, planned] = [0, 0];
    const grown = (type: string) => GROWN[type]?.(3) ?? fc.constant('');
    const rules = fc.tuple(grown('bool'), grown('Money'), grown('Date'), grown('string'));
    fc.assert(
      fc.property(rules, fc.array(event, { minLength: 1, maxLength: 4 }), (parts, events) => {
        const document = `${SETTINGS.join('\n')}\n${yamlOf(ruleOf(...parts))}`;
        const result = loadRule(document, { tables: TABLES.keys() });
        // Everything grown has its type: what is refused is too costly or too long, or a literal that is none.
        if (!('rule' in result)) {
          for (const { message } of result.problems)
            expect(message).toMatch(
              /cost|too long|longer than|nested deeper|rounding is|is taken; use another|percent\(|convert\(|money\(|date\(/,
            );
          return;
        }
        loaded += 1;
        for (const each of events) {
          const outcome = planRule(result.rule, each, CONTEXT);
          if (!outcome.matched || 'plan' in outcome) planned += 1;
          else expect(outcome.refused.reason).not.toMatch(OF_TYPES);
        }
      }),
      { numRuns: propertyRuns(150) },
    );
    // The generators are worth something: many rules load, and many plans are made.
    expect(loaded).toBeGreaterThan(propertyRuns(150) / 3);
    expect(planned).toBeGreaterThan(propertyRuns(150) / 10);
  });
});

/** The members of a JSON object as members of a block of YAML. */
function yamlOf(json: string): string {
  return Object.entries(JSON.parse(json) as object)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join('\n');
}
