import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { Clock } from '../../../kernel/clock';
import type { Organization } from '../../../kernel/organization';
import { announceOwn, type RecordChange } from '../changes/announce';
import { registered } from '../lists/movement-list.sql';
import { readList } from '../lists/list.repository';
import type { MovementView } from '../../api/shapes/schedules.dto';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { pathId } from '../../api/ports/not-found';
import { unacceptable } from '../../../kernel/problem';
import { reversePayment } from '../payables/payment-reversal.repository';
import { IdempotentTransaction } from '../idempotency/idempotent-transaction';
import { registerOne } from './direct-registrations';
import type { DirectRegistrationShape, PaymentDeletionShape } from '../../api/shapes/payments.dto';
import { PaymentsPort } from '../../api/ports/payments.port';

@Injectable()
export class PaymentsEmbedded extends PaymentsPort {
  constructor(
    private readonly database: Database,
    private readonly writes: IdempotentTransaction,
    private readonly clock: Clock,
  ) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<MovementView>> {
    return readList(this.database.prisma, organization, registered(organization, 'payment'), list);
  }

  override register(organization: Organization, payment: DirectRegistrationShape): Promise<string> {
    return this.writes.transaction(async (tx) => {
      const id = await registerOne(tx, organization, 'payment', payment);
      await announceOwn(tx, organization, [{ type: 'payment.registered', id }], this.clock.now());
      return id;
    });
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
    await this.writes.transaction(async (tx) => {
      const isReopened = await reversePayment(tx, organization, schedule, payment);
      const changes: RecordChange[] = [{ type: 'payment.deleted', id: payment }];
      if (isReopened) changes.push({ type: 'schedule.reopened', id: schedule });
      await announceOwn(tx, organization, changes, this.clock.now());
    });
  }
}
