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
import { CategoryChangeBody, NewCategoryBody } from './bodies.dto';
import { MasterRecords } from './master-records';
import { CATEGORY, type MasterRecord } from './record-kind';
import { RecordsController } from './records.controller';
import { CategoryRecordView } from './records.dto';
import { RecordsRepository } from './records.repository';

@OperatorsApi('Categories')
@Controller('admin/organizations/:org/categories')
export class CategoriesAdminController extends RecordsController {
  protected override readonly kind = CATEGORY;

  constructor(administration: MasterRecords, records: RecordsRepository) {
    super(administration, records);
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Make a category' })
  @ApiCreatedResponse({ type: CategoryRecordView })
  create(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @JsonBody(NewCategoryBody) body: NewCategoryBody,
  ): Promise<MasterRecord> {
    return this.administration.create(CATEGORY, organization, caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'List categories, newest first' })
  @ApiOperatorsPage(CategoryRecordView)
  list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(CATEGORY.filters) filter: Filter,
  ): Promise<OperatorsPage<MasterRecord>> {
    return this.page(organization, filter, page);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read one, deleted or not' })
  @ApiOkResponse({ type: CategoryRecordView })
  get(@CurrentOrganization() organization: Organization, @UuidParam('id') id: string): Promise<MasterRecord> {
    return this.read(organization, id);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change a category, or revive it' })
  @ApiOkResponse({ type: CategoryRecordView })
  change(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(CategoryChangeBody) body: CategoryChangeBody,
  ): Promise<MasterRecord> {
    return this.administration.change(CATEGORY, organization, caller, id, body);
  }
}
