import { EVENT_BUDGET } from './cel/limits';
import { budgetExcess } from './event-budget';
import { compiled, problemsOf } from './fixtures';
import { inOrder } from './rule-order';
import { traitsOf, warningsOf } from './shared-keys';

function rule(name: string, members = '', conditions = '', key = '${order.key}') {
  return compiled(
    [
      `rule: ${name}`,
      ...(members === '' ? [] : [members]),
      `when: { event: order.paid${conditions === '' ? '' : `, all: ['${conditions}']`} }`,
      `then: [{ id: c, do: customer.ensure, key: "${key}", with: { name: x } }]`,
    ].join('\n'),
  );
}

const names = (rules: readonly { name: string }[]) => rules.map(({ name }) => name);

describe('the order of rules', () => {
  it('is that of their priorities from the highest down, then of their names', () => {
    const rules = [
      rule('b'),
      rule('z', 'priority: 10'),
      rule('c', 'priority: -1000'),
      rule('a'),
      rule('y', 'priority: 9'),
    ];
    expect(names(inOrder(rules))).toEqual(['z', 'y', 'a', 'b', 'c']);
  });

  it.each(['1.5', 'high', '1001', '-1001', "''", '[1]', '1e2'])('takes no priority %s', (priority) => {
    expect(
      problemsOf(
        `rule: a\npriority: ${priority}\nwhen: {event: order.paid}\nthen: [{id: c, do: customer.ensure, with: {name: x}}]`,
      ),
    ).toEqual([
      {
        line: 2,
        column: 11,
        message: '"priority" is a whole number from -1000 to 1000; rules with a higher one are tried first',
      },
    ]);
  });

  it.each(['yes', '1', "''", '[true]'])('takes no stop %s', (stop) => {
    expect(
      problemsOf(
        `rule: a\nstop: ${stop}\nwhen: {event: order.paid}\nthen: [{id: c, do: customer.ensure, with: {name: x}}]`,
      ),
    ).toEqual([{ line: 2, column: 7, message: '"stop" is true or false' }]);
  });

  it('reads both', () => {
    expect(rule('a', 'priority: -3\nstop: true')).toMatchObject({ priority: -3, stop: true });
    expect(rule('a', 'stop: false')).toMatchObject({ priority: 0, stop: false });
  });
});

