import { Injectable } from '@nestjs/common';
import type { Account } from '../../database/client/client';
import { Database } from '../../database/database';
import type { ListPage } from '../../kernel/list-page';
import { formatMinor, Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import type { Filter, FilterSpec } from '../filter-query';
import type { AccountRecordView } from './books.dto';

export const ACCOUNT_FILTERS: FilterSpec = { code: 'text', name: 'text', bankId: 'uuid', type: 'text' };

/** Accounts, for operators to read. */
@Injectable()
export class AccountRecordsRepository {
  constructor(private readonly database: Database) {}

  /** Newest first. */
  async list(
    organization: Organization,
    filter: Filter,
    { limit, after }: ListPage,
  ): Promise<AccountRecordView[]> {
    const rows = await this.database.prisma.account.findMany({
      where: {
        organizationId: organization.id,
        ...filter,
        ...(after !== undefined && { id: { lt: after } }),
      },
      orderBy: { id: 'desc' },
      take: limit,
    });
    return rows.map((row) => toRecord(row, organization));
  }

  async find(organization: Organization, id: string): Promise<AccountRecordView | undefined> {
    const row = await this.database.prisma.account.findFirst({
      where: { id, organizationId: organization.id },
    });
    return row ? toRecord(row, organization) : undefined;
  }
}

function toRecord(row: Account, { currency }: Organization): AccountRecordView {
  return {
    id: row.id,
    code: row.code,
    name: row.name,
    bankId: row.bankId,
    openBalance: formatMinor(row.openBalanceMinor, Money.exponentOf(currency)),
    currency,
    dateOfOpenBalance: row.openedOn.toISOString().slice(0, 10),
    bankAgency: row.agency,
    bankAccount: row.number,
    bankAccountVerificationNumber: row.verificationNumber,
    type: row.type,
    virtualAccountDetails: row.virtualDetails as object | null,
    createdAt: row.createdAt,
  };
}
