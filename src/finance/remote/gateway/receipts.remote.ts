import { Injectable } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import type { DirectRegistrationShape } from '../../api/shapes/payments.dto';
import { pathId } from '../../api/ports/not-found';
import type { MovementView } from '../../api/shapes/schedules.dto';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { RemoteFinanceGateway } from './remote-finance-gateway';
import type { ScheduledReceiptShape } from '../../api/shapes/receipts.dto';
import { ReceiptsPort } from '../../api/ports/receipts.port';

/** Receipts of a remote finance service. */
@Injectable()
export class ReceiptsRemote extends ReceiptsPort {
  constructor(private readonly gateway: RemoteFinanceGateway) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<MovementView>> {
    return this.gateway.page(organization, 'receipts.list', list);
  }

  override register(organization: Organization, receipt: DirectRegistrationShape): Promise<string> {
    return this.gateway.create(organization, 'receipts.register', receipt);
  }

  override async registerForSchedule(
    organization: Organization,
    scheduleId: string,
    receipt: ScheduledReceiptShape,
  ): Promise<void> {
    const path = { ScheduleId: pathId(scheduleId, 'credit schedule') };
    return this.gateway.change(organization, 'receipts.registerForSchedule', path, receipt);
  }
}
