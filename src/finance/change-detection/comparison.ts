import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction';
import { appendChanges, type Change } from '../../feed/changes/changes.repository';
import { grouped } from '../../kernel/grouped';
import type { Organization } from '../../kernel/organization';
import { moneyOf } from '../remote/reads/remote-reads';
import { type Circumstances, diff, removalOf, type DetectedChange } from './diff';
import {
  OwnChanges,
  possiblyAfter,
  type OwnReceipt,
  type AnnouncedChange,
  type Unsettled,
} from './own-changes.repository';
import { scheduleFacts, type ListingKind } from './observation';
import {
  type KeptRecord,
  type StagedDifference,
  ObservedRecords,
  type PollScope,
  WHOLE_ORGANIZATION,
} from './observed-records.repository';

/** A complete poll, and the one before it. */
export interface PollRun {
  readonly organization: Organization;
  readonly scope: PollScope;
  readonly startedAt: Date;
  /** The feed's last position then. */
  readonly startPosition: bigint;
  /** The same of the poll before; null: there was none. */
  readonly polledAt: Date | null;
  readonly feedPosition: bigint | null;
  /** Whatever is found was there before the first poll: it is not announced. */
  readonly baseline: boolean;
}

/** What Ponte itself did or may have done to some records. */
interface OwnWork {
  readonly announced: ReadonlyMap<string, readonly AnnouncedChange[]>;
  readonly unsettled: Unsettled;
  readonly receipts: ReadonlyMap<string, readonly OwnReceipt[]>;
  readonly made: ReadonlySet<string>;
}

const NOTHING: Unsettled = { recordIds: new Set(), accountNames: new Set() };

/** In place of a digest: differs from whatever is observed. */
const NEVER_OBSERVED = 'unseen';

/** Announced under names that Ponte uses for its own changes as well. */
const SHARED_NAMES: readonly ListingKind[] = ['accounts', 'cost-centers', 'debit-schedules'];

/**
 * Compares what a poll has found with what was last observed, announces the difference and stores what is observed
 * now: all in the caller's transaction, which has locked the lease.
 *
 * Ponte's own changes are announced by whoever makes them. So what the feed holds of a record since the poll before,
 * and which calls are under way, is read after the listing: whatever is not in the feed by then was not in the listing
 * either. A record that Ponte changed after the poll had begun is deferred to the next poll.
 */
@Injectable()
export class Comparison {
  constructor(
    private readonly records: ObservedRecords,
    private readonly own: OwnChanges,
  ) {}

  /** @returns how many changes were announced */
  async compare(tx: Transaction, run: PollRun, now: Date): Promise<number> {
    const { scope } = run;
    if (run.baseline) {
      await this.records.adoptStaged(tx, scope);
      return 0;
    }
    const besides = await this.own.recentlyAnnounced(tx, scope.organizationId, scope.kind, run.feedPosition);
    let announced = 0;
    for (let after: string | undefined = WHOLE_ORGANIZATION; after !== undefined;) {
      const found = await this.records.diff(tx, scope, after, besides);
      announced += await this.announceDifferences(tx, run, found, now);
      after = found.at(-1)?.id;
    }
    await this.expectAnnounced(tx, scope, besides);
    return announced + (await this.announceRemoved(tx, run, now));
  }

  /** A record that Ponte announced and no poll has found is missing, too: it may have been removed before a poll. */
  private async expectAnnounced(
    tx: Transaction,
    scope: PollScope,
    announcedIds: readonly string[],
  ): Promise<void> {
    const { organizationId, kind } = scope;
    const ids = await this.records.neverObserved(tx, scope, announcedIds);
    const announced = grouped(await this.own.announcedChanges(tx, organizationId, kind, ids), ({ id }) => id);
    const expected = [...announced].map(([id, changes]) => ({
      id,
      scopeId: WHOLE_ORGANIZATION,
      digest: NEVER_OBSERVED,
      data: changes.at(-1)?.data ?? {},
    }));
    await this.records.keep(tx, scope, expected);
  }

  private async announceDifferences(
    tx: Transaction,
    run: PollRun,
    found: readonly StagedDifference[],
    now: Date,
  ): Promise<number> {
    if (found.length === 0) return 0;
    const work = await this.ownWork(tx, run, found);
    const deferred = found.filter((one) => isUnderWay(run, one, work));
    const deferredIds = new Set(deferred.map(({ id }) => id));
    const compared = found.filter(({ id }) => !deferredIds.has(id));
    await this.records.defer(tx, run.scope, [...deferredIds], run);
    const changes = compared.flatMap((one) =>
      this.detectedChanges(run, one, work).map((change) => changeOf(run, one.id, change)),
    );
    await this.records.keep(tx, run.scope, compared.map(keptOf));
    await appendChanges(tx, changes, now);
    return changes.length;
  }

