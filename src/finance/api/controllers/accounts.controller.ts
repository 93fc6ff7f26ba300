import { Controller, Get, Param, Post, Put } from '@nestjs/common';
import { AlwaysNeedsKey, KeyedApi } from '../../../http/api';
import { CurrentOrganization } from '../../../http/caller';
import { JsonBody } from '../../../http/json-body';
import type { Page, PageRequest } from '../../../http/paging';
import type { Organization } from '../../../kernel/organization';
import { Listing, pageOf } from '../operations/listing';
import { FinanceOperation } from '../operations/operation.decorator';
import {
  AccountBalanceView,
  AccountListingView,
  AccountShape,
  AccountUpdateShape,
  TransferEntryView,
  TransferShape,
} from '../shapes/accounts.dto';
import { AccountsPort } from '../ports/accounts.port';

@KeyedApi('Accounts')
@Controller('v1')
export class AccountsController {
  constructor(private readonly accounts: AccountsPort) {}

  @Post(['accounts', 'accounts/FormatType=json'])
  @AlwaysNeedsKey()
  @FinanceOperation('accounts.create', 'Open an account')
  create(
    @CurrentOrganization() organization: Organization,
    @JsonBody(AccountShape) account: AccountShape,
  ): Promise<string> {
    return this.accounts.create(organization, account);
  }

  @Get('accounts')
  @FinanceOperation('accounts.list', 'List accounts', AccountListingView)
  async list(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<AccountListingView>> {
    return pageOf(await this.accounts.list(organization, list), list);
  }

  @Get('accounts/views/balance')
  @FinanceOperation('accounts.listBalances', "List accounts' balances", AccountBalanceView)
  async listBalances(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<AccountBalanceView>> {
    return pageOf(await this.accounts.listBalances(organization, list), list);
  }

  @Post('accounts/transfer')
  @FinanceOperation('accounts.transfer', 'Move money between two accounts')
  transfer(
    @CurrentOrganization() organization: Organization,
    @JsonBody(TransferShape) transfer: TransferShape,
  ): Promise<void> {
    return this.accounts.transfer(organization, transfer);
  }

  @Get('transfers')
  @FinanceOperation('accounts.listTransfers', 'List transfers', TransferEntryView)
  async listTransfers(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<TransferEntryView>> {
    return pageOf(await this.accounts.listTransfers(organization, list), list);
  }

  @Put('accounts/:accountId')
  @FinanceOperation('accounts.update', 'Change an account')
  update(
    @CurrentOrganization() organization: Organization,
    @Param('accountId') accountId: string,
    @JsonBody(AccountUpdateShape) account: AccountUpdateShape,
  ): Promise<void> {
    return this.accounts.update(organization, accountId, account);
  }
}
