import { Controller, Delete, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { ListPage } from '../../deliveries/deliveries.repository';
import { OperatorsApi } from '../../http/api';
import { CurrentCaller, CurrentOrganization, type Caller } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { FilterQuery, type Filter } from '../filter-query';
import { ApiOperatorsPage, ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Reasoned } from './bodies.dto';
import { StakeholderRecordView } from './stakeholders.dto';
import {
  STAKEHOLDER_FILTERS,
  type StakeholderRecord,
  StakeholdersRepository,
} from './stakeholders.repository';
import { NewSupplierBody, SupplierChangeBody } from './suppliers.dto';
import { Suppliers } from './suppliers';

@OperatorsApi('Suppliers')
@Controller('admin/organizations/:org/suppliers')
export class SuppliersAdminController {
  constructor(
    private readonly suppliers: Suppliers,
    private readonly stakeholders: StakeholdersRepository,
  ) {}

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Register a supplier' })
  @ApiCreatedResponse({ type: StakeholderRecordView })
  create(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @JsonBody(NewSupplierBody) body: NewSupplierBody,
  ): Promise<StakeholderRecord> {
    return this.suppliers.create(organization, caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'List suppliers, newest first' })
  @ApiOperatorsPage(StakeholderRecordView)
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(STAKEHOLDER_FILTERS) filter: Filter,
  ): Promise<OperatorsPage<StakeholderRecord>> {
    return operatorsPage(await this.stakeholders.list('supplier', organization.id, filter, page), page);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read a supplier, deleted or not' })
  @ApiOkResponse({ type: StakeholderRecordView })
  get(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
  ): Promise<StakeholderRecord> {
    return this.suppliers.read(organization, id);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change a supplier, or revive it' })
  @ApiOkResponse({ type: StakeholderRecordView })
  change(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(SupplierChangeBody) body: SupplierChangeBody,
  ): Promise<StakeholderRecord> {
    return this.suppliers.change(organization, caller, id, body);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a supplier; what names it shows it as deleted' })
  remove(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(Reasoned, { optional: true }) body?: Reasoned,
  ): Promise<void> {
    return this.suppliers.remove(organization, caller, id, body?.reason);
  }
}
