import { Controller, Get, HttpCode, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiParam } from '@nestjs/swagger';
import type { ListPage } from '../../deliveries/deliveries.repository';
import { OperatorsApi } from '../../http/api';
import { CurrentCaller, CurrentOrganization, type Caller } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { FilterQuery, type Filter } from '../filter-query';
import { ListQuery, type OperatorsPage } from '../list-query';
import { CategoryChangeBody, NewCategoryBody } from './bodies.dto';
import { MasterRecords } from './master-records';
import { CATEGORY, type MasterRecord } from './record-kind';
import { RecordsController } from './records.controller';
import { RecordsRepository } from './records.repository';

@OperatorsApi('Categories')
@ApiParam({ name: 'org', description: "The organization's id or slug" })
@Controller('admin/organizations/:org/categories')
export class CategoriesAdminController extends RecordsController {
  protected override readonly kind = CATEGORY;

  constructor(administration: MasterRecords, records: RecordsRepository) {
    super(administration, records);
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Make a category' })
  create(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @JsonBody(NewCategoryBody) body: NewCategoryBody,
  ): Promise<MasterRecord> {
    return this.administration.create(CATEGORY, organization, caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'List categories, newest first' })
  list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(CATEGORY.filters) filter: Filter,
  ): Promise<OperatorsPage<MasterRecord>> {
    return this.page(organization, filter, page);
  }

  @Patch(':id')
  @ApiParam({ name: 'id' })
  @ApiOperation({ summary: 'Change a category, or revive it' })
  change(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(CategoryChangeBody) body: CategoryChangeBody,
  ): Promise<MasterRecord> {
    return this.administration.change(CATEGORY, organization, caller, id, body);
  }
}
