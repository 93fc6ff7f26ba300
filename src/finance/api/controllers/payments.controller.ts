import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { KeyedApi } from '../../../http/api';
import { CurrentOrganization } from '../../../http/caller';
import { JsonBody } from '../../../http/json-body';
import type { Page, PageRequest } from '../../../http/paging';
import type { Organization } from '../../../kernel/organization';
import { Listing, pageOf } from '../operations/listing';
import { FinanceOperation } from '../operations/operation.decorator';
import { DirectRegistrationShape, PaymentDeletionShape } from '../shapes/payments.dto';
import { MovementView } from '../shapes/schedules.dto';
import { PaymentsPort } from '../ports/payments.port';

@KeyedApi('Payments')
@Controller('v1')
export class PaymentsController {
  constructor(private readonly payments: PaymentsPort) {}

  @Get('payments')
  @FinanceOperation('payments.list', 'List payments', MovementView)
  async list(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<MovementView>> {
    return pageOf(await this.payments.list(organization, list), list);
  }

  @Post(['payments', 'payments/FormatType=json'])
  @FinanceOperation('payments.register', 'Register a payment directly on an account')
  register(
    @CurrentOrganization() organization: Organization,
    @JsonBody(DirectRegistrationShape) payment: DirectRegistrationShape,
  ): Promise<string> {
    return this.payments.register(organization, payment);
  }

  @Delete('schedules/debit/:scheduleId/payments/:paymentId')
  @FinanceOperation('payments.remove', 'Take back a payment of a payable')
  remove(
    @CurrentOrganization() organization: Organization,
    @Param('scheduleId') scheduleId: string,
    @Param('paymentId') paymentId: string,
    @JsonBody(PaymentDeletionShape) body?: PaymentDeletionShape,
  ): Promise<void> {
    return this.payments.remove(organization, scheduleId, paymentId, body);
  }
}
