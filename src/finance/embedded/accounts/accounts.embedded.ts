import { Injectable } from '@nestjs/common';
import { newId } from '../../../kernel/identifier';
import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { accountsOpened } from '../changes/announce';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { mustBePaths, pathId } from '../../api/ports/not-found';
import { single } from '../../api/ports/outcome';
import { posting } from '../ledger/posting';
import { EmbeddedBooks } from '../embedded-books.embedded';
import { accountBalances, accounts } from '../lists/account-lists.sql';
import { transfers } from '../lists/movement-list.sql';
import { requireReferences } from './account-references.repository';
import { updateAccount } from './account-update.repository';
import type {
  AccountBalanceView,
  AccountListingView,
  AccountShape,
  AccountUpdateShape,
  TransferEntryView,
  TransferShape,
} from '../../api/shapes/accounts.dto';
import { AccountsPort } from '../../api/ports/accounts.port';
import { openAccounts, type NewAccount } from './accounts.repository';
import { transferMoney } from './transfers';
import { virtualDetails } from './virtual-details';

@Injectable()
export class AccountsEmbedded extends AccountsPort {
  constructor(private readonly books: EmbeddedBooks) {
    super();
  }

  override async create(organization: Organization, shape: AccountShape): Promise<string> {
    const account = this.toNewAccount(organization, shape);
    return this.books.write(organization, async (tx, announce) => {
      await requireReferences(tx, organization, shape);
      await openAccounts(tx, [account]);
      const { id } = account;
      await announce(accountsOpened([id]));
      return id;
    });
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<AccountListingView>> {
    return this.books.list(organization, accounts(organization), list);
  }

  override listBalances(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<AccountBalanceView>> {
    return this.books.list(organization, accountBalances(organization), list);
  }

  override async update(
    organization: Organization,
    accountId: string,
    body: AccountUpdateShape,
  ): Promise<void> {
    const id = pathId(accountId, 'account');
    mustBePaths('accountId', body, id, 'account');
    await this.books.write(organization, async (tx, announce) => {
      await updateAccount(tx, organization, id, body);
      await announce([{ type: 'account.updated', id }]);
    });
  }

  override transfer(organization: Organization, shape: TransferShape): Promise<void> {
    const { originAccountId: origin, destinyAccountId: destiny, date, value } = shape;
    const transfer = { id: newId(), organization, origin, destiny, date, value };
    return this.books.write(organization, async (tx, announce) => {
      const { id } = single(await posting(tx, (books) => transferMoney(books, [transfer])));
      await announce([{ type: 'transfer.made', id }]);
    });
  }

  override listTransfers(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<TransferEntryView>> {
    return this.books.list(organization, transfers(organization), list);
  }

  private toNewAccount(organization: Organization, shape: AccountShape): NewAccount {
    return {
      id: newId(),
      organization,
      name: shape.name,
      bankId: shape.bankId ?? undefined,
      openBalance: shape.openBalance ?? Money.zero(organization.currency),
      openedOn: shape.dateOfOpenBalance ?? this.books.today(organization),
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
