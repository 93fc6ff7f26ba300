import { Injectable } from '@nestjs/common';
import { alongAnIndex } from '../../database/along-an-index';
import { Prisma } from '../../database/client/client';
import { Database } from '../../database/database';
import { inLowerCase } from '../../database/letter-case';
import { sourceSlugs } from '../../deliveries/deliveries.repository';
import type { Organization } from '../../kernel/organization';

/** Records that are gone through, newest first, where no index has what is looked for. */
const MOST_WALKED = 20_000;
/** Of one kind. */
const MOST_FOUND = 21;

export interface FoundDelivery {
  readonly id: string;
  readonly sourceId: string;
  readonly topic: string;
  readonly businessKey: string | null;
  readonly receivedAt: Date;
}

/** The newest delivery about an entity. */
export interface FoundEntity extends FoundDelivery {
  readonly key: string;
  /** What people call the order; null: by its identifier, or it is not known. */
  readonly number: string | null;
}

export interface FoundSchedule {
  readonly id: string;
  readonly customerId: string;
  readonly description: string;
  readonly reference: string | null;
  readonly createdAt: Date;
}

export interface FoundCustomer {
  readonly id: string;
  /** Null: a remote finance service has it. */
  readonly name: string | null;
  readonly createdAt: Date | null;
}

/** What was found on a walk; not `complete`: it ended at {@link MOST_WALKED}. */
export interface Walked<T> {
  readonly rows: readonly T[];
  readonly complete: boolean;
}

const OF_DELIVERY = Prisma.sql`d.id::text as id, d.source_id::text as "sourceId", d.topic, d.business_key as "businessKey",
  d.received_at as "receivedAt"`;
const OF_SCHEDULE = Prisma.sql`s.id::text as id, s.stakeholder_id::text as "customerId", s.description, s.reference,
  s.created_at as "createdAt"`;
const OF_CUSTOMER = Prisma.sql`c.id::text as id, c.name, c.created_at as "createdAt"`;

/** Looks records of one organization up. */
@Injectable()
export class SearchReads {
  constructor(private readonly database: Database) {}

  /** Slugs by identifier. */
  sourceSlugs(organization: Organization): Promise<ReadonlyMap<string, string>> {
    return sourceSlugs(this.database.prisma, organization);
  }

  async delivery(organizationId: string, id: string): Promise<FoundDelivery | undefined> {
    const [row] = await this.database.prisma.$queryRaw<FoundDelivery[]>`
      select ${OF_DELIVERY} from delivery d where d.id = ${id}::uuid and d.organization_id = ${organizationId}::uuid`;
    return row;
  }

  /** The newest delivery about each of these entities; those that none was understood to be about are left out. */
  entities(organizationId: string, keys: readonly string[]): Promise<FoundEntity[]> {
    return this.database.prisma.$queryRaw<FoundEntity[]>`
      select k.key, ${OF_DELIVERY},
        (select f.number from money_facts f where f.source_id = d.source_id and f.key = k.key) as number
      from unnest(${[...keys]}::text[]) as k(key)
      cross join lateral (
        select e.id from entity_delivery e where e.organization_id = ${organizationId}::uuid and e.business_key = k.key
        order by e.received_at desc, e.id desc limit 1
      ) e
      cross join lateral (select * from delivery d where d.id = e.id offset 0) d
      order by d.received_at desc, d.id desc limit ${MOST_FOUND}`;
  }

  /**
   * Deliveries that wait to be worked on and were not understood yet: what they are about is their lane, which names an order as
   * its key does.
   * @param lanes `{source's identifier}/order/1001`, in the order of `keys`
   */
  waiting(organizationId: string, lanes: readonly string[], keys: readonly string[]): Promise<FoundEntity[]> {
    return this.database.prisma.$queryRaw<FoundEntity[]>`
      select k.key, ${OF_DELIVERY}, null as number
      from unnest(${[...lanes]}::text[], ${[...keys]}::text[]) as k(lane, key)
      cross join lateral (
        select o.id from open_delivery o where o.lane = k.lane and o.state = 'waiting' order by o.lane, o.seq desc limit 1
      ) o
      cross join lateral (select * from delivery d where d.id = o.id offset 0) d
      where d.organization_id = ${organizationId}::uuid
      order by d.received_at desc, d.id desc limit ${MOST_FOUND}`;
  }

  /** Schedules with one of these references, the newest first. */
  schedulesWith(organizationId: string, references: readonly string[]): Promise<FoundSchedule[]> {
    return this.database.prisma.$queryRaw<FoundSchedule[]>`
      select ${OF_SCHEDULE} from schedule s
      where s.organization_id = ${organizationId}::uuid and s.reference = any(${[...references]}::text[])
      order by s.id desc limit ${MOST_FOUND}`;
  }

  /** A schedule, or the one that a receipt or payment settled. */
  async scheduleOf(organizationId: string, id: string): Promise<FoundSchedule | undefined> {
    const [row] = await this.database.prisma.$queryRaw<FoundSchedule[]>`
      with w as (
        select ${id}::uuid as id
        union select case when e.credit_book = 'receivable' then e.credit_id else e.debit_id end from entry e
          where e.id = ${id}::uuid and e.organization_id = ${organizationId}::uuid
            and (e.credit_book = 'receivable' or e.debit_book = 'payable')
      )
      select ${OF_SCHEDULE} from w join schedule s on s.id = w.id where s.organization_id = ${organizationId}::uuid limit 1`;
    return row;
  }

