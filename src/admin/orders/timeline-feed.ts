import type { Interval, Subjects } from '../../feed/changes-about.repository';
import { isAbout, recordsOf, type TimelineRecords } from './timeline-records';

type Found = Omit<TimelineRecords, 'changes' | 'observedOpen'>;

/** Milliseconds that a transaction may last; see ARCHITECTURE.md, "Locks of a dead replica". */
const TRANSACTION_MS = 35_000;
/** Milliseconds from the last change of a batch of deliveries to the end of their runs, with much to spare. */
const RUN_MS = 5_000;
/** By how much the database's clock may differ from that of whoever appends. */
const CLOCKS_MS = 5_000;

/**
 * When changes about it were appended: of calls and what needs a person exactly, of what is booked in Ponte's own books within
 * the transaction, which has times from before the changes and from after them.
 */
export function appendedAt(found: Found): Interval[] {
  const { calls, attention, booked, runs } = found;
  const exact = [...calls.map(({ announcedAt }) => announcedAt), ...attention.map((item) => item.createdAt)];
  const intervals = exact.flatMap((at) => (at ? [{ from: at, to: at }] : []));
  if (!booked) return intervals;
  const ends = runs.flatMap(({ finishedAt }) => finishedAt ?? []);
  return [...intervals, ...ends.map((at) => ({ from: before(at, RUN_MS), to: at })), ...whenBooked(found)];
}

function whenBooked(found: Found): Interval[] {
  const { effects, booked = [], runs } = found;
  const endOf = new Map(runs.map(({ id, finishedAt }) => [id, finishedAt]));
  const made = effects
    .filter((effect) => effect.state === 'applied' && isAbout(effect, found))
    .map(({ runId, updatedAt: from }) => {
      const [end, latest] = [endOf.get(runId), before(from, -TRANSACTION_MS)];
      return { from, to: end && end >= from && end < latest ? end : latest };
    });
  const ownRecords = new Set(effects.flatMap(recordsOf));
  const byOthers = booked
    .filter(({ id }) => !ownRecords.has(id))
    .map(({ createdAt }) => ({
      from: before(createdAt, CLOCKS_MS),
      to: before(createdAt, -TRANSACTION_MS),
    }));
  return [...made, ...byOthers];
}

/** What these changes are about: its deliveries, its effects, or what stands in the books of it. */
export function subjectsOf(found: Found): Subjects {
  const own = found.effects.filter((effect) => isAbout(effect, found));
  return {
    deliveryIds: found.deliveries.map(({ id }) => id),
    businessKeys: [found.key, ...own.map(({ key }) => key)],
    recordIds: (found.booked ?? []).map(({ id }) => id),
  };
}

function before(at: Date, milliseconds: number): Date {
  return new Date(at.getTime() - milliseconds);
}
