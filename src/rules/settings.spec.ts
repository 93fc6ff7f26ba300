import fc from 'fast-check';
import { Money } from '../kernel/money';
import { brl, CONTEXT, ORGANIZATION, paidOrder, TABLES } from './fixtures';
import { loadRule } from './load-rule';
import { planRule } from './plan-rule';
import { type RuleSetting, SETTING_TYPES, settingProblem, type SettingTexts } from './rule-settings';

const RULE = [
  'rule: fee', // 1
  'settings:', // 2
  "  rate: { type: percentage, default: '4.99', description: what the acquirer keeps }", // 3
  '  isBooked: { type: bool, default: true, description: whether the fee is booked }', // 4
  '  days: { type: int, default: 3, description: days until it is due }', // 5
  "  least: { type: Money, default: '1.00', description: the smallest fee }", // 6
  '  basis: { type: choice, of: [cash, accrual], default: cash, description: how it is posted }', // 7
  "  note: { type: text, default: '', description: stands before the number }", // 8
  'when:', // 9
  '  event: order.paid', // 10
  '  all: [settings.isBooked, settings.basis != "accrual"]', // 11
  'let:', // 12
  '  paidOn: order.payment.paidAt.dateIn(org.timeZone)', // 13
  '  fee: order.total.percent(settings.rate, "half-up")', // 14
  'then:', // 15
  '  - id: fee', // 16
  '    do: payment.register', // 17
  '    key: ${order.payment.key}/fee', // 18
  '    with:', // 19
  '      account: main', // 20
  "      value: '${fee < settings.least ? settings.least : fee}'", // 21
  '      date: ${paidOn.addDays(settings.days)}', // 22
  '      description: ${settings.note}${order.number}', // 23
];

function withLine(line: number, ...replacement: string[]): string {
  return [...RULE.slice(0, line - 1), ...replacement, ...RULE.slice(line)].join('\n');
}

function load(document: string, set: SettingTexts = {}) {
  return loadRule(document, { tables: TABLES.keys(), settings: new Map([['fee', set]]) });
}