  /** What a receipt or payment without a schedule is about: its business key; undefined: there is none. */
  async keyOfEntry(organizationId: string, id: string): Promise<string | undefined> {
    const [row] = await this.database.prisma.$queryRaw<{ key: string | null }[]>`
      select coalesce(identifier, reference) as key from entry
      where id = ${id}::uuid and organization_id = ${organizationId}::uuid`;
    return row?.key ?? undefined;
  }

  /** The customer of a schedule of a remote finance service. */
  async remoteCustomerOf(organizationId: string, scheduleId: string): Promise<string | undefined> {
    const [row] = await this.database.prisma.$queryRaw<{ id: string }[]>`
      select stakeholder_id::text as id from remote_schedule
      where organization_id = ${organizationId}::uuid and schedule_id = ${scheduleId}::uuid`;
    return row?.id;
  }

  /** The customer, supplier or partner with this identifier. */
  customer(organizationId: string, id: string): Promise<FoundCustomer[]> {
    return this.database.prisma.$queryRaw<FoundCustomer[]>`
      select ${OF_CUSTOMER} from stakeholder c
      where c.id = ${id}::uuid and c.organization_id = ${organizationId}::uuid and c.deleted_at is null`;
  }

  /** @param document without punctuation, upper case */
  customersWith(organizationId: string, document: string): Promise<FoundCustomer[]> {
    return this.database.prisma.$queryRaw<FoundCustomer[]>`
      select ${OF_CUSTOMER} from stakeholder c
      where c.organization_id = ${organizationId}::uuid and c.kind in ('customer', 'supplier', 'partner')
        and c.document = ${document} and c.deleted_at is null
      order by c.kind limit ${MOST_FOUND}`;
  }

  /**
   * Customers that deliveries made or found under a business key.
   * @param key of the effect
   * @returns the customer's identifier, and what the delivery was about
   */
  async customerOfEffect(
    organizationId: string,
    key: string,
  ): Promise<{ id: string; businessKey: string | null } | undefined> {
    const [row] = await this.database.prisma.$queryRaw<{ id: string; businessKey: string | null }[]>`
      select e.output ->> 'id' as id, r.business_key as "businessKey"
      from effect e left join run r on r.id = e.run_id
      where e.organization_id = ${organizationId}::uuid and e.key = ${key} and e.operation = 'customer.ensure'
        and e.state = 'applied' and e.output ->> 'id' is not null`;
    return row;
  }

  /** The newest schedules of a customer. */
  schedulesOf(organizationId: string, customerId: string): Promise<FoundSchedule[]> {
    return this.database.prisma.$queryRaw<FoundSchedule[]>`
      select ${OF_SCHEDULE} from schedule s
      where s.organization_id = ${organizationId}::uuid and s.stakeholder_id = ${customerId}::uuid
      order by s.due_date desc, s.id desc limit ${MOST_FOUND}`;
  }

  /** Customers with this e-mail address, in any letter case, among the newest. */
  customersAt(organizationId: string, email: string): Promise<Walked<FoundCustomer>> {
    const newest = Prisma.sql`
      select c.id, c.name, c.email, c.created_at, c.deleted_at from stakeholder c
      where c.organization_id = ${organizationId}::uuid and c.kind = 'customer'
      order by c.organization_id desc, c.kind desc, c.id desc limit ${MOST_WALKED + 1}`;
    const fits = Prisma.sql`${inLowerCase(Prisma.sql`c.email`)} = ${email.toLowerCase()} and c.deleted_at is null`;
    return this.walk<FoundCustomer>(newest, OF_CUSTOMER, 'c', fits);
  }

  /** Keys of orders that one of these sources calls so, the newest first. */
  async numbered(sourceIds: readonly string[], number: string): Promise<string[]> {
    const rows = await this.database.prisma.$queryRaw<{ key: string }[]>`
      select key from money_facts where source_id = any(${[...sourceIds]}::uuid[]) and number = ${number}
      order by made_at desc, key limit ${MOST_FOUND}`;
    return rows.map(({ key }) => key);
  }

  /** Receivables with one of these descriptions, also where ` - 1/3` or the like follows, among the newest. */
  schedulesDescribed(
    organizationId: string,
    descriptions: readonly string[],
  ): Promise<Walked<FoundSchedule>> {
    const newest = Prisma.sql`
      select s.id, s.stakeholder_id, s.description, s.reference, s.created_at from schedule s
      where s.organization_id = ${organizationId}::uuid and s.kind = 'credit'
      order by s.organization_id desc, s.kind desc, s.id desc limit ${MOST_WALKED + 1}`;
    const fits = Prisma.sql`split_part(s.description, ' - ', 1) = any(${[...descriptions]}::text[])`;
    return this.walk<FoundSchedule>(newest, OF_SCHEDULE, 's', fits);
  }

  private walk<Row>(
    newest: Prisma.Sql,
    shown: Prisma.Sql,
    name: 'c' | 's',
    fits: Prisma.Sql,
  ): Promise<Walked<Row>> {
    const alias = Prisma.raw(name);
    return this.database.transaction(async (tx) => {
      await alongAnIndex(tx);
      const rows = await tx.$queryRaw<(Row & { id: string | null; walked: number })[]>`
        with w as materialized (${newest})
        select n.walked, f.* from (select count(*)::int as walked from w) n
        left join lateral (select ${shown} from w ${alias} where ${fits} limit ${MOST_FOUND}) f on true`;
      return {
        rows: rows.filter(({ id }) => id !== null),
        complete: (rows[0]?.walked ?? 0) <= MOST_WALKED,
      };
    });
  }
}
