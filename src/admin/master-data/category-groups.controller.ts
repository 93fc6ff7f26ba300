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
import { CategoryGroupChangeBody, NewCategoryGroupBody } from './bodies.dto';
import { MasterRecords } from './master-records';
import { CATEGORY_GROUP, type MasterRecord } from './record-kind';
import { RecordsController } from './records.controller';
import { CategoryGroupRecordView } from './records.dto';
import { RecordsRepository } from './records.repository';

@OperatorsApi('Categories')
@Controller('admin/organizations/:org/category-groups')
export class CategoryGroupsController extends RecordsController {
  protected override readonly kind = CATEGORY_GROUP;

  constructor(administration: MasterRecords, records: RecordsRepository) {
    super(administration, records);
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Make a category group' })
  @ApiCreatedResponse({ type: CategoryGroupRecordView })
  create(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @JsonBody(NewCategoryGroupBody) body: NewCategoryGroupBody,
  ): Promise<MasterRecord> {
    return this.administration.create(CATEGORY_GROUP, organization, caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'List category groups, newest first' })
  @ApiOperatorsPage(CategoryGroupRecordView)
  list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(CATEGORY_GROUP.filters) filter: Filter,
  ): Promise<OperatorsPage<MasterRecord>> {
    return this.page(organization, filter, page);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read one, deleted or not' })
  @ApiOkResponse({ type: CategoryGroupRecordView })
  get(@CurrentOrganization() organization: Organization, @UuidParam('id') id: string): Promise<MasterRecord> {
    return this.read(organization, id);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change a category group, or revive it' })
  @ApiOkResponse({ type: CategoryGroupRecordView })
  change(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(CategoryGroupChangeBody) body: CategoryGroupChangeBody,
  ): Promise<MasterRecord> {
    return this.administration.change(CATEGORY_GROUP, organization, caller, id, body);
  }
}
