import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { CalendarDate } from '../../../kernel/calendar-date';
import { Clock } from '../../../kernel/clock';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import { type ListDeclaration, one, readFirst, readItems, readList } from '../lists/list.repository';
import { announceOwn } from '../changes/announce';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { notFound, pathId } from '../../api/ports/not-found';
import { single } from '../../api/ports/outcome';
import { IdempotentTransaction } from '../idempotency/idempotent-transaction';
import { toNewCreditSchedule } from './new-credit-schedule';
import type {
  CreditScheduleShape,
  ScheduleEntryView,
  ScheduleFullView,
} from '../../api/shapes/schedules.dto';
import { SchedulesPort } from '../../api/ports/schedules.port';
import {
  creditSchedules,
  debitSchedules,
  openCreditSchedules,
  openDebitSchedules,
  overdueCredit,
  schedulesOf,
} from '../lists/schedule-lists.sql';
import { posting } from '../ledger/posting';
import { createCreditSchedules } from './schedules.repository';

@Injectable()
export class SchedulesEmbedded extends SchedulesPort {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly writes: IdempotentTransaction,
  ) {
    super();
  }

  override async createCredit(organization: Organization, shape: CreditScheduleShape): Promise<string> {
    const schedule = toNewCreditSchedule(organization, shape, this.today(organization));
    return this.writes.transaction(async (tx) => {
      const { ids } = single(await posting(tx, (books) => createCreditSchedules(books, [schedule])));
      const [first] = ids;
      if (first === undefined) throw new Error('a receivable became no schedule');
      const changes = ids.map((id) => ({ type: 'credit-schedule.created', id }) as const);
      await announceOwn(tx, organization, changes, this.clock.now());
      return first;
    });
  }

  override async listOfCustomer(
    organization: Organization,
    customerId: string,
    list: ListRequest,
  ): Promise<ScheduleFullView[]> {
    const id = pathId(customerId, 'customer');
    const { prisma } = this.database;
    const customer = await prisma.stakeholder.count({
      where: { id, organizationId: organization.id, kind: { in: ['customer', 'partner'] } },
    });
    if (customer === 0) throw notFound('customer');
    const schedules = schedulesOf(organization, this.today(organization), id);
    return readItems<ScheduleFullView>(prisma, organization, schedules, list);
  }

  override listDebit(organization: Organization, list: ListRequest): Promise<ListPart<ScheduleFullView>> {
    const payables = debitSchedules(organization, this.today(organization));
    return readList(this.database.prisma, organization, payables, list);
  }

  override listCredit(organization: Organization, list: ListRequest): Promise<ListPart<ScheduleFullView>> {
    const receivables = creditSchedules(organization, this.today(organization));
    return readList(this.database.prisma, organization, receivables, list);
  }

  override listOpenCredit(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<ScheduleFullView>> {
    const open = openCreditSchedules(organization, this.today(organization));
    return readList(this.database.prisma, organization, open, list);
  }

  override async getCredit(organization: Organization, scheduleId: string): Promise<ScheduleFullView> {
    const id = pathId(scheduleId, 'credit schedule');
    const list = one(creditSchedules(organization, this.today(organization)), id);
    return this.found(organization, list, 'credit schedule');
  }

  override async getDebit(organization: Organization, scheduleId: string): Promise<ScheduleFullView> {
    const id = pathId(scheduleId, 'debit schedule');
    const list = one(debitSchedules(organization, this.today(organization)), id);
    return this.found(organization, list, 'debit schedule');
  }

  override listOverdueCredit(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<ScheduleEntryView>> {
    const overdue = overdueCredit(organization, this.today(organization));
    return readList(this.database.prisma, organization, overdue, list);
  }

  override async nextOpenDebit(
    organization: Organization,
    { filter }: Pick<ListRequest, 'filter'>,
  ): Promise<ScheduleFullView> {
    const open = openDebitSchedules(organization, this.today(organization));
    const next = await readFirst<ScheduleFullView>(this.database.prisma, organization, open, filter);
    if (!next) throw new Problem('no-open-schedule', 'no payable that matches has anything open');
    return next;
  }

  private async found(
    organization: Organization,
    list: ListDeclaration,
    what: string,
  ): Promise<ScheduleFullView> {
    const found = await readFirst<ScheduleFullView>(this.database.prisma, organization, list);
    if (!found) throw notFound(what);
    return found;
  }

  private today({ timeZone }: Organization): CalendarDate {
    return CalendarDate.fromInstant(this.clock.now(), timeZone);
  }
}
