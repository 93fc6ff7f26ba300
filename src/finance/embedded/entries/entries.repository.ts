import { Injectable } from '@nestjs/common';
import { Prisma } from '../../../database/client/client';
import { Database } from '../../../database/database';
import type { Transaction } from '../../../database/transaction';
import { formatMinor, Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import type { EntryKind, Side } from '../ledger/entry';

export const ENTRY_KINDS = [
  'opening',
  'receivable',
  'payable',
  'receipt',
  'payment',
  'transfer',
  'discount',
  'reversal',
] as const satisfies readonly EntryKind[];

/** What the sides of an entry stand for. */
export const ENTRY_BOOKS = [
  'account',
  'receivable',
  'payable',
  'income',
  'expense',
  'equity',
] as const satisfies readonly Side['book'][];

/** Which entries are asked for; see {@link EntriesRepository.list}. */
export interface EntryFilter {
  /** UUID of an account on either side. */
  account?: string;
  /** UUID of a schedule on either side. */
  schedule?: string;
  kind?: string;
  /** Also what was taken back, and what took it back. */
  reversed: boolean;
}

/** Which part of them. */
export interface EntryPage {
  limit: number;
  after?: string;
}

interface NamedRecord {
  id: string;
  name: string;
  isDeleted: boolean;
}

/** One movement of the ledger as operators see it. */
export interface EntryRecord {
  /** UUID, ordered by time. */
  id: string;
  kind: EntryKind;
  /** `YYYY-MM-DD` */
  date: string;
  /** Decimal text. Seen from an account: negative where money left it. Else above zero. */
  value: string;
  currency: string;
  /** Where the value went. */
  debit: Side;
  /** Where it came from. */
  credit: Side;
  stakeholder: NamedRecord | null;
  category: NamedRecord | null;
  costCenterId: string | null;
  description: string | null;
  reference: string | null;
  identifier: string | null;
  payingType: string | null;
  isReconciliated: boolean;
  isTransfer: boolean;
  isFlagged: boolean;
  reversesId: string | null;
}

interface EntryRow extends Omit<
  EntryRecord,
  'value' | 'currency' | 'debit' | 'credit' | 'stakeholder' | 'category' | 'isTransfer'
> {
  minor: bigint;
  debitBook: Side['book'];
  debitId: string;
  creditBook: Side['book'];
  creditId: string;
  stakeholderId: string | null;
  stakeholderName: string | null;
  stakeholderDeleted: boolean;
  categoryId: string | null;
  categoryName: string | null;
  categoryDeleted: boolean;
}

/** What an entry allows, while nobody else can change that. */
export interface LockedEntry {
  touchesAccount: boolean;
  /** It was taken back, or takes another back. */
  reversed: boolean;
  reconciliated: boolean;
}

/** Entries of the ledger, to be read, and found on the bank's statement. */
@Injectable()
export class EntriesRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. @param after only entries older than the one with this id */
  async list(organization: Organization, filter: EntryFilter, page: EntryPage): Promise<EntryRecord[]> {
    const rows = await this.database.prisma.$queryRaw<EntryRow[]>(
      listStatement(organization.id, filter, page),
    );
    return rows.map((row) => toRecord(row, organization.currency));
  }

  /** The entry, locked so that it is neither taken back nor marked by another until the transaction ends. */
  async lock(tx: Transaction, organizationId: string, id: string): Promise<LockedEntry | undefined> {
    const locked = await tx.$queryRaw<unknown[]>`
      select id from entry
      where id = ${id}::uuid and organization_id = ${organizationId}::uuid for update`;
    if (locked.length === 0) return undefined;
    // A statement of its own: it sees what was committed while the lock was waited for.
    const [entry] = await tx.$queryRaw<LockedEntry[]>`
      select 'account' in (e.debit_book, e.credit_book) as "touchesAccount",
        e.kind = 'reversal' or exists (select from entry r where r.reverses_id = e.id) as reversed,
        exists (select from entry_reconciliation b where b.entry_id = e.id) as reconciliated
      from entry e where e.id = ${id}::uuid`;
    return entry;
  }

  async reconcile(tx: Transaction, id: string, reconciledAt: Date): Promise<void> {
    await tx.entryReconciliation.create({ data: { entryId: id, reconciledAt } });
  }

  async unreconcile(tx: Transaction, id: string): Promise<void> {
    await tx.entryReconciliation.delete({ where: { entryId: id } });
  }
}

