import type { EventWork, PlannedEvent } from './planner';
import { Run } from './run';
import type { BegunRun } from './runs.repository';

/**
 * Puts runs that were begun before in the place of those just planned, event by event: what was begun goes on as it
 * was planned then.
 * @param planned changed in place; one for each of the work, in order
 */
export function resumeRuns(
  planned: readonly PlannedEvent[],
  work: readonly EventWork[],
  begun: readonly BegunRun[],
): void {
  planned.forEach((event, index) => {
    const item = work[index];
    const own = begun.filter(({ eventIndex }) => eventIndex === item?.eventIndex);
    if (!item || own.length === 0) return;
    const { organization, deliveryId, eventIndex } = item;
    event.runs = own.map(
      ({ id, plan }) =>
        new Run(id, organization, deliveryId, eventIndex, item.event.type, item.event.key, plan),
    );
    event.matched = Math.max(event.matched, own.length);
  });
}
