import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../../database/along-an-index';
import { Prisma } from '../../database/client/client';
import type { Transaction } from '../../database/transaction';
import type { DeliveryOrigin } from '../../deliveries/reserved-attributes';
import { ORIGIN } from '../../deliveries/reserved-attributes';
import { MONEY_FACTS } from '../../deliveries/money-facts.repository';
import type { MoneyFacts } from '../../events/money-facts';
import { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import type { Plan } from '../../rules/plan';
import type { StepRecord } from '../../workflows/step-record';
import type { BookedRecords, KnownDelivery, KnownRun } from './known-entity';

/** A span of time of one source. */
export interface SourcePeriod {
  readonly organizationId: string;
  readonly sourceId: string;
  /** From this instant on. */
  readonly from: Date;
  /** Before this one. */
  readonly to: Date;
}

/** Where a page of entities ended. */
export interface EntityPlace {
  readonly madeAt: Date;
  readonly key: string;
}

/** A delivery with the entity that it is about. */
export interface EntityDelivery extends KnownDelivery {
  /** As it was understood; else by its lane, which names an order as its key does. */
  readonly businessKey: string;
  readonly origin: DeliveryOrigin;
}

/** A delivery that is not done, and was not understood to be about an order or payout that is known. */
export interface UnattachedDelivery extends EntityDelivery {
  /** False: nothing is known of what it is about. */
  readonly isKnown: boolean;
  readonly topic: string;
  readonly receivedAt: Date;
}

/** How far a source was compared with its provider's list. */
export interface ListComparison {
  readonly comparedFrom: Date | null;
  readonly comparedUntil: Date | null;
  readonly failure: string | null;
}

/** An effect's records in the books, as they are asked for. */
export interface EffectRecordIds {
  readonly key: string;
  readonly operation: string;
  readonly ids: readonly string[];
}

/** Deliveries of one entity that are read: the newest. */
const MOST_DELIVERIES = 200;
/** Deliveries that are not done, of which it is looked up what they are about: the oldest of a backlog. */
const MOST_OPEN = 10_000;
/** Before every key. */
const NO_KEY = '';

/** Reads what completeness is made of, in pages along indexes. */
@Injectable()
export class CompletenessReads {
  /** The orders, payouts, disputes and bills that were made in the period, in the order of when they were. @param after which may be of another period */
  async page(
    tx: Transaction,
    { sourceId, from, to }: SourcePeriod,
    limit: number,
    after?: EntityPlace,
  ): Promise<MoneyFacts[]> {
    await alongAnIndex(tx);
    return tx.$queryRaw<MoneyFacts[]>`
      select ${MONEY_FACTS} from money_facts
      where source_id = ${sourceId}::uuid
        and (made_at, key) ${after ? Prisma.sql`>` : Prisma.sql`>=`} (${after?.madeAt ?? from}::timestamptz, ${after?.key ?? NO_KEY})
        and made_at >= ${from}::timestamptz and made_at < ${to}::timestamptz
      order by made_at, key limit ${limit}`;
  }

  /**
   * The deliveries of each of these entities, the oldest first. Where a message is about an order and its dispute, its delivery
   * stands under the order's key: it is the dispute's, too, if a rule dealt with that.
   */
  deliveriesOf(
    tx: Transaction,
    { organizationId, sourceId }: SourcePeriod,
    entities: readonly Pick<MoneyFacts, 'key' | 'orderKey'>[],
  ): Promise<EntityDelivery[]> {
    const pairs = entities.flatMap(({ key, orderKey }) => [
      [key, key] as const,
      ...(orderKey === null ? [] : [[key, orderKey] as const]),
    ]);
    return tx.$queryRaw<EntityDelivery[]>`
      select k.key as "businessKey", d.id::text as id, d.state::text as state, d.reason, d.waits_only as "waitsOnly",
        coalesce(d.attributes ->> ${ORIGIN}, 'webhook') as origin,
        exists (select from delivery_body b where b.organization_id = d.organization_id and b.id = d.id) as "hasBody"
      from unnest(${pairs.map(([key]) => key)}::text[], ${pairs.map(([, under]) => under)}::text[]) as k(key, under)
      cross join lateral (
        select e.id from entity_delivery e
        where e.organization_id = ${organizationId}::uuid and e.business_key = k.under
        order by e.received_at desc, e.id desc limit ${MOST_DELIVERIES}
      ) e
      cross join lateral (select * from delivery d where d.id = e.id offset 0) d
      where d.source_id = ${sourceId}::uuid
        and (k.under = k.key or exists (select from run r where r.delivery_id = d.id and r.business_key = k.key))
      order by d.received_at, d.id`;
  }

  /** The stored runs of deliveries. */
  async runsOf(
    tx: Transaction,
    deliveryIds: readonly string[],
  ): Promise<(KnownRun & { businessKey: string })[]> {
    if (deliveryIds.length === 0) return [];
    return tx.$queryRaw<{ deliveryId: string; businessKey: string; plan: Plan; steps: StepRecord[] }[]>`
      select delivery_id::text as "deliveryId", business_key as "businessKey", plan, steps
      from run where delivery_id = any(${[...deliveryIds]}::uuid[]) order by delivery_id, event_index, rule`;
  }

  /** Which records applied effects made or found. */
  async recordsOf(
    tx: Transaction,
    organizationId: string,
    keys: readonly string[],
  ): Promise<EffectRecordIds[]> {
    const rows = await tx.$queryRaw<
      { key: string; operation: string; output: { id?: string; all?: string[] } }[]
    >`
      select key, operation, output from effect
      where organization_id = ${organizationId}::uuid and key = any(${[...keys]}::text[]) and state = 'applied'`;
    return rows.map(({ key, operation, output: { id, all } }) => ({
      ...{ key, operation },
      ids: all ?? (id === undefined ? [] : [id]),
    }));
  }

  /** What stands in Ponte's own books of these effects, by business key. */
  async inOwnBooks(
    tx: Transaction,
    effects: readonly EffectRecordIds[],
  ): Promise<Map<string, BookedRecords>> {
    const [schedules, entries] = [effects.filter(isSchedule), effects.filter(isEntry)];
    const values = await tx.$queryRaw<{ id: string; minor: bigint }[]>`
      select id::text as id, value_minor as minor from schedule
      where id = any(${schedules.flatMap(({ ids }) => ids)}::uuid[])`;
    // What was taken back stands there still, with an entry that reverses it.
    const amounts = await tx.$queryRaw<{ id: string; minor: bigint }[]>`
      select e.id::text as id, e.amount_minor as minor from entry e
      where e.id = any(${entries.flatMap(({ ids }) => ids)}::uuid[])
        and not exists (select from entry r where r.reverses_id = e.id)`;
    const byId = new Map([...values, ...amounts].map(({ id, minor }) => [id, minor]));
    return new Map([...schedules, ...entries].map(({ key, ids }) => [key, booked(ids, byId)]));
  }

  /**
   * What stands in a remote service's books of these effects, as change detection saw it last, by business key. Effects of whose
   * records it has not seen all are left out.
   */
  async asObserved(
    tx: Transaction,
    { id: organizationId, currency }: Organization,
    effects: readonly EffectRecordIds[],
  ): Promise<Map<string, BookedRecords>> {
    const schedules = effects.filter(isSchedule);
    const decimals = Money.exponentOf(currency);
    const rows = await tx.$queryRaw<{ id: string; minor: bigint | null; gone: boolean }[]>`
      select record_id::text as id, gone, round((data ->> 'value')::numeric * power(10::numeric, ${decimals}::int))::bigint as minor
      from watch_record
      where organization_id = ${organizationId}::uuid and kind = 'customer-schedules'
        and record_id = any(${schedules.flatMap(({ ids }) => ids)}::uuid[])
        and (data ->> 'value') ~ '^[0-9]{1,15}([.][0-9]{1,6})?$'`;
    const seen = new Map(rows.map(({ id, ...row }) => [id, row]));
    return new Map(
      schedules
        .filter(({ ids }) => ids.length > 0 && ids.every((id) => seen.has(id)))
        .map(({ key, ids }) => {
          const there = ids.flatMap((id) => {
            const { gone, minor } = seen.get(id) ?? { gone: true, minor: null };
            return gone || minor === null ? [] : [[id, minor] as const];
          });
          return [key, booked(ids, new Map(there))];
        }),
    );
  }

  /**
   * Deliveries that are not done, received since the period began: of when the order is that they are about, nobody can say.
   * Those that were understood to be about something known are left out: {@link deliveriesOf} has them.
   * @param slug of the source
   * @returns at most `limit`, the oldest first
   */
  async unattached(
    tx: Transaction,
    { organizationId, sourceId, from }: SourcePeriod,
    slug: string,
    limit: number,
  ): Promise<UnattachedDelivery[]> {
    const lane = `${sourceId}/`;
    return tx.$queryRaw<UnattachedDelivery[]>`
      select * from (
        select d.id::text as id, d.state::text as state, d.reason, d.waits_only as "waitsOnly", d.topic,
          d.received_at as "receivedAt", coalesce(d.attributes ->> ${ORIGIN}, 'webhook') as origin, k.key as "businessKey",
          exists (select from delivery_body b where b.organization_id = d.organization_id and b.id = d.id) as "hasBody",
          d.business_key is not null as understood,
          exists (select from money_facts f where f.source_id = d.source_id and f.key = k.key) as "isKnown"
        from (
          select o.id from open_delivery o
          where o.source_id = ${sourceId}::uuid and o.state in ('waiting', 'dead') and o.received_at >= ${from}::timestamptz
          order by o.received_at, o.id limit ${MOST_OPEN}
        ) o
        cross join lateral (select * from delivery d where d.id = o.id offset 0) d
        cross join lateral (
          select coalesce(d.business_key, ${`${slug}/`} || substr(d.lane, length(${lane}) + 1)) as key
        ) k
        where d.organization_id = ${organizationId}::uuid
      ) d
      where not (d.understood and d."isKnown")
      order by d."receivedAt", d.id limit ${limit}`;
  }

  /** How far the source was compared with its provider's list. */
  async list(tx: Transaction, sourceId: string): Promise<ListComparison> {
    const [row] = await tx.$queryRaw<ListComparison[]>`
      select compared_from as "comparedFrom", compared_until as "comparedUntil", failure
      from source_comparison where id = ${sourceId}::uuid`;
    return row ?? { comparedFrom: null, comparedUntil: null, failure: null };
  }

  /**
   * Since when deliveries of the source leave what they say of money; null: all that it has received did. What was received
   * before is not compared until it is worked on again.
   */
  async knownSince(tx: Transaction, sourceId: string): Promise<Date | null> {
    await alongAnIndex(tx);
    const [row] = await tx.$queryRaw<{ since: Date }[]>`
      select m.finished_at as since from _prisma_migrations m
      where m.migration_name like '%_completeness' and m.finished_at > (
        select d.received_at from delivery d where d.source_id = ${sourceId}::uuid
        order by d.received_at, d.id limit 1)`;
    return row?.since ?? null;
  }
}

function isSchedule({ operation }: EffectRecordIds): boolean {
  return operation === 'credit-schedule.create';
}

function isEntry({ operation }: EffectRecordIds): boolean {
  return ['receipt.allocate', 'receipt.register', 'payment.register', 'transfer.make'].includes(operation);
}

function booked(ids: readonly string[], byId: ReadonlyMap<string, bigint>): BookedRecords {
  const there = ids.flatMap((id) => byId.get(id) ?? []);
  return { gone: ids.length - there.length, minor: there.reduce((sum, minor) => sum + minor, 0n) };
}
