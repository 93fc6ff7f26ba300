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
  type WatchScope,
  WHOLE_ORGANIZATION,
} from './observed-records.repository';

/** A complete look, and the one before it. */
export interface Look {
  readonly organization: Organization;
  readonly scope: WatchScope;
  readonly startedAt: Date;
  /** The feed's last position then. */
  readonly startPosition: bigint;
  /** The same of the look before; null: there was none. */
  readonly lookedAt: Date | null;
  readonly feedPosition: bigint | null;
  /** Whatever is found was there before anybody looked. */
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

/** In place of a digest: differs from whatever is seen. */
const UNSEEN = 'unseen';

/** Told of under names that Ponte uses for its own changes as well. */
const SHARED_NAMES: readonly ListingKind[] = ['accounts', 'cost-centers', 'debit-schedules'];

/**
 * Holds what a look has found against what was last seen, tells the difference and keeps what is seen now: all in
 * the caller's transaction, which holds the turn.
 *
 * Ponte's own changes are announced by whoever makes them. So what the feed was announced of a record since the look before,
 * and what calls are on their way, is asked for after the listing was read: whatever is not in the feed by then was
 * not in the listing either. A record that Ponte changed after the look had begun is left to the next look.
 */
@Injectable()
export class Comparison {
  constructor(
    private readonly records: ObservedRecords,
    private readonly own: OwnChanges,
  ) {}

  /** @returns how many changes were announced */
  async compare(tx: Transaction, look: Look, now: Date): Promise<number> {
    const { scope } = look;
    if (look.baseline) {
      await this.records.adoptStaged(tx, scope);
      return 0;
    }
    const besides = await this.own.recentlyTold(tx, scope.organizationId, scope.kind, look.feedPosition);
    let announced = 0;
    for (let after: string | undefined = WHOLE_ORGANIZATION; after !== undefined;) {
      const found = await this.records.diff(tx, scope, after, besides);
      announced += await this.take(tx, look, found, now);
      after = found.at(-1)?.id;
    }
    await this.expect(tx, look, besides);
    return announced + (await this.tellRemoved(tx, look, now));
  }

  /** What Ponte announced of and nobody has seen is missing, too: it may have been removed before anybody looked. */
  private async expect(tx: Transaction, { scope }: Look, toldIds: readonly string[]): Promise<void> {
    const { organizationId, kind } = scope;
    const ids = await this.records.neverSeen(tx, scope, toldIds);
    const announced = grouped(await this.own.announcedChanges(tx, organizationId, kind, ids), ({ id }) => id);
    const expected = [...announced].map(([id, changes]) => ({
      id,
      scopeId: WHOLE_ORGANIZATION,
      digest: UNSEEN,
      data: changes.at(-1)?.data ?? {},
    }));
    await this.records.keep(tx, scope, expected);
  }

  private async take(
    tx: Transaction,
    look: Look,
    found: readonly StagedDifference[],
    now: Date,
  ): Promise<number> {
    if (found.length === 0) return 0;
    const work = await this.ownWork(tx, look, found);
    const held = found.filter((one) => isUnderWay(look, one, work));
    const heldIds = new Set(held.map(({ id }) => id));
    const taken = found.filter(({ id }) => !heldIds.has(id));
    await this.records.putOff(tx, look.scope, [...heldIds], look);
    const changes = taken.flatMap((one) =>
      this.tellings(look, one, work).map((telling) => changeOf(look, one.id, telling)),
    );
    await this.records.keep(tx, look.scope, taken.map(keptOf));
    await appendChanges(tx, changes, now);
    return changes.length;
  }

  private tellings(look: Look, one: StagedDifference, work: OwnWork): DetectedChange[] {
    const { id, digest, due, data, before, digestBefore, toldDue, gone } = one;
    const remembered =
      before && digestBefore !== null
        ? { data: before, digest: digestBefore, gone: gone === true, ...(toldDue !== null && { toldDue }) }
        : undefined;
    const observation = { id, digest, data, ...(due !== null && { due }) };
    return diff(look.scope.kind, remembered, observation, this.circumstances(look, one, work));
  }

  private circumstances(look: Look, one: StagedDifference, work: OwnWork): Circumstances {
    const { organization, lookedAt, feedPosition } = look;
    const since = one.heldMark ?? (one.known ? (feedPosition ?? 0n) : -1n);
    const announced = work.announced
      .get(one.id)
      ?.findLast(({ position }) => position !== null && position > since);
    return {
      organization,
      ...(announced && { announced: announced.data }),
      openExplained: isExplained(look, one, work.receipts.get(one.id) ?? []),
      old: lookedAt === null && !work.made.has(one.id),
    };
  }

  /** What may be in effect is asked for first: what is settled in between is found in the feed. */
  private async ownWork(tx: Transaction, look: Look, found: readonly StagedDifference[]): Promise<OwnWork> {
    const { organizationId, kind } = look.scope;
    const ids = found.map(({ id }) => id);
    const ofCustomer = kind === 'customer-schedules';
    const unsettled = SHARED_NAMES.includes(kind) ? await this.own.unsettled(tx, organizationId) : NOTHING;
    const receipts = ofCustomer ? await this.own.receiptsFor(tx, organizationId, ids) : [];
    const made =
      ofCustomer && look.lookedAt === null
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

  private async tellRemoved(tx: Transaction, look: Look, now: Date): Promise<number> {
    const { scope } = look;
    await this.records.countMissed(tx, scope);
    let announced = 0;
    for (;;) {
      const removed = await this.records.takeRemoved(tx, scope);
      if (removed.length === 0) return announced;
      const changes = removed.flatMap(({ id, data }) => {
        const telling = removalOf(scope.kind, data);
        return telling ? [changeOf(look, id, telling)] : [];
      });
      await appendChanges(tx, changes, now);
      announced += changes.length;
    }
  }
}

/** Whether Ponte itself is, or was after the look had begun, at a record. */
function isUnderWay(
  { scope: { kind }, startPosition, startedAt }: Look,
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

/** Whether what is open became less by just what Ponte received for the schedule since the look before. */
function isExplained(
  { organization, lookedAt }: Look,
  { before, data, heldFrom }: StagedDifference,
  receipts: readonly OwnReceipt[],
): boolean {
  const from = heldFrom ?? lookedAt;
  if (!before || !from || receipts.length === 0) return false;
  const since = possiblyAfter(from);
  const received = receipts
    .filter(({ at }) => at !== null && at >= since)
    .reduce((sum, { value }) => sum + (moneyOf(value, organization.currency)?.minor ?? 0n), 0n);
  const [was, is] = [scheduleFacts(before, organization), scheduleFacts(data, organization)];
  return was.open - is.open === received;
}

function keptOf({ id, scopeId, digest, data, due, toldDue }: StagedDifference): KeptRecord {
  const announced = due ?? toldDue;
  return { id, scopeId, digest, data, ...(announced !== null && { toldDue: announced }) };
}

function changeOf(
  { scope: { organizationId } }: Look,
  recordId: string,
  { type, data }: DetectedChange,
): Change {
  return { organizationId, type, recordId, data };
}
