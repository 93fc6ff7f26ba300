import { setImmediate as nextTick } from 'node:timers/promises';
import { EVENT_BUDGET } from '../rules/cel/limits';
import type { CompiledRule } from '../rules/compiled-rule';
import { brl, DOCUMENT_KEY, ORGANIZATION, paidOrder } from '../rules/fixtures';
import { loadRule } from '../rules/load-rule';
import { type EventWork, leftByAll, Planner } from './planner';
import type { Run } from './run';
import { ActiveRules } from './active-rules';

const WORK: EventWork = {
  organization: ORGANIZATION,
  deliveryId: '0190a000-0000-7000-8000-000000000002',
  eventIndex: 0,
  event: paidOrder(),
  receivedAt: new Date('2026-03-20T12:00:00Z'),
};

/** A rule that applies; with these properties instead of its own. */
function rule(name: string, changes: Partial<CompiledRule> = {}): CompiledRule {
  const loaded = loadRule(
    `rule: ${name}\nwhen: {event: order.paid}\nthen: [{id: a, do: customer.ensure, with: {name: x}}]`,
    { tables: [] },
  );
  if ('problems' in loaded) throw new Error('the rule has problems');
  return { ...loaded.rule, ...changes };
}

function plannerWith(rules: CompiledRule[]): Planner {
  const book = new ActiveRules();
  book.replace(
    new Map([[ORGANIZATION.id, { rules, tables: new Map<string, never>(), documentKey: DOCUMENT_KEY }]]),
  );
  return new Planner(book);
}

