import { Controller, Param, Post } from '@nestjs/common';
import { KeyedApi } from '../../http/api';
import { CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import type { Organization } from '../../kernel/organization';
import { Serves } from '../operation.decorator';
import { DirectRegistrationShape } from '../payments/payments.dto';
import { ScheduledReceiptShape } from './receipts.dto';
import { ReceiptsPort } from './receipts.port';

@KeyedApi('Receipts')
@Controller('v1')
export class ReceiptsController {
  constructor(private readonly receipts: ReceiptsPort) {}

  @Post(['receipts', 'receipts/FormatType=json'])
  @Serves('receipts.register', 'Register a receipt directly on an account')
  register(
    @CurrentOrganization() organization: Organization,
    @JsonBody(DirectRegistrationShape) receipt: DirectRegistrationShape,
  ): Promise<string> {
    return this.receipts.register(organization, receipt);
  }

  @Post('schedules/credit/:scheduleId/receipts')
  @Serves('receipts.registerForSchedule', 'Register a receipt against a receivable')
  registerForSchedule(
    @CurrentOrganization() organization: Organization,
    @Param('scheduleId') scheduleId: string,
    @JsonBody(ScheduledReceiptShape) receipt: ScheduledReceiptShape,
  ): Promise<void> {
    return this.receipts.registerForSchedule(organization, scheduleId, receipt);
  }
}