  private detectedChanges(run: PollRun, one: StagedDifference, work: OwnWork): DetectedChange[] {
    const { id, digest, due, data, before, digestBefore, announcedDue, gone } = one;
    const remembered =
      before && digestBefore !== null
        ? {
            data: before,
            digest: digestBefore,
            gone: gone === true,
            ...(announcedDue !== null && { announcedDue }),
          }
        : undefined;
    const observation = { id, digest, data, ...(due !== null && { due }) };
    return diff(run.scope.kind, remembered, observation, this.circumstances(run, one, work));
  }

  private circumstances(run: PollRun, one: StagedDifference, work: OwnWork): Circumstances {
    const { organization, polledAt, feedPosition } = run;
    const since = one.deferredPosition ?? (one.known ? (feedPosition ?? 0n) : -1n);
    const announced = work.announced
      .get(one.id)
      ?.findLast(({ position }) => position !== null && position > since);
    return {
      organization,
      ...(announced && { announced: announced.data }),
      openExplained: isExplained(run, one, work.receipts.get(one.id) ?? []),
      old: polledAt === null && !work.made.has(one.id),
    };
  }

  /** Unsettled calls are read first: what is settled in between is found in the feed. */
  private async ownWork(tx: Transaction, run: PollRun, found: readonly StagedDifference[]): Promise<OwnWork> {
    const { organizationId, kind } = run.scope;
    const ids = found.map(({ id }) => id);
    const ofCustomer = kind === 'customer-schedules';
    const unsettled = SHARED_NAMES.includes(kind) ? await this.own.unsettled(tx, organizationId) : NOTHING;
    const receipts = ofCustomer ? await this.own.receiptsFor(tx, organizationId, ids) : [];
    const made =
      ofCustomer && run.polledAt === null
        ? await this.own.madeByPonte(tx, organizationId, ids)
        : new Set<string>();
    const announced = await this.own.announcedChanges(tx, organizationId, kind, ids);
    return {
      unsettled,
      made,
      receipts: grouped(receipts, ({ scheduleId }) => scheduleId),
      announced: grouped(announced, ({ id }) => id),
    };
  }

  private async announceRemoved(tx: Transaction, run: PollRun, now: Date): Promise<number> {
    const { scope } = run;
    await this.records.countMissed(tx, scope);
    let announced = 0;
    for (;;) {
      const removed = await this.records.takeRemoved(tx, scope);
      if (removed.length === 0) return announced;
      const changes = removed.flatMap(({ id, data }) => {
        const change = removalOf(scope.kind, data);
        return change ? [changeOf(run, id, change)] : [];
      });
      await appendChanges(tx, changes, now);
      announced += changes.length;
    }
  }
}

/** Whether Ponte itself is changing a record, or changed it after the poll had begun. */
function isUnderWay(
  { scope: { kind }, startPosition, startedAt }: PollRun,
  { id, data, known }: StagedDifference,
  { announced, unsettled, receipts }: OwnWork,
): boolean {
  const late = possiblyAfter(startedAt);
  return (
    unsettled.recordIds.has(id) ||
    (kind === 'accounts' && !known && unsettled.accountNames.has(String(data['name']))) ||
    (announced.get(id) ?? []).some(({ position }) => position === null || position > startPosition) ||
    (known && (receipts.get(id) ?? []).some(({ at }) => at === null || at >= late))
  );
}

/** Whether what is open became less by just what Ponte received for the schedule since the poll before. */
function isExplained(
  { organization, polledAt }: PollRun,
  { before, data, deferredFrom }: StagedDifference,
  receipts: readonly OwnReceipt[],
): boolean {
  const from = deferredFrom ?? polledAt;
  if (!before || !from || receipts.length === 0) return false;
  const since = possiblyAfter(from);
  const received = receipts
    .filter(({ at }) => at !== null && at >= since)
    .reduce((sum, { value }) => sum + (moneyOf(value, organization.currency)?.minor ?? 0n), 0n);
  const [was, is] = [scheduleFacts(before, organization), scheduleFacts(data, organization)];
  return was.open - is.open === received;
}

function keptOf({ id, scopeId, digest, data, due, announcedDue }: StagedDifference): KeptRecord {
  const announced = due ?? announcedDue;
  return { id, scopeId, digest, data, ...(announced !== null && { announcedDue: announced }) };
}

function changeOf(
  { scope: { organizationId } }: PollRun,
  recordId: string,
  { type, data }: DetectedChange,
): Change {
  return { organizationId, type, recordId, data };
}
