import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Person } from './person';

/** A delivery with what it was received as. */
export interface ExportedDelivery {
  id: string;
  source: string;
  topic: string;
  receivedAt: Date;
  businessKey: string | null;
  body: Uint8Array | null;
  fetched: Uint8Array | null;
}

/** What is kept of a person, besides bodies. */
export interface ExportedRecords {
  customers: unknown[];
  schedules: unknown[];
  entries: unknown[];
  changes: unknown[];
  notifications: unknown[];
}

/** Rows of each kind that one export has. */
export const MOST_ROWS = 10_000;

/** Reads what is kept of a person, for a copy of it. */
@Injectable()
export class PersonExport {
  constructor(private readonly database: Database) {}

  /** As JSON has them, oldest first; at most {@link MOST_ROWS} of each. Amounts are in minor units. */
  async records(
    organizationId: string,
    { stakeholders, records, deliveries }: Person,
  ): Promise<ExportedRecords> {
    const [ids, all, about] = [[...stakeholders], [...records], [...deliveries]];
    const { prisma } = this.database;
    const read = async (rows: Promise<{ row: unknown }[]>): Promise<unknown[]> =>
      (await rows).map(({ row }) => row);
    return {
      customers: await read(prisma.$queryRaw`
        select jsonb_build_object('id', id, 'kind', kind, 'name', name, 'email', email, 'phone', phone, 'document', document,
          'details', details, 'createdAt', created_at, 'updatedAt', updated_at) as row
        from stakeholder where organization_id = ${organizationId}::uuid and id = any(${ids}::uuid[])
        order by id limit ${MOST_ROWS}`),
      schedules: await read(prisma.$queryRaw`
        select jsonb_build_object('id', id, 'kind', kind, 'customer', stakeholder_id, 'description', description,
          'reference', reference, 'valueMinor', value_minor::text, 'openMinor', open_minor::text, 'scheduleDate', schedule_date,
          'dueDate', due_date, 'instalment', instalment, 'instalments', instalment_count, 'createdAt', created_at) as row
        from schedule where organization_id = ${organizationId}::uuid and id = any(${all}::uuid[])
        order by id limit ${MOST_ROWS}`),
      entries: await read(prisma.$queryRaw`
        select jsonb_build_object('id', id, 'kind', kind, 'date', date, 'valueMinor', amount_minor::text, 'debit', debit_book,
          'debitId', debit_id, 'credit', credit_book, 'creditId', credit_id, 'description', description, 'reference', reference,
          'identifier', identifier, 'takesBack', reverses_id) as row
        from entry where organization_id = ${organizationId}::uuid and id = any(${all}::uuid[])
        order by id limit ${MOST_ROWS}`),
      changes: await read(prisma.$queryRaw`
        select jsonb_build_object('type', c.type, 'subject', c.subject, 'at', b.at, 'data', c.data) as row
        from feed_batch b join feed_change c on c.batch_id = b.id
        where b.organization_id = ${organizationId}::uuid
          and (c.delivery_id = any(${about}::uuid[]) or split_part(c.subject, '/', 2) = any(${all}::text[]))
        order by b.position, c.number limit ${MOST_ROWS}`),
      notifications: await read(prisma.$queryRaw`
        select jsonb_build_object('operation', operation, 'state', state, 'effect', effect, 'at', coalesce(finished_at, created_at)) as row
        from deferred_effect where organization_id = ${organizationId}::uuid and delivery_id = any(${about}::uuid[])
        order by id limit ${MOST_ROWS}`),
    };
  }

  /** Earlier exports and erasures of whom this digest names, oldest first. */
  async requests(organizationId: string, digest: string): Promise<unknown[]> {
    const rows = await this.database.prisma.$queryRaw<{ row: unknown }[]>`
      select jsonb_build_object('at', at, 'action', action, 'actor', actor, 'reason', reason) as row from audit_entry
      where organization_id = ${organizationId}::uuid and action in ('privacy.export', 'privacy.erase')
        and after ->> 'person' = ${digest}
      order by at, id limit 1000`;
    return rows.map(({ row }) => row);
  }

  /** Some of the deliveries, in the order given. */
  async deliveries(organizationId: string, ids: readonly string[]): Promise<ExportedDelivery[]> {
    return this.database.prisma.$queryRaw<ExportedDelivery[]>`
      select d.id::text as id, s.slug as source, d.topic, d.received_at as "receivedAt", d.business_key as "businessKey",
        b.body, b.fetched
      from delivery d join source s on s.id = d.source_id
        left join delivery_body b on b.organization_id = d.organization_id and b.id = d.id
      where d.organization_id = ${organizationId}::uuid and d.id = any(${[...ids]}::uuid[]) order by d.id`;
  }
}
