import { Controller, Get, Param, Post } from '@nestjs/common';
import { KeyedApi } from '../../../http/api';
import { CurrentOrganization } from '../../../http/caller';
import { JsonBody } from '../../../http/json-body';
import { ApiFilter, type Page, type PageRequest } from '../../../http/paging';
import type { Organization } from '../../../kernel/organization';
import { ArrayListing, Listing, pageOf } from '../operations/listing';
import { FinanceOperation } from '../operations/operation.decorator';
import { CreditScheduleShape, ScheduleEntryView, ScheduleFullView } from '../shapes/schedules.dto';
import { SchedulesPort } from '../ports/schedules.port';

@KeyedApi('Schedules')
@Controller('v1')
export class SchedulesController {
  constructor(private readonly schedules: SchedulesPort) {}

  @Post(['schedules/credit/FormatType=json', 'schedules/credit'])
  @FinanceOperation('schedules.createCredit', 'Register a receivable, in instalments if need be')
  createCredit(
    @CurrentOrganization() organization: Organization,
    @JsonBody(CreditScheduleShape) schedule: CreditScheduleShape,
  ): Promise<string> {
    return this.schedules.createCredit(organization, schedule);
  }

  @Get('schedules/debit')
  @FinanceOperation('schedules.listDebit', 'List payables', ScheduleFullView)
  async listDebit(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<ScheduleFullView>> {
    return pageOf(await this.schedules.listDebit(organization, list), list);
  }

  @Get('schedules/debit/opened')
  @FinanceOperation('schedules.nextOpenDebit', 'The open payable that is due first', ScheduleFullView)
  @ApiFilter()
  nextOpenDebit(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<ScheduleFullView> {
    return this.schedules.nextOpenDebit(organization, list);
  }

  @Get('schedules/debit/:scheduleId')
  @FinanceOperation('schedules.getDebit', 'Read a payable', ScheduleFullView)
  getDebit(
    @CurrentOrganization() organization: Organization,
    @Param('scheduleId') scheduleId: string,
  ): Promise<ScheduleFullView> {
    return this.schedules.getDebit(organization, scheduleId);
  }

  @Get('schedules/credit')
  @FinanceOperation('schedules.listCredit', 'List receivables', ScheduleFullView)
  async listCredit(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<ScheduleFullView>> {
    return pageOf(await this.schedules.listCredit(organization, list), list);
  }

  @Get('schedules/credit/opened')
  @FinanceOperation('schedules.listOpenCredit', 'List open receivables by due date', ScheduleFullView)
  async listOpenCredit(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<ScheduleFullView>> {
    return pageOf(await this.schedules.listOpenCredit(organization, list), list);
  }

  @Get('schedules/credit/dued')
  @FinanceOperation('schedules.listOverdueCredit', 'List overdue receivables', ScheduleEntryView)
  async listOverdueCredit(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<ScheduleEntryView>> {
    return pageOf(await this.schedules.listOverdueCredit(organization, list), list);
  }

  @Get('schedules/credit/:scheduleId')
  @FinanceOperation('schedules.getCredit', 'Read a receivable', ScheduleFullView)
  getCredit(
    @CurrentOrganization() organization: Organization,
    @Param('scheduleId') scheduleId: string,
  ): Promise<ScheduleFullView> {
    return this.schedules.getCredit(organization, scheduleId);
  }

  @Get('customers/:customerId/schedules')
  @FinanceOperation('schedules.listOfCustomer', "List a customer's schedules by due date", ScheduleFullView)
  listOfCustomer(
    @CurrentOrganization() organization: Organization,
    @Param('customerId') customerId: string,
    @ArrayListing() list: PageRequest,
  ): Promise<ScheduleFullView[]> {
    return this.schedules.listOfCustomer(organization, customerId, list);
  }
}
