import type { EventOutcome } from '../workflows/planner';
import type { Completion } from './delivery-queue.repository';
import type { Understood } from './understand';

/** How work on a delivery ended. @param outcomes one for each of its events, in order */
export function completionOf(item: Omit<Understood, 'work'>, outcomes: readonly EventOutcome[]): Completion {
  const { id, events, businessKey } = item;
  const refusals: string[] = [];
  let matched = 0;
  for (const outcome of outcomes) {
    refusals.push(...outcome.refusals);
    matched += outcome.matched;
  }
  const reason = item.unreadable ?? (refusals.length > 0 ? refusals.join('; ') : null);
  if (reason !== null) return { id, events, businessKey, state: 'dead', outcome: null, reason };
  const outcome = item.ignored ?? (matched > 0 ? 'applied' : `no rule for ${events.join(', ')}`);
  return { id, events, businessKey, state: 'done', outcome, reason: null };
}
