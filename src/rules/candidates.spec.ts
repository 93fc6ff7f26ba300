import type { OrderFacts } from '../events/event';
import { Money } from '../kernel/money';
import { Candidates } from './candidates';
import { brl, compiled, CONTEXT, ORGANIZATION, paidOrder } from './fixtures';
import { EventNames, planRule } from './plan-rule';
import { inOrder } from './rule-order';

function rule(name: string, conditions: string | readonly string[] = [], members = '') {
  return compiled(
    [
      `rule: ${name}`,
      members,
      `when: { event: order.paid, all: ${JSON.stringify([conditions].flat())} }`,
      'then: [{ id: c, do: customer.ensure, with: { name: x } }]',
    ].join('\n'),
  );
}

function left(candidates: Candidates, order: Partial<OrderFacts> = {}, currency = 'BRL'): string[] {
  const context = { ...CONTEXT, organization: { ...ORGANIZATION, currency } };
  return candidates.of(new EventNames(paidOrder(order), context).shared).map(({ name }) => name);
}

const LEAST = 'settings: { least: { type: Money, default: "99.50", description: d } }';
const COUNT = 'settings: { count: { type: int, default: "2", description: d } }';

describe('candidates by text', () => {
  const rules = inOrder([
    rule('any'),
    rule('by-amount', 'order.total > money("1.00")'),
    rule('pagbank', 'order.payment.gateway == "pagbank"', 'priority: 5'),
    rule('other', '"stone" == order.payment.gateway'),
    rule('by-method', 'order.payment.method == "pix"'),
    rule(
      'set',
      'order.payment.gateway == "stone"',
      'settings: { x: { type: bool, default: true, description: d } }',
    ),
  ]);

  it('are the rules that what the event says leaves over, in their order', () => {
    expect(left(new Candidates(rules))).toEqual(['pagbank', 'any', 'by-amount', 'by-method', 'set']);
  });

  it('are all of a path that cannot be read, so that the refusal is said', () => {
    expect(left(new Candidates(rules), { payment: undefined })).toEqual(rules.map(({ name }) => name));
  });
});

