import { Injectable } from '@nestjs/common';
import { Prisma } from '../database/client/client';
import { Database } from '../database/database';
import { inLowerCase } from '../database/letter-case';

/** A customer, or a supplier or partner who is a person. */
export interface StakeholderRow {
  id: string;
  name: string;
  email: string | null;
  phone: string | null;
  document: string | null;
  details: unknown;
}

/** What of an effect says whose it is. */
export interface EffectRow {
  key: string;
  operation: string;
  deliveryId: string | null;
}

/** Records of one person: a guest who buys without a document has one for each order. */
const MOST_RECORDS = 10_000;
/** Effects and bodies that one statement goes through. */
const EFFECTS_AT_ONCE = 5_000;
const BODIES_AT_ONCE = 100;

const LOWER_EMAIL = inLowerCase(Prisma.sql`email`);
const OF_PEOPLE = Prisma.sql`(kind = 'customer' or document_type = 'Cpf' or document is null)`;

/** Reads whose the records are. Each look goes through a table in parts, so that no statement takes long. */
@Injectable()
export class PersonReads {
  constructor(private readonly database: Database) {}

  stakeholders(
    organizationId: string,
    by: { documents: readonly string[]; emails: readonly string[]; ids: readonly string[] },
  ): Promise<StakeholderRow[]> {
    return this.database.prisma.$queryRaw<StakeholderRow[]>`
      select id::text as id, name, email, phone, document, details from stakeholder
      where organization_id = ${organizationId}::uuid and erased_at is null and ${OF_PEOPLE}
        and (document = any(${[...by.documents]}::text[]) or ${LOWER_EMAIL} = any(${[...by.emails]}::text[])
          or id = any(${[...by.ids]}::uuid[]))
      order by id limit ${MOST_RECORDS}`;
  }

  /** Which of these e-mail addresses and telephone numbers others have as well. */
  async shared(
    organizationId: string,
    ids: readonly string[],
    { emails, phones }: { emails: readonly string[]; phones: readonly string[] },
  ): Promise<{ emails: string[]; phones: string[] }> {
    const rows = await this.database.prisma.$queryRaw<{ email: string | null; phone: string | null }[]>`
      select ${LOWER_EMAIL} as email, regexp_replace(coalesce(phone, ''), '[^0-9]', '', 'g') as phone from stakeholder
      where organization_id = ${organizationId}::uuid and erased_at is null and id <> all(${[...ids]}::uuid[])
        and (${LOWER_EMAIL} = any(${[...emails]}::text[])
          or (phone is not null and exists (select from unnest(${[...phones]}::text[]) as p(digits)
            where regexp_replace(phone, '[^0-9]', '', 'g') like '%' || p.digits)))
      limit 10000`;
    return {
      emails: rows.flatMap(({ email }) => email ?? []),
      phones: phones.filter((digits) => rows.some(({ phone }) => phone?.endsWith(digits))),
    };
  }

  /** Those of these identifiers that are customers of the organization in a remote finance service, as far as Ponte knows. */
  async knownElsewhere(organizationId: string, ids: readonly string[]): Promise<string[]> {
    const rows = await this.database.prisma.$queryRaw<{ id: string }[]>`
      select r.id::text as id from unnest(${[...ids]}::uuid[]) as r(id)
      where exists (select from remote_schedule s where s.organization_id = ${organizationId}::uuid and s.stakeholder_id = r.id)
        or exists (select from watch_customer w where w.organization_id = ${organizationId}::uuid and w.customer_id = r.id)
        or exists (select from erasure e where e.organization_id = ${organizationId}::uuid and r.id = any(e.records)
          and not exists (select from stakeholder s where s.id = r.id))`;
    return rows.map(({ id }) => id);
  }

  /** Schedules, recurrences and entries of these, and in remote mode what is known to be theirs. */
  async recordsOf(organizationId: string, stakeholders: readonly string[]): Promise<string[]> {
    if (stakeholders.length === 0) return [];
    const ids = [...stakeholders];
    const rows = await this.database.prisma.$queryRaw<{ id: string }[]>`
      with s as (
        select id from schedule where organization_id = ${organizationId}::uuid and stakeholder_id = any(${ids}::uuid[])
        union select schedule_id from remote_schedule
          where organization_id = ${organizationId}::uuid and stakeholder_id = any(${ids}::uuid[])
      )
      select id::text as id from s
      union select id::text from recurrence
        where organization_id = ${organizationId}::uuid and stakeholder_id = any(${ids}::uuid[])
      union select id::text from entry
        where debit_id = any(array(select id from s)) or credit_id = any(array(select id from s))
      union select record_id::text from watch_record
        where scope_id = any(${ids}::uuid[]) and organization_id = ${organizationId}::uuid`;
    return rows.map(({ id }) => id);
  }

