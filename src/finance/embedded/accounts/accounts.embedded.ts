import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { CalendarDate } from '../../../kernel/calendar-date';
import { Clock } from '../../../kernel/clock';
import { newId } from '../../../kernel/identifier';
import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { accountsOpened, announceOwn } from '../changes/announce';
import { readList } from '../lists/list.repository';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { pathId } from '../../api/ports/not-found';
import { unacceptable } from '../../../kernel/problem';
import { single } from '../../api/ports/outcome';
import { posting } from '../ledger/posting';
import { IdempotentTransaction } from '../idempotency/idempotent-transaction';
import { accountBalances, accounts } from '../lists/account-lists.sql';
import { requireReferences } from './account-references.repository';
import { updateAccount } from './account-update.repository';
import type {
  AccountBalanceView,
  AccountListingView,
  AccountShape,
  AccountUpdateShape,
  TransferShape,
} from '../../api/shapes/accounts.dto';
import { AccountsPort } from '../../api/ports/accounts.port';
import { openAccounts, type NewAccount } from './accounts.repository';
import { transferMoney } from './transfers';
import { virtualDetails } from './virtual-details';

@Injectable()
export class AccountsEmbedded extends AccountsPort {
  constructor(
    private readonly database: Database,
    private readonly writes: IdempotentTransaction,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async create(organization: Organization, shape: AccountShape): Promise<string> {
    const account = this.toNewAccount(organization, shape);
    return this.writes.transaction(async (tx) => {
      await requireReferences(tx, organization, shape);
      await openAccounts(tx, [account]);
      const { id } = account;
      await announceOwn(tx, organization, accountsOpened([id]), this.clock.now());
      return id;
    });
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<AccountListingView>> {
    return readList(this.database.prisma, organization, accounts(organization), list);
  }

  override listBalances(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<AccountBalanceView>> {
    return readList(this.database.prisma, organization, accountBalances(organization), list);
  }

  override async update(
    organization: Organization,
    accountId: string,
    body: AccountUpdateShape,
  ): Promise<void> {
    const id = pathId(accountId, 'account');
    if (body.accountId && body.accountId !== id) {
      throw unacceptable('/accountId', 'path', 'the account is not the one of the path');
    }
    await this.writes.transaction(async (tx) => {
      await updateAccount(tx, organization, id, body);
      await announceOwn(tx, organization, [{ type: 'account.updated', id }], this.clock.now());
    });
  }

  override transfer(organization: Organization, shape: TransferShape): Promise<void> {
    const { originAccountId: origin, destinyAccountId: destiny, date, value } = shape;
    const transfer = { id: newId(), organization, origin, destiny, date, value };
    return this.writes.transaction(async (tx) => {
      const { id } = single(await posting(tx, (books) => transferMoney(books, [transfer])));
      await announceOwn(tx, organization, [{ type: 'transfer.made', id }], this.clock.now());
    });
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
      virtualDetails: shape.virtualAccountDetails
        ? virtualDetails({}, shape.virtualAccountDetails)
        : undefined,
    };
  }
}
