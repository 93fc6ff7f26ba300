import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CanonicalEvent, DisputeEvent, OrderFacts, PayoutEvent, RefundFacts } from '../events/event';
import { Money } from '../kernel/money';
import { brl, CONTEXT, paidOrder, problemsOf, ruleNaming, TABLES, textOf } from './fixtures';
import { loadRule } from './load-rule';
import type { PlannedStep } from './plan';
import { planRule } from './plan-rule';

function shipped(name: string): string {
  const [of, cash] = ['rules', 'profiles/cash'].map((folder) =>
    join(__dirname, '../../config', folder, `${name}.yaml`),
  ) as [string, string];
  return readFileSync(existsSync(of) ? of : cash, 'utf8');
}

/** What the rule would do for the event: its steps, or the sentence why there are none. */
function stepsOf(document: string, event: CanonicalEvent): PlannedStep[] | string {
  const loaded = loadRule(document, { tables: TABLES.keys() });
  if ('problems' in loaded) throw new Error(loaded.problems.map(({ message }) => message).join('; '));
  const outcome = planRule(loaded.rule, event, CONTEXT);
  if (!outcome.matched) return 'not matched';
  return 'refused' in outcome ? outcome.refused.reason : outcome.plan.steps;
}

function refund(id: string, value: string, more: Partial<RefundFacts> = {}): RefundFacts {
  return {
    key: `shop/order/1001/refund/${id}`,
    value: brl(value),
    gateway: 'pagbank',
    refundedAt: new Date('2026-03-07T01:00:00Z'),
    ...more,
  };
}

function refunded(refunds: RefundFacts[], facts: Partial<OrderFacts> = {}): CanonicalEvent {
  return { ...paidOrder({ refunds, ...facts }), type: 'order.refunded' };
}

function problems(step: string): string[] {
  const rule = `rule: r\nwhen: { event: order.refunded }\nthen:\n  - ${step}\n`;
  return problemsOf(rule).map(({ message }) => message);
}

const PAY =
  "do: payment.register, with: { account: main, value: '${order.total}', date: '${date(\"2026-01-31\")}', description: d }";

