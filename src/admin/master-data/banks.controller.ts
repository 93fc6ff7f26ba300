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
import { BankChangeBody, NewBankBody } from './bodies.dto';
import { MasterRecords } from './master-records';
import { BANK, type MasterRecord } from './record-kind';
import { RecordsController } from './records.controller';
import { BankRecordView } from './records.dto';
import { RecordsRepository } from './records.repository';

@OperatorsApi('Banks')
@Controller('admin/organizations/:org/banks')
export class BanksController extends RecordsController {
  protected override readonly kind = BANK;

  constructor(administration: MasterRecords, records: RecordsRepository) {
    super(administration, records);
  }

  @Post()
  @HttpCode(201)
  @ApiOperation({ summary: 'Make a bank' })
  @ApiCreatedResponse({ type: BankRecordView })
  create(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @JsonBody(NewBankBody) body: NewBankBody,
  ): Promise<MasterRecord> {
    return this.administration.create(BANK, organization, caller, body);
  }

  @Get()
  @ApiOperation({ summary: 'List banks, newest first' })
  @ApiOperatorsPage(BankRecordView)
  list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(BANK.filters) filter: Filter,
  ): Promise<OperatorsPage<MasterRecord>> {
    return this.page(organization, filter, page);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Read one, deleted or not' })
  @ApiOkResponse({ type: BankRecordView })
  get(@CurrentOrganization() organization: Organization, @UuidParam('id') id: string): Promise<MasterRecord> {
    return this.read(organization, id);
  }

  @Patch(':id')
  @ApiOperation({ summary: 'Change a bank, or revive it' })
  @ApiOkResponse({ type: BankRecordView })
  change(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(BankChangeBody) body: BankChangeBody,
  ): Promise<MasterRecord> {
    return this.administration.change(BANK, organization, caller, id, body);
  }
}
