import { Controller, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiCreatedResponse, ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { ListPage } from '../../deliveries/deliveries.repository';
import { OperatorsApi } from '../../http/api';
import { CurrentCaller, CurrentOrganization, type Caller } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { FilterQuery, type Filter } from '../filter-query';
import { ApiOperatorsPage, ListQuery, type OperatorsPage } from '../list-query';
import { CostCenterChangeBody, NewCostCenterBody } from './bodies.dto';
import { MasterRecords } from './master-records';
import { COST_CENTER, type MasterRecord } from './record-kind';
import { RecordsController } from './records.controller';
import { CostCenterRecordView } from './records.dto';
import { RecordsRepository } from './records.repository';

@OperatorsApi('Cost centers')
@Controller('admin/organizations/:org/cost-centers')
export class CostCentersAdminController extends RecordsController {
  protected override readonly kind = COST_CENTER;

  constructor(administration: MasterRecords, records: RecordsRepository) {
    super(administration, records);
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Make a cost center' })
  @ApiCreatedResponse({ type: CostCenterRecordView })
  create(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @JsonBody(NewCostCenterBody) body: NewCostCenterBody,
  ): Promise<MasterRecord> {
    return this.administration.create(COST_CENTER, organization, caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'List cost centers, newest first' })
  @ApiOperatorsPage(CostCenterRecordView)
  list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(COST_CENTER.filters) filter: Filter,
  ): Promise<OperatorsPage<MasterRecord>> {
    return this.page(organization, filter, page);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read one, deleted or not' })
  @ApiOkResponse({ type: CostCenterRecordView })
  get(@CurrentOrganization() organization: Organization, @UuidParam('id') id: string): Promise<MasterRecord> {
    return this.read(organization, id);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change a cost center, or revive it' })
  @ApiOkResponse({ type: CostCenterRecordView })
  change(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(CostCenterChangeBody) body: CostCenterChangeBody,
  ): Promise<MasterRecord> {
    return this.administration.change(COST_CENTER, organization, caller, id, body);
  }
}
