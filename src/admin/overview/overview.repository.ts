import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../../database/along-an-index';
import { Prisma } from '../../database/client/client';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { APPLIED, NOT_CHANGED } from '../../deliveries/completion';
import type { CalendarDate } from '../../kernel/calendar-date';
import { isUuid, lowestIdAt } from '../../kernel/identifier';
import { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import type { DaySpan } from './day-hours';

/** Deliveries, entries and calls of one day that are read at most. */
const MOST_OF_DAY = 100_000;
/** What is open is counted no further than this. */
export const MOST_COUNTED = 10_000;

/** Deliveries of a span of time, by what they are now. */
export interface Received {
  readonly accepted: number;
  readonly applied: number;
  readonly waiting: number;
  readonly waitingForRecord: number;
  readonly dead: number;
  readonly ignored: number;
  readonly discarded: number;
}

/** Those of one hour. */
export interface HourReceived extends Received {
  /** Of the hours of the day, from 0. */
  readonly index: number;
}

/** How many are open; more than {@link MOST_COUNTED}: there may be more. */
export interface OpenCounts {
  readonly deadLetters: number;
  readonly unknownEffects: number;
  readonly attention: number;
  readonly approvals: number;
  readonly deferred: number;
}

/** Receipts of one account, one source and one gateway. */
export interface ReceiptSum {
  /** UUID */
  readonly accountId: string;
  readonly accountName: string | null;
  /** The slug of the source that their business keys begin with; null: they begin with none. */
  readonly source: string | null;
  /** As the shop spells it; null: no message that is known named one for their payment. */
  readonly gateway: string | null;
  readonly minor: bigint;
  /** A payment that settled several receivables is one. */
  readonly payments: number;
  /** Receipts, as many as were read. */
  readonly records: number;
}

/** What was read of a day; not `complete`: there was more than {@link MOST_OF_DAY}. */
export interface OfDay<T> {
  readonly rows: readonly T[];
  readonly complete: boolean;
}

/** Reads what an overview is made of, along indexes, of one day each. */
@Injectable()
export class OverviewReads {
  constructor(private readonly database: Database) {}

  /** The deliveries that were accepted on the day, by hour; hours without any are left out. */
  async received({ id }: Organization, { from, to, hours }: DaySpan): Promise<OfDay<HourReceived>> {
    if (hours.length === 0) return { rows: [], complete: true };
    const starts = hours.map((hour) => hour.from.toISOString());
    const rows = await this.database.transaction(async (tx) => {
      await alongAnIndex(tx);
      // One walk of each source: no index is over all of them.
      return tx.$queryRaw<HourReceived[]>`
        select d.index, count(*)::int as accepted, (count(*) filter (where d.state = 'waiting'))::int as waiting,
          (count(*) filter (where d.state = 'done' and d.was_applied))::int as applied,
          (count(*) filter (where d.state = 'done' and d.was_applied is not true))::int as ignored,
          (count(*) filter (where d.state = 'dead' and not d.waits_only))::int as dead,
          (count(*) filter (where d.state = 'dead' and d.waits_only))::int as "waitingForRecord",
          (count(*) filter (where d.state = 'discarded'))::int as discarded
        from (
          select o.state, o.waits_only, width_bucket(o.received_at, ${starts}::timestamptz[]) - 1 as index,
            starts_with(o.outcome, ${APPLIED}) or starts_with(o.outcome, ${NOT_CHANGED}) as was_applied
          from source s cross join lateral (
            select d.state, d.outcome, d.waits_only, d.received_at from delivery d
            where d.source_id = s.id and d.received_at >= ${from}::timestamptz and d.received_at < ${to}::timestamptz
            order by d.received_at desc, d.id desc limit ${MOST_OF_DAY + 1}
          ) o
          where s.organization_id = ${id}::uuid limit ${MOST_OF_DAY + 1}
        ) d
        group by d.index order by d.index`;
    });
    return { rows, complete: rows.reduce((sum, { accepted }) => sum + accepted, 0) <= MOST_OF_DAY };
  }

  /**
   * How old the oldest delivery is that waits to be worked on, in seconds by the database's clock (null: none waits), and
   * what is open. States stand in the statement: as parameters they lead past the indexes of what is open.
   */
  async open({ id }: Organization): Promise<{ lagSeconds: number | null; counts: OpenCounts }> {
    const limit = MOST_COUNTED + 1;
    const [row] = await this.database.prisma.$queryRaw<(OpenCounts & { lagSeconds: number | null })[]>`
      select
        (select greatest(floor(extract(epoch from clock_timestamp() - received_at)), 0)::int from open_delivery
          where organization_id = ${id}::uuid and state = 'waiting'
          order by organization_id, state, received_at, id limit 1) as "lagSeconds",
        (select count(*)::int from (select from open_delivery
          where organization_id = ${id}::uuid and state = 'dead' and not waits_only limit ${limit}) c) as "deadLetters",
        (select count(*)::int from (select from finance_call
          where organization_id = ${id}::uuid and state = 'unknown' and abandoned_at is null limit ${limit}) c) as "unknownEffects",
        (select count(*)::int from (select from attention
          where organization_id = ${id}::uuid and resolved_at is null limit ${limit}) c) as attention,
        (select count(*)::int from (select from approval
          where organization_id = ${id}::uuid and state = 'waiting' limit ${limit}) c) as approvals,
        (select count(*)::int from (select from deferred_effect
          where organization_id = ${id}::uuid and state = 'waiting' limit ${limit}) c) as deferred`;
    if (!row) throw new Error('the database counted nothing');
    const { lagSeconds, ...counts } = row;
    return { lagSeconds, counts };
  }

  /**
   * Receipts in Ponte's own books with the date of the day. What was taken back is left out, and so are write-offs, whose
   * receipts stand against a payment of the same sum.
   */
  async booked({ id }: Organization, day: CalendarDate): Promise<OfDay<ReceiptSum>> {
    const rows = await this.database.transaction(async (tx) => {
      await alongAnIndex(tx);
      return tx.$queryRaw<ReceiptSum[]>`
        select e.id::text as "accountId", e.name as "accountName", s.slug as source, g.gateway, sum(e.amount_minor)::bigint as minor,
          count(distinct e.payment)::int as payments, count(*)::int as records
        from (
          select a.id, a.name, e.amount_minor, e.key, coalesce(e.key, e.id::text) as payment from account a cross join lateral (
            select e.id, e.amount_minor, coalesce(e.identifier, e.reference) as key from entry e
            where e.debit_id = a.id and e.date = ${day.toString()}::date and e.debit_book = 'account' and e.kind = 'receipt'
              and not exists (select from entry r where r.reverses_id = e.id)
              and not exists (select from effect w
                where w.organization_id = e.organization_id and w.key = 'write-off/' || e.identifier)
          ) e
          where a.organization_id = ${id}::uuid limit ${MOST_OF_DAY + 1}
        ) e
        ${joinToldOf(id, Prisma.sql`e.key`)}
        group by e.id, e.name, s.slug, g.gateway`;
    });
    return { rows, complete: rows.reduce((sum, { records }) => sum + records, 0) <= MOST_OF_DAY };
  }

  /**
   * Receipts that a remote finance service was asked for on the day and that are in effect, write-offs left out. Names of
   * accounts are as change detection saw them last.
   */
  async applied(organization: Organization, { from, to }: DaySpan): Promise<OfDay<ReceiptSum>> {
    const { id, currency } = organization;
    const decimals = Money.exponentOf(currency);
    const [first, end] = [lowestIdAt(from), lowestIdAt(to)];
    return this.database.transaction(async (tx) => {
      await alongAnIndex(tx);
      const rows = await tx.$queryRaw<(Omit<ReceiptSum, 'accountName'> & { calls: number })[]>`
        with c as materialized (
          select effect_key, operation, request -> 'body' as body from finance_call
          where organization_id = ${id}::uuid and state = 'applied' and id >= ${first}::uuid and id < ${end}::uuid
          order by organization_id, state, id limit ${MOST_OF_DAY + 1}
        ), r as materialized (
          select c.body ->> 'accountId' as account, k.key, coalesce(k.key, c.effect_key) as payment,
            round((c.body ->> 'value')::numeric * power(10::numeric, ${decimals}::int)) as minor
          from c cross join lateral (select coalesce(c.body ->> 'identifier', c.body ->> 'reference') as key) k
          where c.operation in ('receipts.registerForSchedule', 'receipts.register')
            and not starts_with(c.effect_key, 'write-off/')
            and c.body ->> 'value' ~ '^[0-9]{1,15}([.][0-9]{1,6})?$' and c.body ->> 'accountId' is not null
        )
        select r.account as "accountId", s.slug as source, g.gateway, sum(r.minor)::bigint as minor,
          count(distinct r.payment)::int as payments, count(*)::int as records, (select count(*)::int from c) as calls
        from r ${joinToldOf(id, Prisma.sql`r.key`)}
        group by r.account, s.slug, g.gateway`;
      const ids = new Set(rows.map(({ accountId }) => accountId).filter(isUuid));
      const names = await accountNames(tx, id, [...ids]);
      return {
        rows: rows.map((row) => ({ ...row, accountName: names.get(row.accountId.toLowerCase()) ?? null })),
        complete: (rows[0]?.calls ?? 0) <= MOST_OF_DAY,
      };
    });
  }
}

/**
 * Joins the source that a business key begins with, and the gateway of the payment that it names: it is the payment's key, or
 * that with more behind it, as a settlement's is. Each is looked up by the order's key (`limit`), and sources are read once (`offset`),
 * whatever the planner believes of the tables.
 */
function joinToldOf(organizationId: string, key: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    left join (select id, slug from source where organization_id = ${organizationId}::uuid offset 0) s
      on s.slug = split_part(${key}, '/', 1)
    left join lateral (
      select f.gateways ->> (f.key || '/payment/' || split_part(split_part(${key}, '/payment/', 2), '/', 1)) as gateway
      from money_facts f where f.source_id = s.id and f.key = split_part(${key}, '/payment/', 1) limit 1
    ) g on true`;
}

async function accountNames(
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.$queryRaw<{ id: string; name: string }[]>`
    select record_id::text as id, data ->> 'name' as name from watch_record
    where organization_id = ${organizationId}::uuid and kind = 'accounts' and record_id = any(${[...ids]}::uuid[])
      and data ->> 'name' is not null`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}