describe('a step with forEach', () => {
  it('has an effect for each element, in their order, each with its own key', () => {
    const steps = stepsOf(shipped('order-refunded'), refunded([refund('1', '20.00'), refund('2', '5.50')]));
    expect(steps).toEqual([
      {
        id: 'refund',
        action: 'payment.register',
        effects: [
          ['1', '20.00'],
          ['2', '5.50'],
        ].map(([id, amount]) => ({
          key: `payment/shop/order/1001/refund/${id}`,
          operation: 'payment.register',
          amount,
          input: {
            account: 'pagbank-account',
            value: amount,
            date: '2026-03-06',
            description: 'Refund of shop order #1001',
            reference: `shop/order/1001/refund/${id}`,
            category: '2.1.06',
          },
        })),
      },
    ]);
  });

  it('leaves out the elements for which its condition is false', () => {
    const refunds = [refund('1', '20.00', { storeCredit: true }), refund('2', '5.00')];
    const steps = stepsOf(shipped('order-refunded'), refunded(refunds));
    expect(steps).toMatchObject([{ effects: [{ amount: '5.00' }] }]);
  });

  it('is left out where nothing is left of the list', () => {
    expect(stepsOf(shipped('order-refunded'), refunded([]))).toEqual([]);
  });

  it('refuses the rule as a whole where one element cannot be booked', () => {
    const foreign = refund('2', '1.00', { value: Money.parse('1.00', 'USD') });
    expect(stepsOf(shipped('order-refunded'), refunded([refund('1', '20.00'), foreign]))).toBe(
      'the value is in USD, but the books are kept in BRL',
    );
  });

  it('is refused for more elements than one event has on an ordinary day', () => {
    const many = Array.from({ length: 101 }, (_, index) => refund(String(index), '0.01'));
    expect(stepsOf(shipped('order-refunded'), refunded(many))).toContain('101 elements');
  });

  it.each([
    [`{ id: x, forEach: order.refunds, key: k, ${PAY} }`, '"forEach" must be a map of names and values'],
    [
      `{ id: x, forEach: {}, key: k, ${PAY} }`,
      '"forEach" takes the name of an element and the list it is from',
    ],
    [
      `{ id: x, forEach: { r: order.total }, key: '\${order.key}', ${PAY} }`,
      '"forEach" takes a list such as order.refunds, not Money',
    ],
    [`{ id: x, forEach: { order: order.refunds }, key: k, ${PAY} }`, 'the name "order" is taken'],
    [
      `{ id: x, forEach: { Refund: order.refunds }, key: k, ${PAY} }`,
      'a name begins with a lower-case letter',
    ],
    [
      `{ id: x, forEach: { r: order.refunds }, key: '\${order.key}', ${PAY} }`,
      'with "forEach" a step needs a "key" that names the element, for example ${r.key}',
    ],
    [`{ id: x, forEach: { r: order.refunds }, ${PAY} }`, 'with "forEach" a step needs a "key"'],
    [`{ id: x, forEach: { r: order.refunds }, key: '\${r.kee}', ${PAY} }`, 'did you mean "key"?'],
    [`{ id: x, if: order.total, key: k, ${PAY} }`, 'it must give bool, but gives Money'],
    [`{ id: x, if: '\${order.test}', key: k, ${PAY} }`, 'without "${" and "}"'],
  ])('says what is wrong with %s', (step, message) => {
    expect(problems(step)).toEqual(expect.arrayContaining([expect.stringContaining(message)]));
  });

  it('gives the name of its element to no other step, and no output', () => {
    const rule = `
rule: r
when: { event: order.refunded }
then:
  - id: each
    forEach: { r: order.refunds }
    do: customer.ensure
    key: \${r.key}
    with: { name: a }
  - id: later
    do: payment.register
    key: \${r.key}
    with: { account: main, value: '\${order.total}', date: '\${date("2026-01-31")}', description: d, customer: '\${steps.each.id}' }
`;
    expect(problemsOf(rule).map(({ message }) => message)).toEqual([
      'unknown name "r"',
      'the step "each" is done for each element of a list, so no single output stands for it: take one of a step without "forEach"',
    ]);
  });

  it('counts what an element may cost as often as there may be elements', () => {
    const dear = 'order.lines.exists(l, l.title.contains("x"))';
    const rule = (each: string) => `rule: r
when: { event: order.refunded }
then:
  - { id: x, ${each} if: '${dear}', key: '\${${each ? 'r' : 'order'}.key}', ${PAY} }
`;
    expect(problemsOf(rule(''))).toEqual([]);
    expect(problemsOf(rule('forEach: { r: order.refunds },')).map(({ message }) => message)).toEqual([
      expect.stringContaining('could cost more together'),
    ]);
  });
});

it('books no refund of an order that nothing calls paid, nor of a test order', () => {
  const refunds = [refund('1', '20.00')];
  expect(stepsOf(shipped('order-refunded'), refunded(refunds, { paidAt: undefined }))).toBe('not matched');
  expect(stepsOf(shipped('order-refunded'), refunded(refunds, { test: true }))).toBe('not matched');
});

