import { Injectable } from '@nestjs/common';
import { Prisma } from '../../database/client/client';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { DATABASE_NOW, fromNow } from '../database-now.sql';
import type { Arrival } from '../inbox';
import { type DeliveryOrigin, ORIGIN } from '../reserved-attributes';

const IMPORT: DeliveryOrigin = 'import';
/** How long a source is left to whoever compares it, from its last page on, in milliseconds. */
const LEASE_MS = 120_000;
/** What is compared again, in hours: a list may be late, and the clock of a shop may be wrong. */
const OVERLAP_HOURS = 2;
/** How far the first comparison goes back, in hours; but not to before the source was made. */
const FIRST_HOURS = 24;

/** The right to compare one source. */
export interface ComparisonLease {
  /** Of the source. */
  readonly id: string;
  readonly number: number;
  /** From when on it is to be compared. */
  readonly from: Date;
  /** By the database's clock. */
  readonly now: Date;
}

/** What came of a comparison. */
export interface ComparisonResult {
  readonly found: number;
  /** Up to here all is compared; absent: no further than before. */
  readonly until?: Date;
  /** Why it failed; absent: it did not. */
  readonly failure?: string;
  /** Seconds until the next one. */
  readonly againInSeconds: number;
}

/** How far sources were compared, and who compares one now. All times are the database's. */
@Injectable()
export class Comparisons {
  constructor(private readonly database: Database) {}

  /** Has these sources compared from now on. */
  async ensure(ids: readonly string[]): Promise<void> {
    await this.database.prisma.$executeRaw`
      insert into source_comparison (id, due_at)
      select id, ${DATABASE_NOW} from unnest(${[...ids]}::uuid[]) as s(id)
      where not exists (select from source_comparison c where c.id = s.id)
      on conflict do nothing`;
  }

  /** Takes the source of these that has been due for longest; undefined: none is, or others compare those that are. */
  async take(ids: readonly string[]): Promise<ComparisonLease | undefined> {
    const [lease] = await this.database.prisma.$queryRaw<ComparisonLease[]>`
      update source_comparison c
      set lease_until = ${fromNow(LEASE_MS)}, lease_number = c.lease_number + 1
      from source s
      where s.id = c.id and c.id = (
        select id from source_comparison
        where id = any(${[...ids]}::uuid[]) and due_at <= ${DATABASE_NOW}
          and (lease_until is null or lease_until <= ${DATABASE_NOW})
        order by due_at, id limit 1 for update skip locked)
      returning c.id::text as id, c.lease_number as number, ${DATABASE_NOW} as now,
        coalesce(c.compared_until - make_interval(hours => ${OVERLAP_HOURS}),
                 greatest(s.created_at, ${DATABASE_NOW} - make_interval(hours => ${FIRST_HOURS}))) as "from"`;
    return lease;
  }

  /** @returns false when another replica has it now */
  async renew({ id, number }: ComparisonLease): Promise<boolean> {
    const renewed = await this.database.prisma.$executeRaw`
      update source_comparison set lease_until = ${fromNow(LEASE_MS)}
      where id = ${id}::uuid and lease_number = ${number}`;
    return renewed > 0;
  }

  /** Writes what came of it and gives the lease back, unless another replica has it now. */
  async end({ id, number, from }: ComparisonLease, result: ComparisonResult): Promise<void> {
    const { found, until = null, failure = null, againInSeconds } = result;
    await this.database.prisma.$executeRaw`
      update source_comparison
      set lease_until = null, due_at = ${fromNow(againInSeconds * 1_000)}, ended_at = ${DATABASE_NOW},
        found = ${found}, failure = ${failure}, compared_until = coalesce(${until}::timestamptz, compared_until),
        compared_from = case when ${until}::timestamptz is null then compared_from else least(compared_from, ${from}::timestamptz) end
      where id = ${id}::uuid and lease_number = ${number}`;
  }

  /**
   * Has a source compared again from an instant on, and at once. Whoever compares it now ends, and what that found is stored.
   * Orders that came in meanwhile are found known.
   */
  async again(tx: Transaction, id: string, from: Date): Promise<void> {
    await tx.$executeRaw`
      insert into source_comparison as c (id, due_at, compared_from, compared_until)
      values (${id}::uuid, ${DATABASE_NOW}, ${from}::timestamptz, ${from}::timestamptz)
      on conflict (id) do update
      set due_at = excluded.due_at, compared_from = excluded.compared_from, compared_until = excluded.compared_until,
        lease_until = null, lease_number = c.lease_number + 1`;
  }

  /** Gives the lease back, as if nothing had been begun. */
  async giveBack({ id, number }: ComparisonLease): Promise<void> {
    await this.database.prisma.$executeRaw`
      update source_comparison set lease_until = null where id = ${id}::uuid and lease_number = ${number}`;
  }

  /**
   * Whether something about the entity came in at this instant or later, or still waits to be worked on, or for a person: then the
   * state of that instant has come, for a webhook has the state of the moment in which it is sent. What was imported may be of any
   * age.
   * @param entity its business key, and the topics of which something has that state; undefined: of any
   */
  async isKnown(
    { organizationId, sourceId, identity }: Arrival,
    entity: { readonly businessKey: string; readonly topics?: readonly string[] | undefined },
    since: Date,
  ): Promise<boolean> {
    const lane = `${sourceId}/${identity.orderingKey}`;
    const { businessKey, topics } = entity;
    const counts = Prisma.sql`d.attributes ->> ${ORIGIN} is distinct from ${IMPORT} and
      (${topics === undefined} or d.topic = any(${[...(topics ?? [])]}::text[]))`;
    const [row] = await this.database.prisma.$queryRaw<{ known: boolean }[]>`
      select exists (
        select from entity_delivery e where e.organization_id = ${organizationId}::uuid
          and e.business_key = ${businessKey} and e.received_at >= ${since}::timestamptz
          and (select ${counts} from delivery d where d.id = e.id)
      ) or exists (
        select from open_delivery o where o.lane = ${lane} and o.state = 'waiting'
          and o.received_at >= ${since}::timestamptz
          and (select ${counts} from delivery d where d.id = o.id)
      ) or exists (
        select from open_delivery o where o.organization_id = ${organizationId}::uuid and o.state = 'dead'
          and o.received_at >= ${since}::timestamptz and o.lane = ${lane}
          and (select ${counts} from delivery d where d.id = o.id)
      ) as known`;
    return row?.known ?? false;
  }
}