function problems(document: string, set?: SettingTexts): string[] {
  const loaded = load(document, set);
  return 'rule' in loaded
    ? []
    : loaded.problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

/** What the rule pays, when and for what, with this set. */
function planned(set: SettingTexts = {}, currency = 'BRL') {
  const loaded = load(RULE.join('\n'), set);
  if (!('rule' in loaded)) throw new Error(JSON.stringify(loaded.problems));
  const total = Money.parse('100', currency);
  const event = paidOrder({ total });
  const outcome = planRule(loaded.rule, event, {
    ...CONTEXT,
    organization: { ...ORGANIZATION, currency },
  });
  if (!outcome.matched) return undefined;
  if ('refused' in outcome) return outcome.refused.reason;
  const input = outcome.plan.steps[0]?.effects[0]?.input;
  return input && 'value' in input && 'date' in input && 'description' in input
    ? [input.value, input.date, input.description]
    : undefined;
}

describe('settings of a rule', () => {
  it('have their defaults where nothing is set', () => {
    expect(planned()).toEqual(['4.99', '2026-03-07', '#1001']);
  });

  it('have what is set, by their types', () => {
    expect(planned({ rate: '0.5', days: '-1', note: 'Fee of ' })).toEqual([
      '1.00',
      '2026-03-03',
      'Fee of #1001',
    ]);
    expect(planned({ isBooked: 'false' })).toBeUndefined();
    expect(planned({ basis: 'accrual' })).toBeUndefined();
  });

  it('are no longer asked for what the rule does not declare', () => {
    expect(planned({ earlier: 'x' })).toEqual(['4.99', '2026-03-07', '#1001']);
  });

  it('refuse the event where an amount does not fit the currency', () => {
    expect(planned({ least: '1.50' }, 'JPY')).toBe('settings.least: more than 0 decimals for JPY');
  });

  it.each<[string, string, string]>([
    [
      'an unknown type',
      withLine(5, '  days: { type: integer, default: 3, description: x }'),
      '5:17 there is no type "integer" of settings; there are text, bool, int, Money, percentage, choice',
    ],
    [
      'a default of another type',
      withLine(5, '  days: { type: int, default: three, description: x }'),
      '5:31 the default of the setting "days" does not fit its type: it is a whole number such as 3',
    ],
    [
      'no default',
      withLine(5, '  days: { type: int, description: x }'),
      '5:9 the setting "days" needs a member "default"',
    ],
    [
      'no description',
      withLine(5, '  days: { type: int, default: 3 }'),
      '5:9 the setting "days" needs a member "description"',
    ],
    [
      'a choice of nothing',
      withLine(7, '  basis: { type: choice, default: cash, description: x }'),
      '7:10 the setting "basis" is a choice and needs a member "of": the list of what to choose from',
    ],
    [
      'a default that is not among the choices',
      withLine(7, '  basis: { type: choice, of: [cash, accrual], default: both, description: x }'),
      '7:56 the default of the setting "basis" does not fit its type: it is cash or accrual',
    ],
    [
      'choices of something else',
      withLine(5, '  days: { type: int, of: [1, 2], default: 1, description: x }'),
      '5:22 only a setting of type choice has "of"',
    ],
    [
      'a misspelt name',
      withLine(11, '  all: [settings.isBoked]'),
      '11:18 the rule declares no setting "isBoked"; did you mean "isBooked"?',
    ],
    [
      'a setting used as another type',
      withLine(11, '  all: [settings.days > money("0.00")]'),
      '11:9 int > Money is not possible; an amount is written money("0.00")',
    ],
    [
      'a name that is none',
      withLine(5, '  Days: { type: int, default: 3, description: x }').replace('settings.days', '3'),
      "5:3 a setting's name begins with a lower-case letter and goes on with letters, digits and _",
    ],
  ])('cannot be declared or used with %s', (_what, document, problem) => {
    expect(problems(document)).toContain(problem);
  });

  it('are a name like any other where the rule declares none', () => {
    const document = [
      ...RULE.slice(0, 1),
      ...RULE.slice(8, 10),
      'let: { settings: order.number }',
      ...RULE.slice(14, 20),
    ];
    const rest = [
      '      value: ${order.total}',
      "      date: ${date('2026-01-31')}",
      '      description: ${settings}',
    ];
    expect(problems([...document, ...rest].join('\n'))).toEqual([]);
    const without = [...document.filter((line) => !line.startsWith('let')), ...rest].join('\n');
    expect(problems(without)).toEqual([
      '12:22 "settings" cannot be used here: the rule declares none; add "settings" to it',
    ]);
  });

  it('refuse a version that what is set does not fit', () => {
    expect(problems(RULE.join('\n'), { basis: 'both' })).toEqual([
      '7:10 what the organization has set for "basis" does not fit here: it is cash or accrual; set it anew first, or take it back',
    ]);
  });
});

describe('a value of a setting', () => {
  it.each<[RuleSetting['type'], string, string | undefined]>([
    ['text', '', undefined],
    ['text', 'x'.repeat(501), 'it has at most 500 characters'],
    ['text', 'a\u0000b', 'it holds a character that cannot be printed'],
    ['bool', 'true', undefined],
    ['bool', 'yes', 'it is true or false'],
    ['int', '-3', undefined],
    ['int', '2.0', 'it is a whole number such as 3'],
    ['int', '9'.repeat(19), 'it is a whole number such as 3'],
    ['Money', '12.34', undefined],
    ['Money', '12.345', 'it is an amount such as 10.00: more than 2 decimals for BRL'],
    ['percentage', '4.99', undefined],
    ['percentage', '-1', 'a percentage is 0 to 1000 with at most six decimals'],
    ['choice', 'cash', undefined],
    ['choice', 'Cash', 'it is cash or accrual'],
  ])('of type %s: %p', (type, value, problem) => {
    expect(settingProblem({ type, of: ['cash', 'accrual'] }, value, 'BRL')).toBe(problem);
  });

  it('that is taken can be read by a rule', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SETTING_TYPES), fc.string(), fc.integer(), (type, text, number) => {
        const of = ['a', 'b'];
        for (const value of [text, String(number), 'true', 'b']) {
          if (settingProblem({ type, of }, value) !== undefined) continue;
          const document = `rule: fee\nsettings: { x: { type: ${type}, ${type === 'choice' ? 'of: [a, b], ' : ''}default: ${{ text: 't', bool: 'true', int: '1', Money: '1', percentage: '1', choice: 'a' }[type]}, description: d } }\nwhen: { event: order.paid, all: [settings.x == settings.x] }\nthen: [{ id: a, do: customer.ensure, with: { name: b } }]`;
          const loaded = load(document, { x: value });
          if (!('rule' in loaded)) throw new Error(loaded.problems[0]?.message);
          const outcome = planRule(loaded.rule, paidOrder({ total: brl('1.00') }), {
            ...CONTEXT,
            organization: { ...ORGANIZATION, currency: 'KWD' },
          });
          expect(outcome).toMatchObject({ matched: true, plan: {} });
        }
      }),
    );
  });
});
