import { Injectable } from '@nestjs/common';
import type { Organization } from '../../kernel/organization';
import { pathId } from '../not-found';
import { unacceptable } from '../outcome';
import { reversePayment } from '../payables/payment-reversal.repository';
import { Writes } from '../writes';
import { registerDirectly } from './direct-registrations.repository';
import type { DirectRegistrationShape, PaymentDeletionShape } from './payments.dto';
import { PaymentsPort } from './payments.port';

@Injectable()
export class PaymentsEmbedded extends PaymentsPort {
  constructor(private readonly writes: Writes) {
    super();
  }

  override register(organization: Organization, payment: DirectRegistrationShape): Promise<string> {
    return this.writes.transaction((tx) => registerDirectly(tx, organization, 'payment', payment));
  }

  override async remove(
    organization: Organization,
    scheduleId: string,
    paymentId: string,
    body: PaymentDeletionShape = {},
  ): Promise<void> {
    const schedule = pathId(scheduleId, 'debit schedule');
    const payment = pathId(paymentId, 'payment of this schedule');
    if (body.scheduleId && body.scheduleId !== schedule) {
      throw unacceptable('/scheduleId', 'path', 'the schedule is not the one of the path');
    }
    if (body.paymentId && body.paymentId !== payment) {
      throw unacceptable('/paymentId', 'path', 'the payment is not the one of the path');
    }
    await this.writes.transaction((tx) => reversePayment(tx, organization, schedule, payment));
  }
}
