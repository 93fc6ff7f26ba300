import { Prisma } from '../../../database/client/client';
import type { Transaction } from '../../../database/transaction';
import { queryInTransaction } from '../../../database/transaction-statements';
import type { Organization } from '../../../kernel/organization';
import { CalendarDate } from '../../../kernel/calendar-date';
import { accounts, announcedBalances } from '../lists/account-lists.sql';
import { costCenters } from '../lists/cost-center-list.sql';
import { announcedTransfers, movements } from '../lists/movement-list.sql';
import { type ListDeclaration, ListReading } from '../lists/list.repository';
import { allSchedules, overdueCredit } from '../lists/schedule-lists.sql';
import { stakeholders } from '../lists/supplier-list.sql';

/** Kinds of records that are announced, each with a list that shows them. */
const LISTS = {
  stakeholder: ({ id }) => stakeholders(id),
  schedule: ({ id }, now) => allSchedules(id, now),
  movement: ({ id }) => movements(id),
  transfer: ({ id }) => announcedTransfers(id),
  // Which day is today matters to which are listed, and to nothing that is shown.
  overdueReceivable: (organization) => overdueCredit(organization, NO_DAY),
  account: (organization) => accounts(organization),
  balance: (organization) => announcedBalances(organization),
  costCenter: (organization) => costCenters(organization),
} as const satisfies Record<string, (organization: Organization, now: Prisma.Sql) => ListDeclaration>;

export type RecordKind = keyof typeof LISTS;

export const RECORD_KINDS = Object.keys(LISTS) as readonly RecordKind[];

/** The list that shows a kind of records, of any organization: nothing of it but `where` is of one. @param now a `timestamptz` */
export function listOf(kind: RecordKind, now: Prisma.Sql): ListDeclaration {
  return LISTS[kind](NOBODY, now);
}

/** A record to be shown. */
export interface RecordName {
  organization: Organization;
  /** UUID */
  id: string;
}

const NOBODY: Organization = {
  id: '00000000-0000-0000-0000-000000000000',
  slug: '',
  name: '',
  timeZone: 'UTC',
  currency: 'BRL',
};
const NO_DAY = CalendarDate.parse('1900-01-01');

type Row = Record<string, string | number | boolean | null>;

/**
 * Records of one kind, of any organizations, as `/v1` shows them, as the caller's transaction left them. One
 * statement, whatever their number.
 * @returns by identifier
 */
export async function readRecords(
  tx: Transaction,
  kind: RecordKind,
  names: readonly RecordName[],
  now: Date,
): Promise<Map<string, object>> {
  const found = new Map<string, object>();
  const readings = new Map<string, ListReading>();
  const owners = new Map<string, ListReading>();
  const ids = names.map(({ id }) => id);
  for (const { id, organization } of names) {
    const reading = readings.get(organization.id) ?? readingOf(kind, organization, ids, now);
    readings.set(organization.id, reading);
    owners.set(id, reading);
  }
  const [any] = readings.values();
  if (!any) return found;
  const { text, values } = any.pageStatement();
  for (const row of await queryInTransaction<Row>(tx, text, values)) {
    const id = String(row['k0']);
    const item = owners.get(id)?.itemOf(row);
    if (item) found.set(id, item);
  }
  return found;
}

/** What a row becomes depends on its organization's zone and currency; the statement is the same for all. */
function readingOf(
  kind: RecordKind,
  organization: Organization,
  ids: readonly string[],
  now: Date,
): ListReading {
  const list = LISTS[kind](organization, Prisma.sql`${now}::timestamptz`);
  const where = Prisma.sql`${list.identifier} = any(${ids}::uuid[])`;
  return new ListReading(organization, { ...list, where, order: [] }, { top: ids.length, skip: 0 });
}
