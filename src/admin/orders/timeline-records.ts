import { isUuid } from '../../kernel/identifier';
import type { DeferredView } from '../../workflows/deferred/deferred-list.repository';
import type { AppendedChange } from '../../feed/changes-about.repository';
import type {
  AuditRow,
  BookedRow,
  TimelineDelivery,
  TimelineEffectRow,
  TimelineReads,
  TimelineRunRow,
} from './timeline.repository';

/** What is stored of an order or payout. */
export interface TimelineRecords {
  /** Business key. */
  readonly key: string;
  /** The organization's sources: slugs by identifier. */
  readonly slugs: ReadonlyMap<string, string>;
  readonly deliveries: readonly TimelineDelivery[];
  readonly runs: readonly TimelineRunRow[];
  /** Also those that others share with it, such as its customer's. */
  readonly effects: readonly TimelineEffectRow[];
  readonly calls: Awaited<ReturnType<TimelineReads['calls']>>;
  readonly deferred: readonly DeferredView[];
  readonly approvals: Awaited<ReturnType<TimelineReads['approvals']>>;
  readonly attention: Awaited<ReturnType<TimelineReads['attention']>>;
  readonly audit: readonly AuditRow[];
  /** Undefined: the books are in another service. */
  readonly booked: readonly BookedRow[] | undefined;
  /** Changes that connectors can read, in the order of the feed. */
  readonly changes: readonly AppendedChange[];
  /** What is open of a remote service's schedules, in minor units; undefined: not known. */
  readonly observedOpen: bigint | undefined;
}

/** Whether an effect is its own: one of its runs made it, or it is named after it. Others are found by several orders. */
export function isAbout(
  { key, runId }: Pick<TimelineEffectRow, 'key' | 'runId'>,
  { key: entity, runs }: { key: string; runs: readonly TimelineRunRow[] },
): boolean {
  return runs.some(({ id }) => id === runId) || `/${key}/`.includes(`/${entity}/`);
}

/** Identifiers of the records that an applied effect made or found. */
export function recordsOf({ operation, state, output: { id, all } }: TimelineEffectRow): string[] {
  if (state !== 'applied' || operation === 'customer.ensure') return [];
  return (all ?? (id === undefined ? [] : [id])).filter(isUuid);
}
