import { Injectable } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import { pathId } from '../../api/ports/not-found';
import type { MovementView } from '../../api/shapes/schedules.dto';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { RemoteFinanceGateway } from './remote-finance-gateway';
import type { DirectRegistrationShape, PaymentDeletionShape } from '../../api/shapes/payments.dto';
import { PaymentsPort } from '../../api/ports/payments.port';

/** Payments of a remote finance service. */
@Injectable()
export class PaymentsRemote extends PaymentsPort {
  constructor(private readonly gateway: RemoteFinanceGateway) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<MovementView>> {
    return this.gateway.page(organization, 'payments.list', list);
  }

  override register(organization: Organization, payment: DirectRegistrationShape): Promise<string> {
    return this.gateway.create(organization, 'payments.register', payment);
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
    return this.gateway.change(organization, 'payments.remove', path, body);
  }
}