describe('warnings', () => {
  const of = (own: Parameters<typeof traitsOf>[0], ...others: Parameters<typeof traitsOf>[0][]) =>
    warningsOf(traitsOf(own), others);

  it('tell of a key that another rule uses for the same', () => {
    expect(of(rule('a'), rule('b'))).toEqual([
      'step c: rule b uses the key ${order.key} for customer.ensure, too; where both apply, only one of them does anything',
    ]);
    expect(of(rule('a'), rule('b', '', '', '${order.number}'))).toEqual([]);
  });

  it('tell of no key of two rules that never both apply', () => {
    const first = rule('b', 'priority: 1\nstop: true', 'order.test');
    expect(of(rule('a'), first)).toEqual([]);
    expect(of(first, rule('a'))).toEqual([]);
    // The one that stops comes last.
    expect(of(rule('a'), rule('b', 'stop: true'))).toHaveLength(1);
  });

  it('tell of a key that is another than in the version in force', () => {
    expect(of(rule('a', '', '', '${order.number}'), rule('a'))).toEqual([
      'step c: the version in force has the key ${order.key} for customer.ensure; what was posted under that is posted again under this one when its order comes again',
    ]);
    expect(of(rule('a', 'priority: 1', 'order.test'), rule('a'))).toEqual([]);
  });

  describe('of a version that posts anew what was posted before', () => {
    const version = (...lines: string[]) => compiled(['rule: a', ...lines].join('\n'));
    const posting = (id: string, action: string, key: string, more = '') =>
      `  - { id: ${id}, do: ${action}, key: '${key}', with: { account: main, value: '\${order.total}', date: '\${order.createdAt.dateIn(org.timeZone)}', description: x${more} } }`;
    const SALE = `  - { id: sale, do: creditSchedule.ensure, key: '\${order.key}', with: { customer: '\${steps.c.id}', value: '\${order.total}', dueDate: '\${order.createdAt.dateIn(org.timeZone)}', description: x, category: '1' } }`;
    const CUSTOMER = '  - { id: c, do: customer.ensure, with: { name: x } }';
    const receipt = (id: string, key: string) =>
      `  - { id: ${id}, do: receipt.register, key: '${key}', with: { schedules: '\${steps.sale.all}', allocate: oldest-first, value: '\${order.total}', date: '\${order.createdAt.dateIn(org.timeZone)}', account: main } }`;
    const settled = (id: string, key: string, more = '') =>
      `  - { id: ${id}, do: receipt.settle, key: '${key}', with: { schedules: '\${steps.sale.all}', account: main, plan: '\${order.total.instalments(2, order.createdAt.dateIn(org.timeZone))}'${more} } }`;
    const paid = (...steps: string[]) =>
      version('when: { event: order.paid }', 'then:', CUSTOMER, SALE, ...steps);
    const again = (action: string, key: string, now: string) =>
      `the version in force posts by ${action} under the key ${key}; what was posted so is posted again by ${now} when its order comes again`;

    it('by another action, under whichever key', () => {
      const before = paid(receipt('money', '\${order.payment.key}'));
      const now = paid(settled('parts', '\${order.payment.key}/settlement'));
      expect(of(now, before)).toEqual([
        `step parts: ${again('receipt.register', '\${order.payment.key}', 'receipt.settle')}`,
      ]);
      const direct = paid(posting('direct', 'receipt.registerDirectly', '\${order.payment.key}'));
      expect(of(direct, before)).toEqual([
        `step direct: ${again('receipt.register', '\${order.payment.key}', 'receipt.registerDirectly')}`,
      ]);
    });

    it('by another action of the same step', () => {
      const before = paid(posting('fee', 'payment.register', '\${order.key}/fee'));
      const now = paid(posting('fee', 'receipt.registerDirectly', '\${order.key}/fee'));
      expect(of(now, before)).toEqual([
        `step fee: ${again('payment.register', '\${order.key}/fee', 'receipt.registerDirectly')}`,
      ]);
    });

    it('but not where it leaves out what stands under the key of before, or nothing was posted', () => {
      const before = paid(receipt('money', '\${order.payment.key}'));
      const unless = settled(
        'parts',
        '\${order.payment.key}/settlement',
        ", unless: '\${order.payment.key}'",
      );
      expect(of(paid(unless), before)).toEqual([]);
      expect(of(paid(posting('fee', 'payment.register', 'k')), before)).toEqual([]);
      expect(of(before, paid(receipt('money', '\${order.payment.key}'), unless))).toEqual([]);
      const raise =
        "  - { id: money, do: attention.raise, key: '\${order.key}', with: { code: rule-a, message: b } }";
      expect(of(paid(raise), before)).toEqual([]);
      expect(of(before, paid(raise))).toEqual([]);
    });

    it('under a key of the same text whose names mean something else', () => {
      const named = (key: string) =>
        version(
          'when: { event: order.paid }',
          `let: { k: '${key}', unused: '"x"' }`,
          'then:',
          posting('fee', 'payment.register', '\${k}/fee'),
        );
      expect(of(named('order.number'), named('order.key'))).toEqual([
        'step fee: the version in force has the key ${(order.key)}/fee for payment.register; what was posted under that is posted again under this one when its order comes again',
      ]);
      expect(of(named('order.key'), named('order.key'))).toEqual([]);
      const direct = version(
        'when: { event: order.paid }',
        'then:',
        posting('fee', 'payment.register', '\${(order.key)}/fee'),
      );
      expect(of(direct, named('order.key'))).toEqual([]);
    });

    it('but not where the element of a list, or what of the list is taken, is called otherwise', () => {
      const each = (name: string, list: string) =>
        version(
          'when: { event: order.refunded }',
          'then:',
          posting('back', 'payment.register', `\${${name}.key}`).replace(
            'do:',
            `forEach: { ${name}: '${list}' }, do:`,
          ),
        );
      const refunds = each('refund', 'order.refunds');
      expect(of(each('one', 'order.refunds.filter(r, !r.storeCredit)'), refunds)).toEqual([]);
      expect(of(each('refund', 'order.payments'), refunds)).toHaveLength(1);
    });
  });

  it('tell of a rule that is never tried', () => {
    const all = rule('all', 'priority: 1\nstop: true');
    expect(of(rule('a'), all)).toEqual([
      'this rule is never tried: rule all comes first, has no conditions, and stops',
    ]);
    expect(of(all, rule('a'), rule('first', 'priority: 2', '', 'k'))).toEqual([
      'rule a is never tried: this rule comes first, has no conditions, and stops',
    ]);
  });
});

describe('the budget of an event', () => {
  const costly = (stop: boolean, share: number) => ({
    ...{ event: 'order.paid' as const, stop, conditionsCost: 1 },
    cost: EVENT_BUDGET * share,
  });

  it('is for all rules that one event may come to', () => {
    expect(budgetExcess([costly(false, 0.6), costly(false, 0.6)])).toContain('could cost 1.2 times together');
    expect(budgetExcess([costly(false, 0.6), costly(false, 0.4)])).toBeUndefined();
  });

  it('counts of a rule that stops its conditions alone, or it as the last', () => {
    expect(budgetExcess([costly(true, 0.6), costly(true, 0.6), costly(false, 0.9)])).toBeUndefined();
    expect(budgetExcess([costly(false, 0.6), costly(true, 0.6)])).toContain('1.2 times');
  });
});
