import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { ListPage } from '../../deliveries/deliveries.repository';
import { OperatorsApi } from '../../http/api';
import { CurrentOrganization } from '../../http/caller';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { FilterQuery, type Filter } from '../filter-query';
import { ApiOperatorsPage, ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { ACCOUNT_FILTERS, type AccountRecord, AccountRecordsRepository } from './account-records.repository';
import { AccountRecordView } from './books.dto';

@OperatorsApi('Accounts')
@Controller('admin/organizations/:org/accounts')
export class AccountsAdminController {
  constructor(private readonly accounts: AccountRecordsRepository) {}

  @Get()
  @ApiOperation({ summary: 'List accounts, newest first' })
  @ApiOperatorsPage(AccountRecordView)
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(ACCOUNT_FILTERS) filter: Filter,
  ): Promise<OperatorsPage<AccountRecord>> {
    return operatorsPage(await this.accounts.list(organization, filter, page), page);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read an account with everything that is stored of it' })
  @ApiOkResponse({ type: AccountRecordView })
  async get(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
  ): Promise<AccountRecord> {
    const found = await this.accounts.find(organization, id);
    if (!found) throw new Problem('not-found', 'The organization has no such account');
    return found;
  }
}
