import { Injectable } from '@nestjs/common';
import type { Organization } from '../../kernel/organization';
import { pathId } from '../not-found';
import type { MovementView } from '../schedules/schedules.dto';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import { RemoteFront } from '../remote/front';
import type { DirectRegistrationShape, PaymentDeletionShape } from './payments.dto';
import { PaymentsPort } from './payments.port';

/** Payments of a remote finance service. */
@Injectable()
export class PaymentsRemote extends PaymentsPort {
  constructor(private readonly front: RemoteFront) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<MovementView>> {
    return this.front.page(organization, 'payments.list', list);
  }

  override register(organization: Organization, payment: DirectRegistrationShape): Promise<string> {
    return this.front.create(organization, 'payments.register', payment);
  }

  override async remove(
    organization: Organization,
    scheduleId: string,
    paymentId: string,
    body?: PaymentDeletionShape,
  ): Promise<void> {
    const path = {
      ScheduleId: pathId(scheduleId, 'debit schedule'),
      PaymentId: pathId(paymentId, 'payment of this schedule'),
    };
    return this.front.change(organization, 'payments.remove', path, body);
  }
}