/** What {@link EntriesRepository.list} asks the database. */
export function listStatement(organizationId: string, filter: EntryFilter, page: EntryPage): Prisma.Sql {
  const { account } = filter;
  return Prisma.sql`
    select e.id, e.kind::text as kind, e.date::text as date, e.debit_book::text as "debitBook",
      e.debit_id as "debitId", e.credit_book::text as "creditBook", e.credit_id as "creditId",
      case when e.credit_book = 'account' and e.credit_id = ${account ?? null}::uuid
        then -e.amount_minor else e.amount_minor end as minor,
      s.id as "stakeholderId", s.name as "stakeholderName", s.deleted_at is not null as "stakeholderDeleted",
      c.id as "categoryId", c.name as "categoryName", c.deleted_at is not null as "categoryDeleted",
      e.cost_center_id as "costCenterId", e.description, e.reference, e.identifier,
      e.paying_type as "payingType", e.is_flagged as "isFlagged", e.reverses_id as "reversesId",
      b.entry_id is not null as "isReconciliated"
    from entry e
    left join stakeholder s on s.id = e.stakeholder_id
    left join category c on c.id = e.category_id
    left join entry_reconciliation b on b.entry_id = e.id
    where ${Prisma.join(conditionsOf(organizationId, filter, page), ' and ')}
    order by e.id desc
    limit ${page.limit}::int`;
}

function conditionsOf(
  organizationId: string,
  { account, schedule, kind, reversed }: EntryFilter,
  { after }: EntryPage,
): Prisma.Sql[] {
  return [
    Prisma.sql`e.organization_id = ${organizationId}::uuid`,
    ...(after === undefined ? [] : [Prisma.sql`e.id < ${after}::uuid`]),
    ...(kind === undefined ? [] : [Prisma.sql`e.kind = ${kind}::entry_kind`]),
    ...(account === undefined ? [] : [onSide(account, ['account'])]),
    ...(schedule === undefined ? [] : [onSide(schedule, ['receivable', 'payable'])]),
    ...(reversed
      ? []
      : [Prisma.sql`e.kind <> 'reversal' and not exists (select from entry r where r.reverses_id = e.id)`]),
  ];
}

/** Two look-ups by index instead of one scan. */
function onSide(id: string, books: readonly Side['book'][]): Prisma.Sql {
  return Prisma.sql`(e.debit_id = ${id}::uuid and e.debit_book::text = any(${books})
    or e.credit_id = ${id}::uuid and e.credit_book::text = any(${books}))`;
}

function toRecord(row: EntryRow, currency: string): EntryRecord {
  return {
    id: row.id,
    kind: row.kind,
    date: row.date,
    value: formatMinor(row.minor, Money.exponentOf(currency)),
    currency,
    debit: { book: row.debitBook, id: row.debitId },
    credit: { book: row.creditBook, id: row.creditId },
    stakeholder: named(row.stakeholderId, row.stakeholderName, row.stakeholderDeleted),
    category: named(row.categoryId, row.categoryName, row.categoryDeleted),
    costCenterId: row.costCenterId,
    description: row.description,
    reference: row.reference,
    identifier: row.identifier,
    payingType: row.payingType,
    isReconciliated: row.isReconciliated,
    isTransfer: row.kind === 'transfer',
    isFlagged: row.isFlagged,
    reversesId: row.reversesId,
  };
}

function named(id: string | null, name: string | null, isDeleted: boolean): NamedRecord | null {
  return id === null ? null : { id, name: name ?? '', isDeleted };
}
