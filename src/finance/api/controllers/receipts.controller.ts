import { Controller, Get, Param, Post } from '@nestjs/common';
import { KeyedApi } from '../../../http/api';
import { CurrentOrganization } from '../../../http/caller';
import { JsonBody } from '../../../http/json-body';
import type { Page, PageRequest } from '../../../http/paging';
import type { Organization } from '../../../kernel/organization';
import { Listing, pageOf } from '../operations/listing';
import { FinanceOperation } from '../operations/operation.decorator';
import { DirectRegistrationShape } from '../shapes/payments.dto';
import { ScheduledReceiptShape } from '../shapes/receipts.dto';
import { MovementView } from '../shapes/schedules.dto';
import { ReceiptsPort } from '../ports/receipts.port';

@KeyedApi('Receipts')
@Controller('v1')
export class ReceiptsController {
  constructor(private readonly receipts: ReceiptsPort) {}

  @Get('receipts')
  @FinanceOperation('receipts.list', 'List receipts', MovementView)
  async list(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<MovementView>> {
    return pageOf(await this.receipts.list(organization, list), list);
  }

  @Get('discounts')
  @FinanceOperation('receipts.listDiscounts', 'List discounts', MovementView)
  async listDiscounts(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<MovementView>> {
    return pageOf(await this.receipts.listDiscounts(organization, list), list);
  }

  @Post(['receipts', 'receipts/FormatType=json'])
  @FinanceOperation('receipts.register', 'Register a receipt directly on an account')
  register(
    @CurrentOrganization() organization: Organization,
    @JsonBody(DirectRegistrationShape) receipt: DirectRegistrationShape,
  ): Promise<string> {
    return this.receipts.register(organization, receipt);
  }

  @Post('schedules/credit/:scheduleId/receipts')
  @FinanceOperation('receipts.registerForSchedule', 'Register a receipt against a receivable')
  registerForSchedule(
    @CurrentOrganization() organization: Organization,
    @Param('scheduleId') scheduleId: string,
    @JsonBody(ScheduledReceiptShape) receipt: ScheduledReceiptShape,
  ): Promise<void> {
    return this.receipts.registerForSchedule(organization, scheduleId, receipt);
  }
}
