import { Injectable } from '@nestjs/common';
import { Prisma, type Stakeholder } from '../../database/client/client';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { isUniqueViolation } from '../../database/unique-violation';
import type { Details, StakeholderFields } from '../../finance/embedded/customers/stakeholder-changes';
import type { ListPage } from '../../kernel/list-page';
import type { Filter, FilterSpec } from '../filter-query';
import type { StakeholderRecordView } from './stakeholders.dto';

export type StakeholderKind = 'customer' | 'supplier';

export const STAKEHOLDER_FILTERS: FilterSpec = {
  name: 'text',
  document: 'text',
  email: 'text',
  deleted: 'flag',
};

const PUNCTUATION = /[\s./-]/g;

/** Customers and suppliers, with everything that is stored of them. */
@Injectable()
export class StakeholdersRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. The document is found with or without its punctuation. */
  async list(
    kind: StakeholderKind,
    organizationId: string,
    { deleted, document, ...fields }: Filter,
    { limit, after }: ListPage,
  ): Promise<StakeholderRecordView[]> {
    const rows = await this.database.prisma.stakeholder.findMany({
      where: {
        organizationId,
        kind,
        ...fields,
        ...(document !== undefined && { document: document.replace(PUNCTUATION, '').toUpperCase() }),
        ...(deleted !== 'true' && { deletedAt: null }),
        ...(after !== undefined && { id: { lt: after } }),
      },
      orderBy: { id: 'desc' },
      take: limit,
    });
    return rows.map(toRecord);
  }

  /** A deleted one too. */
  async find(
    kind: StakeholderKind,
    organizationId: string,
    id: string,
  ): Promise<StakeholderRecordView | undefined> {
    const row = await this.database.prisma.stakeholder.findFirst({ where: { id, organizationId, kind } });
    return row ? toRecord(row) : undefined;
  }

  /** A supplier as stored; nobody else changes it until the transaction ends. */
  async lock(
    tx: Transaction,
    organizationId: string,
    id: string,
  ): Promise<(StakeholderFields & { deleted: boolean }) | undefined> {
    await tx.$queryRaw`
      select id from stakeholder
      where id = ${id}::uuid and organization_id = ${organizationId}::uuid for update`;
    const row = await tx.stakeholder.findFirst({
      where: { id, organizationId, kind: 'supplier', erasedAt: null },
    });
    if (!row) return undefined;
    const { name, email, phone, document, documentType, deletedAt } = row;
    return {
      name,
      email,
      phone,
      document,
      documentType,
      details: detailsOf(row),
      deleted: deletedAt !== null,
    };
  }

  /** Makes a supplier. @returns false when the document is taken */
  async insert(
    tx: Transaction,
    organizationId: string,
    id: string,
    fields: StakeholderFields,
  ): Promise<boolean> {
    const data = [
      { id, organizationId, kind: 'supplier' as const, ...fields, details: plain(fields.details) },
    ];
    return (await tx.stakeholder.createMany({ data, skipDuplicates: true })).count === 1;
  }

  /** The supplier that has a document. */
  async byDocument(
    tx: Transaction,
    organizationId: string,
    document: string | null,
  ): Promise<{ id: string; deleted: boolean } | undefined> {
    const row = await tx.stakeholder.findFirst({ where: { organizationId, kind: 'supplier', document } });
    return row ? { id: row.id, deleted: row.deletedAt !== null } : undefined;
  }

  /**
   * @param deletedAt null revives
   * @returns false when the document is taken; the transaction is then lost
   */
  async update(
    tx: Transaction,
    id: string,
    fields: StakeholderFields,
    deletedAt: Date | null,
  ): Promise<boolean> {
    const { name, email, phone, document, documentType } = fields;
    const data = { name, email, phone, document, documentType, details: plain(fields.details), deletedAt };
    try {
      await tx.stakeholder.update({ where: { id }, data });
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }
}

function toRecord(row: Stakeholder): StakeholderRecordView {
  const { id, name, email, phone, document, documentType, kind, createdAt, deletedAt } = row;
  const { communication, address, bankAccountInformation, companyInformation } = detailsOf(row);
  return {
    id,
    name,
    email,
    phone,
    document:
      document === null ? {} : { number: document, ...(documentType !== null && { type: documentType }) },
    communication: communication ?? {},
    address: address ?? {},
    bankAccountInformation: bankAccountInformation ?? {},
    companyInformation: companyInformation ?? {},
    type: kind,
    createdAt,
    deleted: deletedAt !== null,
  };
}

function detailsOf({ details }: Stakeholder): Details {
  return (details ?? {}) as Details;
}

/** Instances of the shapes as the plain objects that are stored. */
function plain(details: Details): Prisma.InputJsonObject {
  return JSON.parse(JSON.stringify(details)) as Prisma.InputJsonObject;
}
