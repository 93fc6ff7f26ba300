import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { sourceSlugs } from '../../deliveries/deliveries.repository';
import { ChangesAbout } from '../../feed/changes-about.repository';
import { FeedOrder } from '../../feed/feed-order.repository';
import type { MoneyFacts } from '../../events/money-facts';
import { subjectsOf, appendedAt } from './timeline-feed';
import { isAbout, recordsOf, type TimelineRecords } from './timeline-records';
import { isUuid } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { deferredUnder } from '../../workflows/deferred/deferred-list.repository';
import { MOST_INSTALMENTS, usualKeys } from '../completeness/known-entity';
import type { TimelineCustomer, TimelineItem, TimelineView } from './timeline.dto';
import { timelineItems } from './timeline-items';
import { type TimelineEffectRow, type TimelineRunRow, TimelineReads } from './timeline.repository';
import { timelineTotals } from './timeline-totals';

/** Deliveries that are read: the newest. */
const MOST_DELIVERIES = 200;
/** Items of one answer: the newest. Of each kind no more are read. */
const MOST_ITEMS = 2_000;

/** All that happened to an order or a payout, put together from where it is kept. Nothing is written, and no other service is asked. */
@Injectable()
export class Timelines {
  constructor(
    private readonly database: Database,
    private readonly settings: Settings,
    private readonly reads: TimelineReads,
    private readonly feedOrder: FeedOrder,
    private readonly changes: ChangesAbout,
  ) {}

  /** @throws Problem not-found when the organization has received and done nothing about it */
  async of(organization: Organization, key: string): Promise<TimelineView> {
    // What has its place in the feed is shown, whether what was just committed gets one or not: a failure is logged by the feed.
    await this.feedOrder.assignPositions().catch(() => undefined);
    return this.database.transaction(async (tx) => {
      const slugs = await sourceSlugs(tx, organization);
      const { records, facts, cut } = await this.read(tx, organization, key, slugs);
      if (records.deliveries.length === 0 && records.attention.length === 0 && facts.length === 0)
        throw new Problem('not-found', 'Nothing is known under this key');
      const items = timelineItems(organization, records);
      const named = key.split('/', 1)[0] ?? '';
      return {
        key,
        source: [...slugs.values()].includes(named) ? named : null,
        currency: organization.currency,
        summary: {
          number: facts.find(({ number }) => number !== null)?.number ?? null,
          ...timelineTotals(organization, facts, records),
          customer: await this.customer(tx, organization, records.effects),
        },
        items: inTime(items).slice(-MOST_ITEMS),
        complete: !cut && items.length <= MOST_ITEMS,
      };
    });
  }

  private async read(
    tx: Transaction,
    organization: Organization,
    key: string,
    slugs: ReadonlyMap<string, string>,
  ): Promise<{ records: TimelineRecords; facts: MoneyFacts[]; cut: boolean }> {
    const limit = MOST_ITEMS + 1;
    const facts = await this.reads.facts(tx, [...slugs.keys()], key);
    const found = await this.reads.deliveries(tx, organization, key, MOST_DELIVERIES + 1);
    const deliveries = found.slice(0, MOST_DELIVERIES).filter(({ stillSpeaks }) => stillSpeaks);
    const deliveryIds = deliveries.map(({ id }) => id);
    const runs = inTheirOrder(await this.reads.runs(tx, deliveryIds, key, limit));
    const asked = keysOf(runs);
    // Also what others asked for: an acquirer may pay in more instalments than the shop spoke of.
    const usual = facts.flatMap((one) => usualKeys({ ...one, instalments: MOST_INSTALMENTS }));
    const keys = [...new Set([...asked, ...usual])].slice(0, limit);
    const effects = inOrderOf(keys, await this.reads.effects(tx, organization, keys));
    const calls = await this.reads.calls(tx, organization, keys);
    const deferred = await deferredUnder(tx, organization, keys);
    const approvals = await this.reads.approvals(tx, organization, keys);
    const attention = await this.reads.attention(tx, organization, key, limit);
    const own = effects.filter((effect) => isAbout(effect, { key, runs }));
    const subjects = [...deliveryIds, ...[calls, deferred, approvals, attention].flat().map(({ id }) => id)];
    const audit = await this.reads.audit(tx, organization, subjects, limit);
    const isEmbedded = this.settings.financeBackend === 'embedded';
    const booked = isEmbedded
      ? await this.reads.booked(tx, organization, own.flatMap(recordsOf), limit)
      : undefined;
    const schedules = own.filter(isSchedule).flatMap(recordsOf);
    const unplaced = {
      ...{ key, slugs, deliveries, runs, effects, calls, deferred, approvals, attention, audit, booked },
    };
    const { changes: changes, cut: changesCut } = await this.changes.find(
      tx,
      organization.id,
      appendedAt(unplaced),
      subjectsOf(unplaced),
    );
    const observedOpen = isEmbedded ? undefined : await this.reads.observedOpen(tx, organization, schedules);
    return {
      facts,
      cut:
        changesCut ||
        found.length > MOST_DELIVERIES ||
        [runs, asked, attention, audit, booked ?? []].some(({ length }) => length > MOST_ITEMS),
      records: { ...unplaced, changes: changes, observedOpen },
    };
  }

  /** Whom the books have as the one who bought. */
  private async customer(
    tx: Transaction,
    organization: Organization,
    effects: readonly TimelineEffectRow[],
  ): Promise<TimelineCustomer | null> {
    const made = effects.filter(
      ({ operation, state }) => operation === 'customer.ensure' && state === 'applied',
    );
    const [last] = made.sort((one, other) => other.updatedAt.getTime() - one.updatedAt.getTime());
    const id = last?.output.id;
    if (id === undefined) return null;
    const isOwn = this.settings.financeBackend === 'embedded' && isUuid(id);
    return { id, name: isOwn ? ((await this.reads.customerName(tx, organization, id)) ?? null) : null };
  }
}

/** As the deliveries came, then as their events stand in them. */
function inTheirOrder(runs: readonly TimelineRunRow[]): TimelineRunRow[] {
  const placeOf = ({ deliveryId, eventIndex, rule }: TimelineRunRow): string =>
    `${deliveryId} ${String(eventIndex).padStart(6, '0')} ${rule}`;
  return [...runs].sort((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}

/** Business keys of what its runs may have made, in the order in which rules plan it. */
function keysOf(runs: readonly TimelineRunRow[]): string[] {
  return [
    ...new Set(
      runs.flatMap(({ steps, planned }) => [...steps.flatMap(({ effects }) => effects), ...planned]),
    ),
  ];
}

function inOrderOf(keys: readonly string[], effects: readonly TimelineEffectRow[]): TimelineEffectRow[] {
  const byKey = new Map(effects.map((effect) => [effect.key, effect]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}

function isSchedule({ operation }: TimelineEffectRow): boolean {
  return operation === 'credit-schedule.create';
}

/** What follows from what, where both happened in one millisecond; of a kind, they stay in their order. A run ends after its changes are in the feed. */
const RANKS = ['webhook', 'feed', 'run', 'approval', 'effect', 'entry', 'attention', 'audit'] as const;

function inTime(items: readonly TimelineItem[]): TimelineItem[] {
  const placed = items.map((item) => ({ item, at: String(item.at), rank: RANKS.indexOf(item.kind) }));
  placed.sort((one, other) => (one.at === other.at ? one.rank - other.rank : one.at < other.at ? -1 : 1));
  return placed.map(({ item }) => item);
}
