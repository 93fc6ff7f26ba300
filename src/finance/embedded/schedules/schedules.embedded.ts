import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { notFound, pathId } from '../../api/ports/not-found';
import { single } from '../../api/ports/outcome';
import { EmbeddedBooks } from '../embedded-books.embedded';
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
    private readonly books: EmbeddedBooks,
    private readonly database: Database,
  ) {
    super();
  }

  override async createCredit(organization: Organization, shape: CreditScheduleShape): Promise<string> {
    const schedule = toNewCreditSchedule(organization, shape, this.books.today(organization));
    return this.books.write(organization, async (tx, announce) => {
      const { ids } = single(await posting(tx, (entries) => createCreditSchedules(entries, [schedule])));
      const [first] = ids;
      if (first === undefined) throw new Error('a receivable became no schedule');
      const changes = ids.map((id) => ({ type: 'credit-schedule.created', id }) as const);
      await announce(changes);
      return first;
    });
  }

  override async listOfCustomer(
    organization: Organization,
    customerId: string,
    list: ListRequest,
  ): Promise<ScheduleFullView[]> {
    const id = pathId(customerId, 'customer');
    const customer = await this.database.prisma.stakeholder.count({
      where: { id, organizationId: organization.id, kind: { in: ['customer', 'partner'] } },
    });
    if (customer === 0) throw notFound('customer');
    const schedules = schedulesOf(organization, this.books.today(organization), id);
    return this.books.items(organization, schedules, list);
  }

  override listDebit(organization: Organization, list: ListRequest): Promise<ListPart<ScheduleFullView>> {
    const payables = debitSchedules(organization, this.books.today(organization));
    return this.books.list(organization, payables, list);
  }

  override listCredit(organization: Organization, list: ListRequest): Promise<ListPart<ScheduleFullView>> {
    const receivables = creditSchedules(organization, this.books.today(organization));
    return this.books.list(organization, receivables, list);
  }

  override listOpenCredit(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<ScheduleFullView>> {
    const open = openCreditSchedules(organization, this.books.today(organization));
    return this.books.list(organization, open, list);
  }

  override getCredit(organization: Organization, scheduleId: string): Promise<ScheduleFullView> {
    const receivables = creditSchedules(organization, this.books.today(organization));
    return this.books.get(organization, receivables, scheduleId, 'credit schedule');
  }

  override getDebit(organization: Organization, scheduleId: string): Promise<ScheduleFullView> {
    const payables = debitSchedules(organization, this.books.today(organization));
    return this.books.get(organization, payables, scheduleId, 'debit schedule');
  }

  override listOverdueCredit(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<ScheduleEntryView>> {
    const overdue = overdueCredit(organization, this.books.today(organization));
    return this.books.list(organization, overdue, list);
  }

  override async nextOpenDebit(
    organization: Organization,
    { filter }: Pick<ListRequest, 'filter'>,
  ): Promise<ScheduleFullView> {
    const open = openDebitSchedules(organization, this.books.today(organization));
    const next = await this.books.first<ScheduleFullView>(organization, open, filter);
    if (!next) throw new Problem('no-open-schedule', 'no payable that matches has anything open');
    return next;
  }
}
