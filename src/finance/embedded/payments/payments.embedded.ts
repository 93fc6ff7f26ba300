import { Injectable } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import type { RecordChange } from '../changes/announce';
import { EmbeddedBooks } from '../embedded-books.embedded';
import { registered } from '../lists/movement-list.sql';
import type { MovementView } from '../../api/shapes/schedules.dto';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { mustBePaths, pathId } from '../../api/ports/not-found';
import { reversePayment } from '../payables/payment-reversal.repository';
import { registerOne } from './direct-registrations';
import type { DirectRegistrationShape, PaymentDeletionShape } from '../../api/shapes/payments.dto';
import { PaymentsPort } from '../../api/ports/payments.port';

@Injectable()
export class PaymentsEmbedded extends PaymentsPort {
  constructor(private readonly books: EmbeddedBooks) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<MovementView>> {
    return this.books.list(organization, registered(organization, 'payment'), list);
  }

  override register(organization: Organization, payment: DirectRegistrationShape): Promise<string> {
    return this.books.write(organization, async (tx, announce) => {
      const id = await registerOne(tx, organization, 'payment', payment);
      await announce([{ type: 'payment.registered', id }]);
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
    mustBePaths('scheduleId', body, schedule, 'schedule');
    mustBePaths('paymentId', body, payment, 'payment');
    await this.books.write(organization, async (tx, announce) => {
      const isReopened = await reversePayment(tx, organization, schedule, payment);
      const changes: RecordChange[] = [{ type: 'payment.deleted', id: payment }];
      if (isReopened) changes.push({ type: 'schedule.reopened', id: schedule });
      await announce(changes);
    });
  }
}
