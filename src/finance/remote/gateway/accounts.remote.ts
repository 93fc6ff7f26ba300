import { Injectable } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import { pathId } from '../../api/ports/not-found';
import { RemoteFinanceGateway } from './remote-finance-gateway';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import type {
  AccountBalanceView,
  AccountListingView,
  AccountShape,
  AccountUpdateShape,
  TransferShape,
} from '../../api/shapes/accounts.dto';
import { AccountsPort } from '../../api/ports/accounts.port';

/** Accounts of a remote finance service. */
@Injectable()
export class AccountsRemote extends AccountsPort {
  constructor(private readonly gateway: RemoteFinanceGateway) {
    super();
  }

  override create(organization: Organization, account: AccountShape): Promise<string> {
    return this.gateway.create(organization, 'accounts.create', account);
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<AccountListingView>> {
    return this.gateway.page(organization, 'accounts.list', list);
  }

  override listBalances(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<AccountBalanceView>> {
    return this.gateway.page(organization, 'accounts.listBalances', list);
  }

  override async update(
    organization: Organization,
    accountId: string,
    account: AccountUpdateShape,
  ): Promise<void> {
    const path = { AccountId: pathId(accountId, 'account') };
    return this.gateway.change(organization, 'accounts.update', path, account);
  }

  override transfer(organization: Organization, transfer: TransferShape): Promise<void> {
    return this.gateway.change(organization, 'accounts.transfer', {}, transfer);
  }
}
