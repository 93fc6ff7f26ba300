import type { EventOutcome } from '../workflows/planner';
import type { Completion } from './delivery-queue.repository';
import type { NormalizedDelivery } from './normalize-delivery';

/** How the outcome of a delivery begins whose events no rule took: none listens, or the conditions of those that do were false. */
export const NO_RULE = 'no rule ';

/** How the outcome of a delivery begins whose events rules took. */
export const APPLIED = 'applied';

/** The outcome of a changed customer whom the books have already: no action changes a customer. */
export const NOT_CHANGED = 'existing, not changed';

/**
 * How work on a delivery ended. `applied` alone says that all is done; where a person must act as well, it says why.
 * @param outcomes of its events, in order
 */
export function completionOf(
  item: Omit<NormalizedDelivery, 'work'>,
  outcomes: readonly EventOutcome[],
): Completion {
  const { id, events, businessKey, reported = [] } = item;
  const refusals: string[] = [];
  const waitsFor: string[] = [];
  const attention = new Set<string>();
  let matched = 0;
  const states = new Set<string>();
  for (const outcome of outcomes) {
    refusals.push(...outcome.refusals);
    waitsFor.push(...outcome.waitsFor);
    for (const code of outcome.attention) attention.add(code);
    matched += outcome.matched;
    for (const { state } of outcome.effects) states.add(state);
  }
  const reason = item.unreadable ?? (refusals.length > 0 ? refusals.join('; ') : null);
  if (reason !== null) {
    const waitsOnly = item.unreadable === undefined && waitsFor.length === refusals.length;
    const waits = waitsFor.length > 0 && { waitsFor: [...new Set(waitsFor)], waitsOnly };
    return { id, events, businessKey, reported, state: 'dead', outcome: null, reason, ...waits };
  }
  const did = isUnchanged(events, states) ? NOT_CHANGED : APPLIED;
  const came = item.ignored ?? (matched > 0 ? did : `${NO_RULE}applied to ${events.join(', ')}`);
  const outcome = attention.size > 0 ? `${came}; needs a person: ${[...attention].join(', ')}` : came;
  return { id, events, businessKey, reported, state: 'done', outcome, reason: null };
}

/** An order that comes again is applied all the same: what it asks for is in the books. A changed customer is not. */
function isUnchanged(events: readonly string[], states: ReadonlySet<string>): boolean {
  const isFirst = events.length > 0 && events.every((type) => type === 'customer.updated');
  return isFirst && states.size === 1 && states.has('existing');
}
