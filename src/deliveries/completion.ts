import type { EventOutcome } from '../workflows/planner';
import type { Completion } from './delivery-queue.repository';
import type { Understood } from './understand';

/** How the outcome of a delivery begins whose events no rule took. */
export const NO_RULE = 'no rule for ';

/**
 * How work on a delivery ended. `applied` alone says that all is done; where a person must look as well, it says what at.
 * @param outcomes of its events, in order
 */
export function completionOf(item: Omit<Understood, 'work'>, outcomes: readonly EventOutcome[]): Completion {
  const { id, events, businessKey } = item;
  const refusals: string[] = [];
  const attention = new Set<string>();
  let matched = 0;
  for (const outcome of outcomes) {
    refusals.push(...outcome.refusals);
    for (const code of outcome.attention) attention.add(code);
    matched += outcome.matched;
  }
  const reason = item.unreadable ?? (refusals.length > 0 ? refusals.join('; ') : null);
  if (reason !== null) return { id, events, businessKey, state: 'dead', outcome: null, reason };
  const came = item.ignored ?? (matched > 0 ? 'applied' : `${NO_RULE}${events.join(', ')}`);
  const outcome = attention.size > 0 ? `${came}; needs a person: ${[...attention].join(', ')}` : came;
  return { id, events, businessKey, state: 'done', outcome, reason: null };
}
