import type { EventOutcome } from '../workflows/planner';
import type { Completion } from './delivery-queue.repository';
import type { Understood } from './understand';

/** How work on a delivery ended. @param outcomes one for each of its events, in order */
export function completionOf(item: Understood, outcomes: readonly EventOutcome[]): Completion {
  const { id, events, businessKey } = item;
  const base = { id, events, businessKey };
  if (item.unreadable !== undefined)
    return { ...base, state: 'dead', outcome: null, reason: item.unreadable };
  const refusals = outcomes.flatMap((outcome) => outcome.refusals);
  if (refusals.length > 0) return { ...base, state: 'dead', outcome: null, reason: refusals.join('; ') };
  const matched = outcomes.reduce((sum, outcome) => sum + outcome.matched, 0);
  const outcome = item.ignored ?? (matched > 0 ? 'applied' : `no rule for ${events.join(', ')}`);
  return { ...base, state: 'done', outcome, reason: null };
}