describe('candidates by numbers and amounts', () => {
  it.each([
    ['order.total > money("99.99")', true],
    ['order.total > money("100.00")', false],
    ['order.total >= money("100")', true],
    ['order.total >= money("100.01")', false],
    ['order.total < money("100.01")', true],
    ['order.total < money("100.00")', false],
    ['order.total <= money("100.00")', true],
    ['order.total <= money("99.99")', false],
    ['order.total == money("100.00")', true],
    ['order.total == money("-100.00")', false],
    ['money("99.99") < order.total', true],
    ['money("100.00") < order.total', false],
    ['money("100.00") >= order.total', true],
    ['money("99.99") >= order.total', false],
    ['order.instalments > 2', true],
    ['order.instalments > 3', false],
    ['4 <= order.instalments', false],
    ['order.lines.size() == 2', true],
    ['order.lines.size() == 3', false],
    ['order.total - order.payment.value > money("0.00")', false],
    ['order.instalments > 9223372036854775807', false],
    ['!(order.total < money("100.00"))', true],
    ['!(order.total >= money("100.00"))', false],
    ['!!(order.total > money("100.00"))', false],
    ['order.total > money("1.00") && order.total < money("100.00")', false],
    ['order.total > money("1.00") && order.total < money("100.01")', true],
    ['has(order.payment) && (order.test || true) && order.total > money("100.00")', false],
    ['!(order.test || order.total < money("200.00"))', false],
    ['order.paidAt > order.createdAt && order.payment.gateway == "stone"', false],
  ])('leave a rule over only where it may apply: %s', (condition, isLeft) => {
    expect(left(new Candidates([rule('a', condition)]))).toEqual(isLeft ? ['a'] : []);
  });

  it.each([
    'order.total != money("100.00")',
    'order.test || order.total > money("100.00")',
    '!(order.total > money("1.00") && order.total > money("2.00"))',
    'order.test ? order.total > money("100.00") : order.total > money("1.00")',
    'order.total > order.payment.value',
    'order.payment.gateway != "pagbank"',
  ])('leave over what no single comparison decides: %s', (condition) => {
    expect(left(new Candidates([rule('a', condition)]))).toEqual(['a']);
  });

  it('are of both a text and an amount, of one condition or of several', () => {
    const rules = [
      rule('low', ['order.payment.gateway == "pagbank"', 'order.total < money("50.00")']),
      rule('high', 'order.payment.gateway == "pagbank" && order.total >= money("50.00")'),
      rule('other', ['order.total >= money("50.00")', 'order.payment.gateway == "stone"']),
      rule('some', ['order.total >= money("50.00")', 'order.instalments < 3']),
    ];
    expect(left(new Candidates(rules))).toEqual(['high']);
  });

  it('are all where the value is absent, in another currency, or cannot be read', () => {
    const candidates = new Candidates([
      rule('total', 'order.total > money("100.00")'),
      rule('fee', 'order.payment.fee < money("0.00")'),
      rule('lines', 'order.lines.size() > 500'),
    ]);
    const all = ['total', 'fee', 'lines'];
    expect(left(candidates)).toEqual(['fee']);
    expect(left(candidates, { total: Money.parse('1.00', 'USD') })).toEqual(['total', 'fee']);
    expect(left(candidates, { total: '1.00' as never })).toEqual(['total', 'fee']);
    const [line] = paidOrder().order.lines;
    const lines = Array.from({ length: 501 }, () => line!);
    expect(left(candidates, { total: undefined as never, lines })).toEqual(all);
  });

  it('follow the currency of the organization, and leave over an amount that does not fit it', () => {
    const candidates = new Candidates([
      rule('whole', 'order.total > money("1000")'),
      rule('cents', 'order.total > money("1000.50")'),
    ]);
    const yen = { total: Money.parse('900', 'JPY') };
    expect(left(candidates, { total: brl('900.00') })).toEqual([]);
    expect(left(candidates, yen, 'JPY')).toEqual(['cents']);
    expect(left(candidates, { total: brl('1000.50') })).toEqual(['whole']);
    expect(left(candidates, yen)).toEqual(['whole', 'cents']);
  });

  it('are found by what is set on each rule', () => {
    const candidates = new Candidates([
      rule('low', 'order.total > settings.least', LEAST),
      rule('high', 'settings.least.percent("200", "half-up") > order.total', LEAST),
      rule('same', 'settings.least == order.total', LEAST),
      rule('many', '!(order.instalments <= settings.count)', COUNT),
      rule('few', 'order.instalments < settings.count', COUNT),
      rule('other', 'order.total > money("100.00")', COUNT),
    ]);
    expect(left(candidates)).toEqual(['low', 'high', 'many']);
    expect(left(candidates, { total: brl('99.50'), instalments: 2 })).toEqual(['high', 'same']);
  });

  it('are all rules whose settings do not fit the currency, whatever their conditions, so that this is said', () => {
    const candidates = new Candidates([
      rule('set', ['order.total > money("1000")', 'order.total > settings.least'], LEAST),
      rule('text', 'order.payment.gateway == "stone"', LEAST),
      rule('not-set', 'order.total > money("1000")'),
    ]);
    expect(left(candidates, { total: Money.parse('900', 'JPY') }, 'JPY')).toEqual(['set', 'text']);
  });
});

describe('conditions of candidates', () => {
  it('are one where they are written alike, and come to the same for each rule', () => {
    const rules = [
      rule('a', ['!order.test', 'order.total > money("1.00")']),
      rule('b', ['order.instalments > 1', '!order.test']),
    ];
    const [a, b] = new Candidates(rules).of(new EventNames(paidOrder(), CONTEXT).shared);
    expect(a?.conditions[0]).toBe(b?.conditions[1]);
    expect(a?.conditions.map(({ source }) => source)).toEqual(
      rules[0]?.conditions.map(({ source }) => source),
    );
    expect([a, b].map((own) => own && planRule(own, paidOrder({ test: true }), CONTEXT).matched)).toEqual([
      false,
      false,
    ]);
  });

  it('are those of each rule where they read what is set on it', () => {
    const set = (name: string, least: string) =>
      rule(
        name,
        ['!order.test', 'order.total >= settings.least || order.test'],
        LEAST.replace('99.50', least),
      );
    const tried = new Candidates([set('low', '1.00'), set('high', '100.01')]).of(
      new EventNames(paidOrder(), CONTEXT).shared,
    );
    const [low, high] = tried.map(({ conditions }) => conditions);
    expect(low?.[0]).toBe(high?.[0]);
    expect(tried.map((own) => planRule(own, paidOrder(), CONTEXT).matched)).toEqual([true, false]);
  });
});