/** How many ticks of the event loop passed until the promise resolved. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let [turns, done] = [0, false];
  const ended = work.finally(() => (done = true));
  for (; !done; turns += 1) await nextTick();
  await ended;
  return turns;
}

it.each([
  [undefined, ['rule-look']],
  ['step a: the account is closed', []],
])('a run takes off the list what its rule says, unless it was refused: %s', (refusal, codes) => {
  const run: Pick<
    Run,
    'organization' | 'deliveryId' | 'id' | 'businessKey' | 'attention' | 'refusal' | 'resolved' | 'writtenOff'
  > = {
    ...{
      organization: ORGANIZATION,
      deliveryId: WORK.deliveryId,
      id: 'r',
      businessKey: 'k',
      attention: [],
      refusal,
    },
    // Nothing but what rules raise.
    resolved: ['rule-look', 'amount-differs'],
    writtenOff: [],
  };
  const left = leftByAll([
    { matched: 1, refusals: [], effects: [], refused: [], left: [], dealtWith: [], runs: [run as Run] },
  ]);
  expect(left.map(({ hasEnded, attention: { code } }) => hasEnded && code)).toEqual(codes);
});

describe('planning an event', () => {
  it('refuses it without trying any rule when all together could cost too much', async () => {
    let tried = 0;
    const conditions = [{ source: 'true', test: () => ((tried += 1), true) }];
    const rules = Array.from({ length: 150 }, (_, index) =>
      rule(`r${index}`, { cost: EVENT_BUDGET / 100, conditions }),
    );
    const planned = await plannerWith(rules).plan(WORK);
    expect(planned).toMatchObject({ matched: 150, runs: [] });
    expect(planned.refusals).toEqual([
      expect.stringContaining('the 150 rules in force for order.paid could cost 1.5 times together'),
    ]);
    expect(planned.refused).toEqual([{ rule: null, step: null, reason: planned.refusals[0] }]);
    expect(tried).toBe(0);
    expect((await plannerWith(rules.slice(0, 100)).plan(WORK)).runs).toHaveLength(100);
  });

  it('tries rules by priority, and none after one that stops and applies, even where that one is refused', async () => {
    const never = [{ source: 'false', test: () => false }];
    const fails = (): never => {
      throw new Error('no such thing');
    };
    const tried = async (...rules: CompiledRule[]) => {
      const { runs, refused, matched } = await plannerWith(rules).plan(WORK);
      return [matched, runs.map(({ plan }) => plan.rule), refused.map(({ rule: name }) => name)];
    };
    const [a, b] = [rule('a'), rule('b')];
    expect(await tried(a, b)).toEqual([2, ['a', 'b'], []]);
    expect(await tried(a, { ...b, priority: 1 })).toEqual([2, ['b', 'a'], []]);
    const stop = { priority: 1, stop: true };
    expect(await tried(a, { ...b, ...stop })).toEqual([1, ['b'], []]);
    expect(await tried(a, { ...b, ...stop, conditions: never })).toEqual([1, ['a'], []]);
    expect(await tried(a, { ...b, ...stop, conditions: [{ source: 'x', test: fails }] })).toEqual([
      1,
      [],
      ['b'],
    ]);
    expect(await tried(a, { ...b, ...stop, lets: [{ name: 'x', source: 'x', evaluate: fails }] })).toEqual([
      1,
      [],
      ['b'],
    ]);
  });

  it('counts the rules of the event alone', async () => {
    const rules = [rule('a'), rule('b', { event: 'order.cancelled', cost: 2 * EVENT_BUDGET })];
    expect(await plannerWith(rules).plan(WORK)).toMatchObject({ matched: 1, refusals: [] });
  });

  it('leaves a payout to a person only where no rule listens to payouts', async () => {
    const at = new Date('2026-03-10T12:00:00Z');
    const payout = { key: 'shop/payout/9', source: 'shop', id: '9', gateway: 'g', value: brl('9.00') };
    const event = {
      ...{ type: 'payout.paid' as const, key: payout.key, occurredAt: at, raw: {} },
      payout: { ...payout, paidAt: at, test: false },
    };
    const never = [{ source: 'false', test: () => false }];
    const listening = plannerWith([rule('p', { event: 'payout.paid', conditions: never })]);
    const left = async (planner: Planner) =>
      (await planner.plan({ ...WORK, event })).left.map(({ attention }) => attention.code);
    expect(await left(plannerWith([]))).toEqual(['payout-not-booked']);
    expect(await left(listening)).toEqual([]);
  });

  it('leaves a settled instalment to a person where no rule books paid orders, or the acquirer says what it kept', async () => {
    const at = new Date('2026-03-10T12:00:00Z');
    const settlement = {
      ...{ key: 'shop/settlement/9', source: 'shop', id: '9', gateway: 'g', number: 1, of: 2 },
      ...{ value: brl('9.00'), settledAt: at, test: false },
    };
    const left = async (planner: Planner, fee = {}) => {
      const event = {
        ...{ type: 'payment.settled' as const, key: settlement.key, occurredAt: at, raw: {} },
        settlement: { ...settlement, ...fee },
      };
      return (await planner.plan({ ...WORK, event })).left.map(({ attention }) => attention.detail);
    };
    const booking = plannerWith([rule('p', { event: 'order.paid' })]);
    const said = '9.00 BRL were settled, instalment 1 of 2';
    expect(await left(plannerWith([]))).toEqual([`${said}; no rule books settlements`]);
    expect(await left(booking)).toEqual([]);
    expect(await left(booking, { fee: brl('0.50') })).toEqual([
      `${said}, of which 0.50 BRL were kept; no rule books settlements`,
    ]);
  });

  it('leaves a refund to a person where the rule that listens does not match', async () => {
    const refund = { key: 'shop/order/1001/refund/1', value: brl('9.00'), refundedAt: WORK.receivedAt };
    const event = { ...paidOrder({ refunds: [refund] }), type: 'order.refunded' as const };
    const never = [{ source: 'false', test: () => false }];
    const planned = await plannerWith([rule('r', { event: event.type, conditions: never })]).plan({
      ...WORK,
      event,
    });
    expect(planned.left.map(({ attention }) => attention.code)).toEqual(['refund-not-booked']);
  });

  it('names no condition of a rule that listens to another event than the one that says it again', async () => {
    const refund = { key: 'shop/order/1001/refund/1', value: brl('9.00'), refundedAt: WORK.receivedAt };
    const event = {
      ...paidOrder({ refunds: [refund], cancelledAt: WORK.receivedAt }),
      type: 'order.refunded' as const,
    };
    const never = [{ source: 'order.test', test: () => false }];
    const rules = [
      rule('r', { event: event.type }),
      rule('c', { event: 'order.cancelled', conditions: never }),
    ];
    const { dealtWith } = await plannerWith(rules).plan({ ...WORK, event });
    expect(dealtWith.map(({ attention: { detail } }) => detail)).toContainEqual(
      expect.stringMatching(/ of the cancelled order were paid .*; rule c did not apply$/),
    );
  });

  it('says of money that is left to a person which rules did not apply, and why', async () => {
    const refund = { key: 'shop/order/1001/refund/1', value: brl('9.00'), refundedAt: WORK.receivedAt };
    const event = { ...paidOrder({ refunds: [refund] }), type: 'order.refunded' as const };
    const condition = (source: string, test: () => boolean) => ({ source, test });
    const [holds, fails] = [
      condition('!order.test', () => true),
      condition('has(order.paidAt)', () => false),
    ];
    const refuses = condition('x', () => {
      throw new Error('no such thing');
    });
    const listening = (name: string, ...conditions: CompiledRule['conditions']) =>
      rule(name, { event: event.type, conditions });
    const left = async (...rules: CompiledRule[]) =>
      (await plannerWith(rules).plan({ ...WORK, event })).left.map(({ attention }) => attention.detail);
    const said = '9.00 BRL went back to the customer by refund 1';
    const paid = 'has(order.paidAt) is false';
    expect(await left()).toEqual([`${said}; no rule books refunds`]);
    expect(await left(listening('r', holds, fails))).toEqual([`${said}; rule r did not apply: ${paid}`]);
    const long = condition(`order.number in [\n${'"1", '.repeat(60)}"2"]`, () => false);
    expect(await left(listening('r', fails, refuses), listening('s', holds, long))).toEqual([
      `${said}; rule r did not apply: ${paid}; rule s did not apply: condition 2 of 2 is false`,
    ]);
    const more = ['a', 'b', 'c', 'd', 'e'].map((name) => listening(name, fails));
    expect(await left(...more)).toEqual([
      `${said}; ${['a', 'b', 'c'].map((name) => `rule ${name} did not apply: ${paid}`).join('; ')}; and 2 more`,
    ]);
    const [telling] = rule('t').steps.map((step) => ({
      ...step,
      action: { ...step.action, onlyTells: true as const },
    }));
    const stopping = { ...listening('t', holds), steps: [telling!], priority: 1, stop: true };
    expect(await left(stopping, listening('r', holds))).toEqual([
      `${said}; rule r did not apply: a rule before it stops`,
    ]);
  });

  it('takes for dealt with what a rule leaves out by an if, such as refunds that were entered by hand', async () => {
    const refund = { key: 'shop/order/1001/refund/1', value: brl('9.00'), refundedAt: WORK.receivedAt };
    const event = { ...paidOrder({ refunds: [refund] }), type: 'order.refunded' as const };
    const { steps, ...others } = rule('r', { event: event.type });
    const leftOut = steps.map((step) => ({ ...step, condition: { source: 'false', test: () => false } }));
    const planned = await plannerWith([{ ...others, steps: leftOut }]).plan({ ...WORK, event });
    expect(planned.runs.flatMap(({ plan }) => plan.steps)).toEqual([]);
    expect(planned.left).toEqual([]);
  });

  it('leaves to a person what no rule does more about than to send a message', async () => {
    const message = (event: string) =>
      loadRule(
        `rule: message\nwhen: {event: ${event}}\nthen: [{id: m, do: http.notify, key: k, with: {endpoint: erp, type: a.b, data: {a: b}}}]`,
        { tables: [] },
      );
    const left = async (event: EventWork['event'], ...others: CompiledRule[]) => {
      const loaded = message(event.type);
      if ('problems' in loaded) throw new Error('the rule has problems');
      const { left: items, runs } = await plannerWith([loaded.rule, ...others]).plan({ ...WORK, event });
      return [runs.length, items.map(({ attention }) => attention.code)];
    };
    const cancelled = { ...paidOrder(), type: 'order.cancelled' as const };
    expect(await left(cancelled)).toEqual([1, ['cancellation-not-booked']]);
    expect(await left(cancelled, rule('b', { event: 'order.cancelled' }))).toEqual([2, []]);
    const at = new Date('2026-03-10T12:00:00Z');
    const payout = { key: 'shop/payout/9', source: 'shop', id: '9', gateway: 'g', value: brl('9.00') };
    const paidOut = {
      ...{ type: 'payout.paid' as const, key: payout.key, occurredAt: at, raw: {} },
      payout: { ...payout, paidAt: at, test: false },
    };
    expect(await left(paidOut)).toEqual([1, ['payout-not-booked']]);
  });

  it('leaves to a person what is dated more than a week after its webhook came, whatever rules do', async () => {
    const receivedAt = new Date('2026-02-20T12:00:00Z');
    const planned = await plannerWith([rule('p')]).plan({ ...WORK, receivedAt });
    expect(planned.runs).toHaveLength(1);
    expect(planned.left).toMatchObject([
      { runId: null, attention: { code: 'dated-ahead', amount: '100.00' } },
    ]);
  });

  it('says so when two rules use one key for different things', async () => {
    const named = (name: string, customer: string): CompiledRule => ({
      ...rule(name),
      steps: rule(name).steps.map((step) => ({
        ...step,
        inputs: step.inputs.map((input) =>
          input.name === 'name' ? { ...input, map: () => customer } : input,
        ),
      })),
    });
    const [left, ...others] = (await plannerWith([named('a', 'Lia'), named('b', 'Ana')]).plan(WORK)).left;
    expect(others).toEqual([]);
    expect(left).toMatchObject({
      businessKey: WORK.event.key,
      attention: { code: 'key-shared', amount: '0' },
    });
    expect(left?.attention.detail).toMatch(/^rules a and b use the key \S+ for different things/);
    expect((await plannerWith([named('a', 'Lia'), named('b', 'Lia')]).plan(WORK)).left).toEqual([]);
  });

  it('lets others go first between two rules that take long', async () => {
    const long = {
      source: 'true',
      test: () => {
        for (const end = performance.now() + 20; performance.now() < end;);
        return true;
      },
    };
    const rules = ['a', 'b', 'c', 'd'].map((name) => rule(name, { conditions: [long] }));
    const work = plannerWith(rules).plan(WORK);
    expect(await turnsDuring(work)).toBeGreaterThanOrEqual(3);
    expect((await work).runs).toHaveLength(4);
  });
});
