import { Injectable } from '@nestjs/common';
import { Prisma } from '../../../database/client/client';
import { Database } from '../../../database/database';
import { CalendarDate } from '../../../kernel/calendar-date';
import { isUuid } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import {
  type AccountEntries,
  type AccountEntriesRequest,
  type AccountEntry,
  BookDetailsPort,
  type Instalment,
  MOST_SETTLEMENTS,
  readCursor,
  type Settlement,
  writeCursor,
} from '../../api/ports/book-details.port';

interface EntryRow extends Omit<AccountEntry, 'date' | 'stakeholder'> {
  /** `YYYY-MM-DD` */
  date: string;
  stakeholderId: string | null;
  stakeholderName: string | null;
}

type SettlementRow = Omit<Settlement, 'date'> & { date: string };

/** What was taken back does not count, nor does what took it back. */
const STANDS = Prisma.sql`e.kind <> 'reversal' and not exists (select from entry r where r.reverses_id = e.id)`;

@Injectable()
export class BookDetailsEmbedded extends BookDetailsPort {
  constructor(private readonly database: Database) {
    super();
  }

  override async entries(
    organization: Organization,
    accountId: string,
    request: AccountEntriesRequest,
  ): Promise<AccountEntries> {
    const { limit } = request;
    const rows = await this.database.prisma.$queryRaw<EntryRow[]>(
      entriesStatement(organization.id, accountId, request),
    );
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    return {
      items: shown.map(toEntry),
      ...(rows.length > limit && last && { next: writeCursor([last.date, last.id]) }),
    };
  }

  override async settlements(
    organization: Organization,
    _customerId: string,
    schedules: readonly string[],
  ): Promise<Settlement[] | undefined> {
    if (schedules.length === 0) return [];
    const rows = await this.database.prisma.$queryRaw<SettlementRow[]>`
      select e.id, e.credit_id as schedule, e.kind::text as kind, e.date::text as date, e.amount_minor as minor,
        coalesce(e.description, '') as description, e.reference, e.identifier
      from entry e
      where e.credit_id = any(${[...schedules]}::uuid[]) and e.credit_book = 'receivable'
        and e.organization_id = ${organization.id}::uuid and e.kind in ('receipt', 'discount') and ${STANDS}
      limit ${MOST_SETTLEMENTS + 1}::int`;
    if (rows.length > MOST_SETTLEMENTS) return undefined;
    return rows.map(({ date, ...row }) => ({ ...row, date: CalendarDate.parse(date) }));
  }

  override async instalments(
    organization: Organization,
    schedules: readonly string[],
  ): Promise<Map<string, Instalment>> {
    const rows = await this.database.prisma.schedule.findMany({
      where: { id: { in: [...schedules] }, organizationId: organization.id, instalmentCount: { gt: 1 } },
      select: { id: true, instalment: true, instalmentCount: true },
    });
    return new Map(rows.map((row) => [row.id, { number: row.instalment, count: row.instalmentCount }]));
  }

  override async defaultAccount({ id }: Organization): Promise<string | null> {
    const found = await this.database.prisma.organization.findUnique({
      where: { id },
      select: { defaultAccountId: true },
    });
    return found?.defaultAccountId ?? null;
  }
}

/** Two walks along an index, one for each side, of which the later entries are taken. */
function entriesStatement(
  organizationId: string,
  accountId: string,
  { from, to, limit, after }: AccountEntriesRequest,
): Prisma.Sql {
  const conditions = [
    Prisma.sql`e.organization_id = ${organizationId}::uuid`,
    STANDS,
    ...(from ? [Prisma.sql`e.date >= ${from.toString()}::date`] : []),
    ...(to ? [Prisma.sql`e.date <= ${to.toString()}::date`] : []),
    ...(after === undefined ? [] : [comesAfter(after)]),
  ];
  const side = (name: 'debit' | 'credit', sign: 1 | -1): Prisma.Sql => {
    const book = Prisma.raw(`e.${name}_book`);
    const other = name === 'debit' ? 'credit' : 'debit';
    const of = Prisma.raw(`case when e.${other}_book in ('receivable', 'payable') then e.${other}_id end`);
    return Prisma.sql`(select e.id, e.kind, e.date, ${sign}::bigint * e.amount_minor as minor, e.description,
        e.stakeholder_id, ${of} as schedule, e.reference, e.identifier
      from entry e
      where ${Prisma.raw(`e.${name}_id`)} = ${accountId}::uuid and ${book} = 'account'
        and ${Prisma.join(conditions, ' and ')}
      order by e.date desc, e.id desc limit ${limit + 1}::int)`;
  };
  return Prisma.sql`
    select m.id, m.kind::text as kind, m.date::text as date, m.minor, coalesce(m.description, '') as description,
      m.schedule, m.reference, m.identifier, t.id as "stakeholderId", t.name as "stakeholderName"
    from (${side('debit', 1)} union all ${side('credit', -1)}) m
    left join stakeholder t on t.id = m.stakeholder_id
    order by m.date desc, m.id desc limit ${limit + 1}::int`;
}

/** @throws Problem malformed-request */
function comesAfter(after: string): Prisma.Sql {
  const [date, id] = readCursor(after) ?? [];
  if (typeof date !== 'string' || !CalendarDate.isDay(date) || typeof id !== 'string' || !isUuid(id))
    throw new Problem('malformed-request', 'after must be what the page before has as after');
  return Prisma.sql`e.date <= ${date}::date and (e.date, e.id) < (${date}::date, ${id}::uuid)`;
}

function toEntry({ date, stakeholderId, stakeholderName, ...row }: EntryRow): AccountEntry {
  return {
    ...row,
    date: CalendarDate.parse(date),
    stakeholder: stakeholderId === null ? null : { id: stakeholderId, name: stakeholderName ?? '' },
  };
}
