import { Prisma } from '../database/client/client';
import type { Person } from './person';

/** A column of a primary key, with PostgreSQL's type of it. */
export interface KeyColumn {
  readonly name: string;
  readonly type: 'uuid' | 'bigint' | 'int' | 'text';
}

/** A table in which something about a person may stand, and where. */
export interface Place {
  readonly table: string;
  readonly keys: readonly KeyColumn[];
  readonly texts?: readonly string[];
  /** Columns with JSON; the type is `json` where it is not `jsonb`. */
  readonly json?: Readonly<Record<string, 'json' | 'jsonb'>>;
  /** How a member of JSON without a value is stored; absent: not at all. */
  readonly missing?: 'null';
  /** The primary key begins with the organization; absent: it does not, and rows of others are passed over. */
  readonly byOrganization?: true;
  /** Rows of the organization, of the table `t`. */
  readonly of: (organizationId: string) => Prisma.Sql;
  /** Rows that belong to the person, of the table `t`; absent: none are known to. */
  readonly isTheirs?: (person: Person, erasureId: string) => Prisma.Sql;
  /** Rows that may be changed now, of the table `t`: the others are waited for. Absent: all. */
  readonly isSettled?: Prisma.Sql;
  /** A column of a unique index that is made unique again where two rows became the same. */
  readonly unique?: string;
}

const own = (organizationId: string): Prisma.Sql => Prisma.sql`t.organization_id = ${organizationId}::uuid`;
const ID: readonly KeyColumn[] = [{ name: 'id', type: 'uuid' }];
const byDelivery = ({ deliveries }: Person): Prisma.Sql =>
  Prisma.sql`t.delivery_id = any(${[...deliveries]}::uuid[])`;
const byStakeholder = ({ stakeholders }: Person): Prisma.Sql =>
  Prisma.sql`t.stakeholder_id = any(${[...stakeholders]}::uuid[])`;
const byRecord = ({ records }: Person): Prisma.Sql => Prisma.sql`t.record_id = any(${[...records]}::uuid[])`;

/**
 * Where texts about persons stand, besides the record itself and the bodies. Each table is gone through once, in the order of
 * its primary key. Keys are not listed that name an order, a payment or a request: they stay, so that nothing is done twice.
 */
export const PLACES: readonly Place[] = [
  {
    ...{ table: 'delivery', keys: ID, of: own, texts: ['reason', 'outcome'], json: { attributes: 'jsonb' } },
    isTheirs: ({ deliveries }) => Prisma.sql`t.id = any(${[...deliveries]}::uuid[])`,
  },
  {
    ...{ table: 'approval', keys: ID, of: own, isTheirs: byDelivery },
    ...{ texts: ['reason', 'effect_key'], json: { plan: 'jsonb' } },
  },
  {
    ...{ table: 'effect', keys: [{ name: 'key', type: 'text' }], of: own, byOrganization: true },
    ...{ texts: ['reason'], json: { attention: 'jsonb' } },
    isTheirs: ({ deliveries }) =>
      Prisma.sql`t.run_id in (select id from run where delivery_id = any(${[...deliveries]}::uuid[]))`,
  },
  {
    ...{ table: 'deferred_effect', keys: ID, of: own, isTheirs: byDelivery },
    ...{ texts: ['reason', 'key', 'business_key'], json: { effect: 'jsonb' } },
  },
  {
    ...{ table: 'schedule', keys: ID, of: own, isTheirs: byStakeholder, texts: ['description', 'reference'] },
  },
  {
    ...{ table: 'recurrence', keys: ID, of: own, isTheirs: byStakeholder },
    texts: ['description', 'reference'],
  },
  {
    ...{ table: 'entry', keys: ID, of: own, texts: ['description', 'reference', 'identifier'] },
    isTheirs: ({ records, stakeholders }) =>
      Prisma.sql`(t.id = any(${[...records]}::uuid[]) or t.stakeholder_id = any(${[...stakeholders]}::uuid[]))`,
  },
  {
    table: 'feed_stored_change',
    keys: [
      { name: 'batch_id', type: 'bigint' },
      { name: 'number', type: 'int' },
    ],
    of: (id) =>
      Prisma.sql`(exists (select from feed_batch b where b.id = t.batch_id and b.organization_id = ${id}::uuid)
        or exists (select from feed_waiting w where w.id = t.batch_id and w.organization_id = ${id}::uuid))`,
    isTheirs: ({ records, deliveries }) =>
      Prisma.sql`(split_part(t.subject, '/', 2) = any(${[...records]}::text[]) or t.delivery_id = any(${[...deliveries]}::uuid[]))`,
    ...{ texts: ['business_key'], json: { data: 'json' }, missing: 'null' },
  },
  {
    ...{ table: 'run', keys: ID, of: own, isTheirs: byDelivery },
    ...{ texts: ['reason'], json: { plan: 'jsonb', steps: 'jsonb' } },
  },
  {
    ...{ table: 'attention', keys: ID, of: own, isTheirs: byDelivery },
    ...{ texts: ['detail', 'business_key'], unique: 'detail' },
  },
  {
    ...{ table: 'finance_call', keys: ID, of: own },
    ...{ texts: ['reason', 'effect_key'], json: { request: 'jsonb', evidence: 'jsonb', output: 'jsonb' } },
    isTheirs: (person) =>
      Prisma.sql`(${byDelivery(person)} or t.output ->> 'id' = any(${[...person.records]}::text[])
        or t.output -> 'all' ?| ${[...person.records]}::text[])`,
    isSettled: Prisma.sql`(t.state in ('applied', 'refused') or t.abandoned_at is not null)`,
  },
  {
    table: 'finance_attempt',
    keys: [
      { name: 'call_id', type: 'uuid' },
      { name: 'number', type: 'int' },
    ],
    of: (id) =>
      Prisma.sql`exists (select from finance_call c where c.id = t.call_id and c.organization_id = ${id}::uuid)`,
    isTheirs: ({ deliveries }) =>
      Prisma.sql`exists (select from finance_call c where c.id = t.call_id and c.delivery_id = any(${[...deliveries]}::uuid[]))`,
    texts: ['reply'],
  },
  ...(['watch_record', 'watch_staged'] as const).map((table): Place => ({
    table,
    keys: [
      { name: 'kind', type: 'text' },
      { name: 'record_id', type: 'uuid' },
    ],
    ...{ of: own, byOrganization: true, isTheirs: byRecord, json: { data: 'json' }, missing: 'null' },
  })),
  {
    table: 'idempotency_record',
    keys: [{ name: 'key', type: 'text' }],
    byOrganization: true,
    of: own,
    json: { result: 'jsonb' },
  },
  { table: 'account', keys: ID, of: own, texts: ['name'], json: { virtual_details: 'jsonb' } },
  { table: 'cost_center', keys: ID, of: own, texts: ['description'] },
  {
    ...{ table: 'audit_entry', keys: ID, of: own },
    ...{ texts: ['reason', 'subject'], json: { before: 'jsonb', after: 'jsonb' }, missing: 'null' },
    isTheirs: ({ stakeholders, deliveries }, erasureId) =>
      Prisma.sql`t.subject = any(${[erasureId, ...stakeholders, ...deliveries]}::text[])`,
  },
  {
    ...{ table: 'erasure', keys: ID, of: own, texts: ['reason', 'note'] },
    isTheirs: ({ stakeholders }, erasureId) =>
      Prisma.sql`(t.id = ${erasureId}::uuid or t.records && ${[...stakeholders]}::uuid[])`,
  },
];
