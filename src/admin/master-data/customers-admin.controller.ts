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
import { StakeholderRecordView } from './stakeholders.dto';
import {
  STAKEHOLDER_FILTERS,
  type StakeholderRecord,
  StakeholdersRepository,
} from './stakeholders.repository';

@OperatorsApi('Customers')
@Controller('admin/organizations/:org/customers')
export class CustomersAdminController {
  constructor(private readonly stakeholders: StakeholdersRepository) {}

  @Get()
  @ApiOperation({ summary: 'List customers, newest first' })
  @ApiOperatorsPage(StakeholderRecordView)
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(STAKEHOLDER_FILTERS) filter: Filter,
  ): Promise<OperatorsPage<StakeholderRecord>> {
    return operatorsPage(await this.stakeholders.list('customer', organization.id, filter, page), page);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a customer with everything that is stored of it' })
  @ApiOkResponse({ type: StakeholderRecordView })
  async get(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
  ): Promise<StakeholderRecord> {
    const found = await this.stakeholders.find('customer', organization.id, id);
    if (!found) throw new Problem('not-found', 'The organization has no such customer');
    return found;
  }
}
