import { EVENT_BUDGET } from './cel/limits';
import type { CompiledRule } from './compiled-rule';

/**
 * Why rules cannot be held against one event together, as a sentence; undefined when they can. What one rule may cost
 * says nothing of a hundred, and an organization's events must not keep everybody else's waiting.
 * @param rules all that listen to the event, of one organization, in the order in which they are tried
 */
export function budgetExcess(rules: readonly Costly[]): string | undefined {
  const cost = costOf(rules);
  if (cost <= EVENT_BUDGET) return undefined;
  const times = Math.ceil((cost / EVENT_BUDGET) * 10) / 10;
  const event = rules[0]?.event ?? 'this event';
  return (
    `the ${rules.length} rules in force for ${event} could cost ${times} times together what is allowed for one event, ` +
    'with lists and texts as long as they may be; nest fewer lists in each other, or disable some of them'
  );
}

/** What decides what rules cost together. */
export type Costly = Pick<CompiledRule, 'cost' | 'conditionsCost' | 'event' | 'stop'>;

/** At most: a rule that stops and applies is the last, and one that does not apply has only its conditions tried. */
function costOf(rules: readonly Costly[]): number {
  let [before, most] = [0, 0];
  for (const { cost, conditionsCost, stop } of rules) {
    most = Math.max(most, before + cost);
    before += stop ? conditionsCost : cost;
  }
  return most;
}
