import { Injectable } from '@nestjs/common';
import { Prisma } from '../../database/client/client';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { isUniqueViolation } from '../../database/unique-violation';
import type { ListPage } from '../../kernel/list-page';
import type { Filter } from '../filter-query';
import type { MasterRecord, RecordFields, RecordKind } from './record-kind';

interface Row extends RecordRow {
  id: string;
  deletedAt: Date | null;
}

type RecordRow = Record<string, string | Date | null>;

/** What the tables of the four kinds have in common. */
interface Table {
  findMany(args: object): Promise<Row[]>;
  findFirst(args: object): Promise<Row | null>;
  createMany(args: object): Promise<{ count: number }>;
  updateMany(args: object): Promise<{ count: number }>;
}

/** The four kinds of simple records. */
@Injectable()
export class RecordsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(
    kind: RecordKind,
    organizationId: string,
    { deleted, ...fields }: Filter,
    { limit, after }: ListPage,
  ): Promise<MasterRecord[]> {
    const rows = await tableOf(this.database.prisma, kind).findMany({
      where: {
        organizationId,
        ...fields,
        ...(deleted !== 'true' && { deletedAt: null }),
        ...(after !== undefined && { id: { lt: after } }),
      },
      orderBy: { id: 'desc' },
      take: limit,
    });
    return rows.map((row) => toRecord(kind, row));
  }

  /** A deleted one too. */
  async find(kind: RecordKind, organizationId: string, id: string): Promise<MasterRecord | undefined> {
    const row = await tableOf(this.database.prisma, kind).findFirst({ where: { id, organizationId } });
    return row ? toRecord(kind, row) : undefined;
  }

  /** As {@link find}, and nobody else changes it until the transaction ends. */
  async lock(
    tx: Transaction,
    kind: RecordKind,
    organizationId: string,
    id: string,
  ): Promise<MasterRecord | undefined> {
    await tx.$queryRaw`
      select id from ${Prisma.raw(kind.table)}
      where id = ${id}::uuid and organization_id = ${organizationId}::uuid for update`;
    const row = await tableOf(tx, kind).findFirst({ where: { id, organizationId } });
    return row ? toRecord(kind, row) : undefined;
  }

  /** @returns false when the code is taken */
  async insert(
    tx: Transaction,
    kind: RecordKind,
    organizationId: string,
    id: string,
    fields: RecordFields,
  ): Promise<boolean> {
    const data = [{ id, organizationId, ...fields }];
    return (await tableOf(tx, kind).createMany({ data, skipDuplicates: true })).count === 1;
  }

  /** The record that has a code, deleted or not. */
  async byCode(
    tx: Transaction,
    kind: RecordKind,
    organizationId: string,
    code: string | null,
  ): Promise<MasterRecord | undefined> {
    const row = await tableOf(tx, kind).findFirst({ where: { organizationId, [kind.code]: code } });
    return row ? toRecord(kind, row) : undefined;
  }

  /**
   * @param deletedAt null revives
   * @returns false when the code is taken; the transaction is then lost
   */
  async update(
    tx: Transaction,
    kind: RecordKind,
    id: string,
    fields: RecordFields,
    deletedAt: Date | null,
  ): Promise<boolean> {
    try {
      await tableOf(tx, kind).updateMany({ where: { id }, data: { ...fields, deletedAt } });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  /** Whether the group is there and not deleted; it stays so until the transaction ends. */
  async lockLiveGroup(tx: Transaction, organizationId: string, id: string): Promise<boolean> {
    const found = await tx.$queryRaw<unknown[]>`
      select id from category_group
      where id = ${id}::uuid and organization_id = ${organizationId}::uuid and deleted_at is null for share`;
    return found.length > 0;
  }

  async hasLiveCategories(tx: Transaction, groupId: string): Promise<boolean> {
    return (await tx.category.findFirst({ where: { groupId, deletedAt: null } })) !== null;
  }

  /** Whether any entry is booked under a category (a schedule is, with its first entry), or will be. */
  async isCategoryUsed(tx: Transaction, categoryId: string): Promise<boolean> {
    const [row] = await tx.$queryRaw<{ used: boolean }[]>`
      select exists (select from entry where debit_id = ${categoryId}::uuid)
        or exists (select from entry where credit_id = ${categoryId}::uuid)
        or exists (select from recurrence where category_id = ${categoryId}::uuid) as used`;
    return row?.used === true;
  }
}

/** One of Prisma's tables, seen as what all four have in common; their own types differ in their fields alone. */
function tableOf(client: Transaction, { model }: RecordKind): Table {
  return client[model] as unknown as Table;
}

function toRecord(kind: RecordKind, row: Row): MasterRecord {
  const fields = kind.fields.map((name) => [name, row[name] ?? null] as const);
  return { id: row.id, ...(Object.fromEntries(fields) as RecordFields), deleted: row.deletedAt !== null };
}
