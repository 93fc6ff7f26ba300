import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Money } from '../kernel/money';
import { brl, compiled, CONTEXT, paidOrder, problemsOf, ruleNaming, run, textOf } from './fixtures';
import { planRule } from './plan-rule';

const usd = (text: string) => Money.parse(text, 'USD');
const abroad = paidOrder({ total: usd('10.00') });

describe('convert', () => {
  it('makes an amount of the organization by a table of rates', () => {
    const template = '${string(order.total.convert(tables.rates[order.total.currency], "half-even"))}';
    expect(textOf(template, abroad)).toBe('54.32');
    expect(textOf(template, paidOrder({ total: Money.parse('1000', 'JPY') }))).toBe('34.50');
  });

  it('leaves an amount of the organization as it is, and asks for no rate', () => {
    expect(textOf('${string(order.total.convert(tables.rates[order.total.currency], "up"))}')).toBe('100.00');
  });

  it('says which rate is missing', () => {
    const template = '${string(order.total.convert(tables.rates[order.total.currency], "half-even"))}';
    expect(textOf(template, paidOrder({ total: Money.parse('1.00', 'EUR') }))).toEqual({
      refused: 'input "name": table rates has no entry for "EUR" and no default',
    });
  });

  it.each(['', 'let:\n  month: string(order.createdAt.dateIn("UTC")).substring(0, 7)\n'])(
    'says which rate of which month is missing: %j',
    (names) => {
      const month = names === '' ? 'string(order.createdAt.dateIn("UTC")).substring(0, 7)' : 'month';
      const rate = `tables.rates[order.total.currency + " " + ${month}]`;
      const template = `\${string(order.total.convert(${rate}, "half-even"))}`;
      const euros = paidOrder({ total: Money.parse('1.00', 'EUR') });
      expect(run(ruleNaming(template).replace('then:', `${names}then:`), euros)).toMatchObject({
        refused: { reason: expect.stringContaining('has no entry for "EUR 2026-03" and no default') },
      });
    },
  );

  it('refuses a rate that is none, where it comes from the event', () => {
    const template = '${string(order.total.convert(order.number, "half-even"))}';
    expect(textOf(template, abroad)).toEqual({
      refused: expect.stringContaining('a rate is decimal text above zero') as string,
    });
    expect(textOf('${string(order.total.convert("2", order.number))}', abroad)).toEqual({
      refused: 'input "name": rounding is half-up, half-even, up, down',
    });
  });

  it.each([
    [
      'order.total.convert("0", "up")',
      'convert("0"): a rate is decimal text above zero such as "5.4321", with at most nine digits and twelve decimals',
    ],
    ['order.total.convert("2", "near")', 'rounding is half-up, half-even, up, down'],
    [
      'order.total.convert(2.0, "up")',
      'Money.convert(double, string) is not possible; it is Money.convert("5.4321", "half-up") : Money',
    ],
    [
      'order.number.convert("2", "up")',
      'string.convert(string, string) is not possible; it is Money.convert("5.4321", "half-up") : Money',
    ],
    ['order.total.convert(order.nmber, "up")', 'Order has no field "nmber"; did you mean "number"?'],
  ])('is checked when the rule is loaded: %s', (expression, message) => {
    expect(problemsOf(ruleNaming(`\${string(${expression})}`)).map((problem) => problem.message)).toEqual([
      message,
    ]);
  });

  it('books an order abroad by the rule of the guide', () => {
    const guide = readFileSync(join(__dirname, '../../docs/rules.md'), 'utf8');
    const [, document = ''] = /```yaml rule\n(rule: paid-abroad[\s\S]*?)```/.exec(guide) ?? [];
    const { payment } = paidOrder().order;
    const event = paidOrder({ total: usd('10.00'), payment: payment && { ...payment, value: usd('10.00') } });
    const outcome = planRule(compiled(document), event, CONTEXT);
    expect(outcome).toMatchObject({
      matched: true,
      plan: {
        steps: [
          {},
          { effects: [{ amount: '54.32', input: { description: 'shop order #1001, 10.00 USD' } }] },
          { effects: [{ amount: '54.32' }] },
        ],
      },
    });
    expect(planRule(compiled(document), paidOrder(), CONTEXT)).toMatchObject({
      matched: true,
      plan: { steps: [{}, { effects: [{ amount: '100.00' }] }, {}] },
    });
  });
});

describe('allocate', () => {
  it('allocates over the lines of an order', () => {
    expect(
      textOf('${order.total.allocate(order.lines.map(l, l.price)).map(part, string(part)).join(" ")}'),
    ).toBe('42.86 57.14');
  });

  it.each([
    ['${string(order.total.allocate([])[0])}', 'the list is empty'],
    ['${string(order.total.allocate([money("0.00")])[0])}', 'every weight is zero'],
    ['${string(order.total.allocate([money("1.00"), money("-1.00")])[0])}', 'weights of zero or more'],
  ])('refuses %s', (template, reason) => {
    expect(textOf(template)).toEqual({ refused: expect.stringContaining(reason) as string });
  });

  it('takes amounts alone', () => {
    expect(
      problemsOf(ruleNaming('${string(order.total.allocate([1, 2])[0])}')).map(({ message }) => message),
    ).toEqual(['Money.allocate(list<int>) is not possible; it is Money.allocate(list<Money>) : list<Money>']);
  });

  it('costs as much as there are weights', () => {
    const { cost } = compiled(ruleNaming('${string(order.total.allocate([order.total, order.total])[0])}'));
    const { cost: large } = compiled(
      ruleNaming('${string(order.total.allocate(order.lines.map(l, l.price))[0])}'),
    );
    expect(large).toBeGreaterThan(cost * 50);
    expect(brl('1.00').allocate([brl('1.00')])).toHaveLength(1);
  });
});