describe('a step with if', () => {
  const PAID = shipped('order-paid');
  const ids = (event: CanonicalEvent) => {
    const steps = stepsOf(PAID, event);
    return typeof steps === 'string' ? steps : steps.map(({ id }) => id);
  };
  const payment = paidOrder().order.payment!;

  it('is done where its condition is true', () => {
    expect(ids(paidOrder())).toEqual(['customer', 'schedule', 'receipt']);
  });

  it('books no receipt where store credit paid', () => {
    expect(ids(paidOrder({ payment: { ...payment, storeCredit: true } }))).toEqual(['customer', 'schedule']);
  });

  it('books a fee from the account that was paid, where there is one', () => {
    const feeOf = (changes: object) =>
      stepsOf(shipped('payment-fee'), paidOrder({ payment: { ...payment, ...changes } }));
    expect(feeOf({})).toBe('not matched');
    expect(feeOf({ fee: brl('4.99'), storeCredit: true })).toBe('not matched');
    expect(feeOf({ fee: brl('4.99') })).toMatchObject([
      {
        id: 'fee',
        effects: [
          {
            key: 'payment/shop/order/1001/payment/1/fee',
            amount: '4.99',
            input: { account: 'pagbank-account', category: '2.1.04', date: '2026-03-04' },
          },
        ],
      },
    ]);
  });

  it('takes the steps with it that hand on its outputs', () => {
    const rule = `
rule: r
when: { event: order.paid }
then:
  - { id: customer, if: order.test, do: customer.ensure, with: { name: a } }
  - id: schedule
    do: creditSchedule.ensure
    key: \${order.key}
    with: { customer: '\${steps.customer.id}', value: '\${order.total}', dueDate: '\${date("2026-01-31")}', description: d }
  - id: receipt
    do: receipt.register
    key: \${order.payment.key}
    with: { schedules: '\${steps.schedule.all}', allocate: oldest-first, value: '\${order.total}', date: '\${date("2026-01-31")}', account: main }
  - { id: other, do: customer.ensure, with: { name: b } }
`;
    expect(stepsOf(rule, paidOrder())).toMatchObject([{ id: 'other' }]);
    expect(stepsOf(rule, paidOrder({ test: true }))).toHaveLength(4);
  });

  it('refuses the rule where its condition cannot be computed', () => {
    const rule = `
rule: r
when: { event: order.refunded }
then:
  - { id: customer, if: order.payment.value > money("1.00"), do: customer.ensure, with: { name: a } }
`;
    expect(stepsOf(rule, refunded([], { payment: undefined }))).toBe(
      '"if": order.payment is absent; test has(order.payment) first',
    );
  });
});

describe('the rule for payouts', () => {
  const payout: PayoutEvent = {
    type: 'payout.paid',
    key: 'shop/payout/9',
    occurredAt: new Date('2026-03-10T12:00:00Z'),
    payout: {
      key: 'shop/payout/9',
      source: 'shop',
      id: '9',
      gateway: 'pagbank',
      value: brl('950.01'),
      paidAt: new Date('2026-03-10T12:00:00Z'),
      test: false,
    },
    raw: {},
  };

  it("moves the money from the gateway's account to the bank's", () => {
    expect(stepsOf(shipped('payout-paid'), payout)).toEqual([
      {
        id: 'payout',
        action: 'transfer.make',
        effects: [
          {
            key: 'transfer/shop/payout/9',
            operation: 'transfer.make',
            amount: '950.01',
            input: { from: 'pagbank-account', to: 'main', value: '950.01', date: '2026-03-10' },
          },
        ],
      },
    ]);
  });

  it('moves nothing of a test', () => {
    const test = { ...payout, payout: { ...payout.payout, test: true } };
    expect(stepsOf(shipped('payout-paid'), test)).toBe('not matched');
  });

  it('has no customer: a step that makes one without a key or a document is refused', () => {
    const rule = (more: string) => `rule: r
when: { event: payout.paid }
then: [{ id: a, do: customer.ensure, ${more}with: { name: a } }]`;
    expect(stepsOf(rule(''), payout)).toContain('the event is about no customer');
    expect(stepsOf(rule('key: k, '), payout)).toHaveLength(1);
  });

  it('moves nothing where both are one account', () => {
    const other = { ...payout, payout: { ...payout.payout, gateway: 'stone' } };
    expect(stepsOf(shipped('payout-paid'), other)).toBe('not matched');
  });
});

describe('the rule for chargebacks', () => {
  const openedAt = new Date('2026-03-10T12:00:00Z');
  const dispute = (facts: Partial<DisputeEvent['dispute']>): DisputeEvent => ({
    ...{ type: 'payment.disputed', key: 'shop/dispute/5', occurredAt: openedAt, raw: {} },
    dispute: {
      ...{ key: 'shop/dispute/5', source: 'shop', id: '5', gateway: 'pagbank', value: brl('80.00') },
      ...{ state: 'open', openedAt, test: false, ...facts },
    },
  });
  const closedAt = new Date('2026-04-01T12:00:00Z');
  const keys = (event: DisputeEvent) => {
    const steps = stepsOf(shipped('payment-disputed'), event);
    return typeof steps === 'string' ? steps : steps.flatMap(({ effects }) => effects.map(({ key }) => key));
  };

  it('books the money that was taken, and what comes back where it is won', () => {
    expect(keys(dispute({}))).toEqual(['payment/shop/dispute/5']);
    expect(keys(dispute({ state: 'lost', closedAt }))).toEqual(['payment/shop/dispute/5']);
    expect(keys(dispute({ state: 'won', closedAt }))).toEqual([
      'payment/shop/dispute/5',
      'direct-receipt/shop/dispute/5/won',
    ]);
    expect(keys(dispute({ test: true }))).toBe('not matched');
  });
});

