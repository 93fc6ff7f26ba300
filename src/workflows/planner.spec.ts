import { setImmediate as nextTick } from 'node:timers/promises';
import { EVENT_BUDGET } from '../rules/cel/limits';
import type { CompiledRule } from '../rules/compiled-rule';
import { ORGANIZATION, paidOrder } from '../rules/fixtures';
import { loadRule } from '../rules/load-rule';
import { type EventWork, Planner } from './planner';
import { ActiveRules } from './active-rules';

const WORK: EventWork = {
  organization: ORGANIZATION,
  deliveryId: '0190a000-0000-7000-8000-000000000002',
  eventIndex: 0,
  event: paidOrder(),
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
  book.replace(new Map([[ORGANIZATION.id, { rules, tables: new Map<string, never>() }]]));
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

  it('counts the rules of the event alone', async () => {
    const rules = [rule('a'), rule('b', { event: 'order.cancelled', cost: 2 * EVENT_BUDGET })];
    expect(await plannerWith(rules).plan(WORK)).toMatchObject({ matched: 1, refusals: [] });
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
