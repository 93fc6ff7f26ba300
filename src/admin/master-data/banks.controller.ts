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
import { BankChangeBody, NewBankBody } from './bodies.dto';
import { MasterRecords } from './master-records';
import { BANK, type MasterRecord } from './record-kind';
import { RecordsController } from './records.controller';
import { RecordsRepository } from './records.repository';

@OperatorsApi('Banks')
@ApiParam({ name: 'org', description: "The organization's id or slug" })
@Controller('admin/organizations/:org/banks')
export class BanksController extends RecordsController {
  protected override readonly kind = BANK;

  constructor(administration: MasterRecords, records: RecordsRepository) {
    super(administration, records);
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Make a bank' })
  create(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @JsonBody(NewBankBody) body: NewBankBody,
  ): Promise<MasterRecord> {
    return this.administration.create(BANK, organization, caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'List banks, newest first' })
  list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(BANK.filters) filter: Filter,
  ): Promise<OperatorsPage<MasterRecord>> {
    return this.page(organization, filter, page);
  }

  @Patch(':id')
  @ApiParam({ name: 'id' })
  @ApiOperation({ summary: 'Change a bank, or revive it' })
  change(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(BankChangeBody) body: BankChangeBody,
  ): Promise<MasterRecord> {
    return this.administration.change(BANK, organization, caller, id, body);
  }
}