describe('functions of amounts and dates', () => {
  const named = (expression: string) => textOf('${string(' + expression + ')}');

  it.each([
    ['order.total.percent("4.39", "half-up")', '4.39'],
    ['order.total.minus(order.payments.map(p, p.value))', '0.00'],
    ['order.total.plus([money("0.01"), money("-2.00")])', '98.01'],
    ['order.total.percent("0.125", "half-even") + money("0.39")', '0.51'],
    ['date("2026-02-10").endOfMonth()', '2026-02-28'],
    ['date("2026-02-14").nextBusinessDay()', '2026-02-18'],
    ['date("2026-02-13").addBusinessDays(2)', '2026-02-19'],
    [
      'date("2026-02-13").addBusinessDays(5000)',
      { refused: expect.stringContaining('at most 400 business days') as string },
    ],
    [
      'order.total.percent(order.number, "up")',
      { refused: expect.stringContaining('a percentage is 0 to 1000') as string },
    ],
    [
      'order.total.percent("1", order.number)',
      { refused: expect.stringContaining('rounding is half-up') as string },
    ],
  ])('%s', (expression, expected) => {
    expect(named(expression)).toEqual(expected);
  });

  it.each([
    [
      'order.total.percent("4,39", "up")',
      'percent("4,39"): a percentage is 0 to 1000 with at most six decimals',
    ],
    ['order.total.percent("4.39", "nearest")', 'rounding is half-up, half-even, up, down'],
    ['order.total.percent(4.39, "up")', 'percent'],
  ])('says what is wrong with %s when the rule is loaded', (expression, message) => {
    expect(problemsOf(ruleNaming('${string(' + expression + ')}')).map((problem) => problem.message)).toEqual(
      [expect.stringContaining(message)],
    );
  });
});

