import { Injectable } from '@nestjs/common';
import type { Account, Bank } from '../../database/client/client';
import { Database } from '../../database/database';
import { CalendarDate } from '../../kernel/calendar-date';
import { Clock } from '../../kernel/clock';
import { newId } from '../../kernel/identifier';
import { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import { readBalances } from '../ledger/balances';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import { notBuilt } from '../operations';
import { unacceptable } from '../outcome';
import { dayOf, wireAmount, wireDate } from '../shapes/wire';
import type { AccountBalanceView, AccountListingView, AccountShape, BankView } from './accounts.dto';
import { AccountsPort } from './accounts.port';
import { openAccounts, type NewAccount } from './accounts.repository';

@Injectable()
export class AccountsEmbedded extends AccountsPort {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async create(organization: Organization, shape: AccountShape): Promise<string> {
    const account = this.toNewAccount(organization, shape);
    await this.database.transaction(async (tx) => {
      const { bankId } = account;
      if (bankId && !(await tx.bank.count({ where: { id: bankId, organizationId: organization.id } }))) {
        throw unacceptable('/bankId', 'unknown', 'there is no such bank');
      }
      await openAccounts(tx, [account]);
    });
    return account.id;
  }

  override async list(organization: Organization, list: ListRequest): Promise<ListPart<AccountListingView>> {
    const { rows, count } = await this.part(organization, list);
    return { items: rows.map((row) => toListing(row, organization)), count };
  }

  override async listBalances(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<AccountBalanceView>> {
    const { rows, count } = await this.part(organization, list);
    const { prisma } = this.database;
    const balances = await readBalances(
      prisma,
      rows.map(({ id }) => id),
    );
    const bankIds = rows.map(({ bankId }) => bankId).filter((id) => id !== null);
    const banks = await prisma.bank.findMany({ where: { id: { in: bankIds } } });
    const items = rows.map((row) => ({
      accountId: row.id,
      accountName: row.name,
      balance: wireAmount(balances.get(row.id) ?? 0n, organization.currency),
      bank: toBankView(banks.find(({ id }) => id === row.bankId)),
    }));
    return { items, count };
  }

  override update(): Promise<void> {
    return Promise.reject(notBuilt('accounts.update'));
  }

  override transfer(): Promise<void> {
    return Promise.reject(notBuilt('accounts.transfer'));
  }

  private async part(
    organization: Organization,
    list: ListRequest,
  ): Promise<{ rows: Account[]; count: number }> {
    const where = { organizationId: organization.id };
    const { account } = this.database.prisma;
    const rows = await account.findMany({ where, orderBy: { id: 'asc' }, take: list.top, skip: list.skip });
    return { rows, count: await account.count({ where }) };
  }

  private toNewAccount(organization: Organization, shape: AccountShape): NewAccount {
    return {
      id: newId(),
      organization,
      name: shape.name,
      bankId: shape.bankId ?? undefined,
      openBalance: shape.openBalance ?? Money.zero(organization.currency),
      openedOn: shape.dateOfOpenBalance ?? CalendarDate.fromInstant(this.clock.now(), organization.timeZone),
      agency: shape.bankAgency ?? undefined,
      number: shape.bankAccount ?? undefined,
      verificationNumber: shape.bankAccountVerificationNumber ?? undefined,
      type: shape.type ?? undefined,
      virtualDetails: shape.virtualAccountDetails ?? undefined,
    };
  }
}

function toListing(row: Account, { currency, timeZone }: Organization): AccountListingView {
  return {
    id: row.id,
    name: row.name,
    openBalance: wireAmount(row.openBalanceMinor, currency),
    dateOfOpenBalance: wireDate(dayOf(row.openedOn), timeZone),
    isVirtual: row.virtualDetails !== null,
  };
}

function toBankView(bank: Bank | undefined): BankView {
  if (!bank) return {};
  const { id, code, name, color } = bank;
  return { id, code, name, ...(color !== null && { color }), scrapingEnabled: false, bankNumber: code };
}
