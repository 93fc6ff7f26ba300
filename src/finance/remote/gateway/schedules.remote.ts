import { Injectable } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import { pathId } from '../../api/ports/not-found';
import { RemoteFinanceGateway } from './remote-finance-gateway';
import { listQuery } from '../reads/remote-page';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import type {
  CreditScheduleShape,
  ScheduleEntryView,
  ScheduleFullView,
} from '../../api/shapes/schedules.dto';
import { SchedulesPort } from '../../api/ports/schedules.port';

/** Schedules of a remote finance service. */
@Injectable()
export class SchedulesRemote extends SchedulesPort {
  constructor(private readonly gateway: RemoteFinanceGateway) {
    super();
  }

  override createCredit(organization: Organization, schedule: CreditScheduleShape): Promise<string> {
    return this.gateway.create(organization, 'schedules.createCredit', schedule);
  }

  override async listOfCustomer(
    organization: Organization,
    customerId: string,
    list: ListRequest,
  ): Promise<ScheduleFullView[]> {
    const path = { CustomerId: pathId(customerId, 'customer') };
    return this.gateway.array(organization, 'schedules.listOfCustomer', path, list);
  }

  override listDebit(organization: Organization, list: ListRequest): Promise<ListPart<ScheduleFullView>> {
    return this.gateway.page(organization, 'schedules.listDebit', list);
  }

  override listCredit(organization: Organization, list: ListRequest): Promise<ListPart<ScheduleFullView>> {
    return this.gateway.page(organization, 'schedules.listCredit', list);
  }

  override listOpenCredit(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<ScheduleFullView>> {
    return this.gateway.page(organization, 'schedules.listOpenCredit', list);
  }

  override async getCredit(organization: Organization, scheduleId: string): Promise<ScheduleFullView> {
    const path = { ScheduleId: pathId(scheduleId, 'credit schedule') };
    return this.gateway.record(organization, 'schedules.getCredit', path);
  }

  override async getDebit(organization: Organization, scheduleId: string): Promise<ScheduleFullView> {
    const path = { ScheduleId: pathId(scheduleId, 'debit schedule') };
    return this.gateway.record(organization, 'schedules.getDebit', path);
  }

  override listOverdueCredit(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<ScheduleEntryView>> {
    return this.gateway.page(organization, 'schedules.listOverdueCredit', list);
  }

  override nextOpenDebit(
    organization: Organization,
    { filter }: Pick<ListRequest, 'filter'>,
  ): Promise<ScheduleFullView> {
    const query = listQuery(filter === undefined ? {} : { filter });
    return this.gateway.record(organization, 'schedules.nextOpenDebit', {}, query);
  }
}