describe('how a step is carried out', () => {
  const FIND = "{ id: a, do: creditSchedule.find, key: '${order.key}'";

  it('goes with the plan where the step says something else than what holds without it', () => {
    const step = (more: string) =>
      stepsOf(`rule: r\nwhen: { event: order.refunded }\nthen:\n  - ${more}\n`, refunded([]));
    const found = {
      ...{ id: 'a', action: 'creditSchedule.find' },
      effects: [
        {
          key: 'credit-schedule/shop/order/1001',
          operation: 'credit-schedule.find',
          input: { reference: 'shop/order/1001' },
        },
      ],
    };
    expect(step(`${FIND}, ifMissing: refuse, onRefused: stop }`)).toEqual([found]);
    expect(step(`${FIND}, ifMissing: wait, onRefused: continue }`)).toEqual([
      { ...found, ifMissing: 'wait', onRefused: 'continue' },
    ]);
    expect(step(`{ id: a, key: k, approval: required, ${PAY} }`)).toMatchObject([{ approval: 'required' }]);
  });

  it('is refused where it means nothing', () => {
    expect(problems(`{ id: a, key: k, ifMissing: skip, ${PAY} }`)).toEqual([
      'payment.register does not look for a record; "ifMissing" is for creditSchedule.find, supplier.find',
    ]);
    expect(problems(`{ id: a, do: supplier.find, ifMissing: wait, with: { name: x } }`)).toEqual([
      'nothing that Ponte does makes what supplier.find looks for, so it cannot be waited for; "ifMissing" takes refuse or skip here',
    ]);
    expect(problems(`{ id: a, do: supplier.find, ifMissing: skip, with: { name: x } }`)).toEqual([]);
    expect(problems(`${FIND}, approval: required }`)).toEqual([
      'creditSchedule.find changes nothing, so there is nothing to approve; say it on the step that uses what it finds',
    ]);
    expect(problems(`${FIND}, ifMissing: waits, onRefused: go-on }`)).toEqual([
      '"ifMissing" takes refuse or skip or wait, not "waits"; did you mean "wait"?',
      '"onRefused" takes stop or continue, not "go-on"',
    ]);
    expect(problems(`{ id: a, key: k, approval: maybe, ${PAY} }`)).toEqual([
      '"approval" takes required, not "maybe"',
    ]);
  });

  it('puts an effect off until its day with `notBefore`, once for each element', () => {
    const rule = `rule: r
when: { event: order.refunded }
then:
  - { id: a, forEach: { part: 'order.total.instalments(2, date("2026-01-31"))' }, key: '\${order.key}/\${part.number}',
      notBefore: '\${part.dueDate}', do: payment.register,
      with: { account: main, value: '\${part.value}', date: '\${part.dueDate}', description: d } }
`;
    const [step] = stepsOf(rule, refunded([])) as PlannedStep[];
    expect(step?.effects.map(({ key, notBefore }) => [key, notBefore])).toEqual([
      ['payment/shop/order/1001/1', '2026-01-31'],
      ['payment/shop/order/1001/2', '2026-02-28'],
    ]);
  });

  it('says what is wrong with `notBefore` when the rule is loaded', () => {
    expect(problems(`{ id: a, key: k, notBefore: tomorrow, ${PAY} }`)).toEqual([
      '"notBefore" takes Date: a date is written ${date("2026-01-31")}',
    ]);
    expect(problems(`${FIND}, notBefore: '\${date("2026-01-31")}' }`)).toEqual([
      'creditSchedule.find changes nothing, so there is nothing to put off; say it on the step that uses what it finds',
    ]);
    const customer = `{ id: a, notBefore: '\${date("2026-01-31")}', do: customer.ensure, with: { name: n } }`;
    const used = `{ id: b, key: k, do: creditSchedule.ensure, with: { customer: '\${steps.a.id}', value: '\${order.total}', dueDate: '\${date("2026-01-31")}', description: d } }`;
    expect(problems(`${customer}\n  - ${used}`)).toEqual([
      'the step "a" is done on its day, so there is no output yet: take one of a step without "notBefore"',
    ]);
  });

  it('looks for the receivables of more keys where the step names them', () => {
    const rule = `rule: r\nwhen: { event: order.refunded }\nthen:\n  - ${FIND}, with: { keys: '\${order.edits.map(e, e.key)}' } }\n`;
    const editedAt = new Date('2026-03-06T12:00:00Z');
    const found = (edits: OrderFacts['edits']) =>
      (stepsOf(rule, refunded([], edits && { edits })) as PlannedStep[])[0]?.effects[0]?.input;
    expect(found(undefined)).toEqual({ reference: 'shop/order/1001' });
    expect(found([{ key: 'shop/order/1001/edit/1', value: brl('5.00'), editedAt }])).toEqual({
      reference: 'shop/order/1001',
      others: ['credit-schedule/shop/order/1001/edit/1'],
    });
  });

  it('lets the elements that can be planned be done with `onRefused: continue`, and says why the others cannot', () => {
    const rule = (more: string) =>
      `rule: r\nwhen: { event: order.refunded }\nthen:\n  - { id: a, forEach: { refund: order.refunds }, key: '\${refund.key}'${more},\n      do: payment.register, with: { account: '\${tables.gatewayAccount[refund.gateway]}', value: '\${refund.value}', date: '\${date("2026-01-31")}', description: d } }\n`;
    const event = refunded([refund('1', '20.00'), refund('2', '0.00'), refund('3', '5.00')]);
    expect(stepsOf(rule(''), event)).toContain('must be');
    const [step] = stepsOf(rule(', onRefused: continue'), event) as PlannedStep[];
    expect(step?.effects.map(({ amount }) => amount)).toEqual(['20.00', '5.00']);
    expect(step).toMatchObject({ elements: [1, 1], unplanned: [expect.stringContaining('the value')] });
  });
});