  /**
   * Effects that made or found one of these records, with the delivery that asked for it.
   * @param goOn called between two parts
   */
  async effectsOf(
    organizationId: string,
    records: readonly string[],
    goOn: () => Promise<void>,
  ): Promise<EffectRow[]> {
    const found: EffectRow[] = [];
    const ids = [...records];
    for (let after: string | undefined = ''; after !== undefined && ids.length > 0;) {
      const from: string = after;
      const [last] = await this.database.prisma.$queryRaw<{ key: string }[]>`
        select key from effect where organization_id = ${organizationId}::uuid and key > ${from}
        order by key offset ${EFFECTS_AT_ONCE - 1} limit 1`;
      const rows = await this.database.prisma.$queryRaw<EffectRow[]>`
        select e.key, e.operation, r.delivery_id::text as "deliveryId"
        from effect e left join run r on r.id = e.run_id
        where e.organization_id = ${organizationId}::uuid and e.key > ${from}
          ${last ? Prisma.sql`and e.key <= ${last.key}` : Prisma.empty}
          and (e.output ->> 'id' = any(${ids}::text[]) or e.output -> 'all' ?| ${ids}::text[])`;
      found.push(...rows);
      after = last?.key;
      await goOn();
    }
    return found;
  }

  /** Customers that effects with these business keys made or found. */
  async customersOfEffects(organizationId: string, keys: readonly string[]): Promise<string[]> {
    const rows = await this.database.prisma.$queryRaw<{ id: string }[]>`
      select distinct output ->> 'id' as id from effect
      where organization_id = ${organizationId}::uuid and key = any(${[...keys]}::text[])
        and operation = 'customer.ensure' and state = 'applied' and output ->> 'id' is not null`;
    return rows.map(({ id }) => id);
  }

  /** Customers that the runs of these deliveries made or found. */
  async customersOfDeliveries(deliveries: readonly string[]): Promise<string[]> {
    const rows = await this.database.prisma.$queryRaw<{ id: string }[]>`
      select distinct e.output ->> 'id' as id
      from run r, jsonb_array_elements(r.plan -> 'steps') as s(step), jsonb_array_elements(s.step -> 'effects') as p(effect),
        effect e
      where r.delivery_id = any(${[...deliveries]}::uuid[]) and p.effect ->> 'operation' = 'customer.ensure'
        and e.organization_id = r.organization_id and e.key = p.effect ->> 'key' and e.output ->> 'id' is not null`;
    return rows.map(({ id }) => id);
  }

  /** Deliveries about these orders and customers, and those that share a business key of an order with them. */
  async deliveriesAbout(
    organizationId: string,
    keys: readonly string[],
    deliveries: readonly string[] = [],
  ): Promise<string[]> {
    const rows = await this.database.prisma.$queryRaw<{ id: string }[]>`
      with k as (
        select unnest(${[...keys]}::text[]) as key
        union select business_key from delivery where id = any(${[...deliveries]}::uuid[]) and business_key ~ '/(order|customer)/'
        union select business_key from run where delivery_id = any(${[...deliveries]}::uuid[]) and business_key ~ '/(order|customer)/'
      )
      select e.id::text as id from entity_delivery e join k on k.key = e.business_key
      where e.organization_id = ${organizationId}::uuid
      union select id::text from delivery where id = any(${[...deliveries]}::uuid[]) and organization_id = ${organizationId}::uuid`;
    return rows.map(({ id }) => id);
  }

  /** What plans of these deliveries say of customers, with the customer that it came to. */
  plannedCustomers(
    organizationId: string,
    deliveries: readonly string[],
  ): Promise<{ input: unknown; id: string | null }[]> {
    return this.database.prisma.$queryRaw<{ input: unknown; id: string | null }[]>`
      select p.effect -> 'input' as input, e.output ->> 'id' as id
      from run r cross join jsonb_array_elements(r.plan -> 'steps') as s(step)
        cross join jsonb_array_elements(s.step -> 'effects') as p(effect)
        left join effect e on e.organization_id = r.organization_id and e.key = p.effect ->> 'key' and e.state = 'applied'
      where r.organization_id = ${organizationId}::uuid and r.delivery_id = any(${[...deliveries]}::uuid[])
        and p.effect ->> 'operation' = 'customer.ensure'
      limit 5000`;
  }

  /**
   * Goes through the bodies of an organization.
   * @param pattern as `certainPattern` makes it
   * @param isIn whether what was fetched for a delivery names the person
   * @returns deliveries whose body or what was fetched for it has the pattern
   */
  async deliveriesNaming(
    organizationId: string,
    pattern: string,
    isIn: (fetched: Uint8Array) => boolean,
    goOn: () => Promise<void>,
  ): Promise<string[]> {
    const found: string[] = [];
    for (let after: string | undefined = '00000000-0000-0000-0000-000000000000'; after !== undefined;) {
      const from: string = after;
      const [last] = await this.database.prisma.$queryRaw<{ id: string }[]>`
        select id::text as id from delivery_body where organization_id = ${organizationId}::uuid and id > ${from}::uuid
        order by id offset ${BODIES_AT_ONCE - 1} limit 1`;
      const rows = await this.database.prisma.$queryRaw<
        { id: string; named: boolean; fetched: Uint8Array | null }[]
      >`
        select id::text as id, encode(body, 'escape') ~* ${pattern} as named, fetched from delivery_body
        where organization_id = ${organizationId}::uuid and id > ${from}::uuid
          ${last ? Prisma.sql`and id <= ${last.id}::uuid` : Prisma.empty}
          and (fetched is not null or encode(body, 'escape') ~* ${pattern})`;
      for (const { id, named, fetched } of rows) if (named || (fetched && isIn(fetched))) found.push(id);
      after = last?.id;
      await goOn();
    }
    return found;
  }
}
