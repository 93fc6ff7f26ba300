import { Injectable } from '@nestjs/common';
import type { Prisma } from '../../database/client/client';
import { Database } from '../../database/database';
import { CalendarDate } from '../../kernel/calendar-date';
import { Clock } from '../../kernel/clock';
import { newId } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import { notFound, pathId } from '../not-found';
import { notBuilt } from '../operations';
import { single, unacceptable } from '../outcome';
import { dayOf, wireAmount, wireDate } from '../shapes/wire';
import type { NewCreditSchedule } from './credit-schedule';
import type { CreditScheduleShape, ScheduleEntryView, ScheduleFullView } from './schedules.dto';
import { SchedulesPort } from './schedules.port';
import { createCreditSchedules } from './schedules.repository';

const NAMED = { stakeholder: true, category: true, costCenter: true } as const;
type ScheduleRow = Prisma.ScheduleGetPayload<{ include: typeof NAMED }>;

@Injectable()
export class SchedulesEmbedded extends SchedulesPort {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async createCredit(organization: Organization, shape: CreditScheduleShape): Promise<string> {
    refuseRecurrence(shape);
    const schedule = this.toNewSchedule(organization, shape);
    const { ids } = single(await this.database.transaction((tx) => createCreditSchedules(tx, [schedule])));
    const [first] = ids;
    if (first === undefined) throw new Error('a receivable became no schedule');
    return first;
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
    const rows = await prisma.schedule.findMany({
      where: { organizationId: organization.id, stakeholderId: id },
      include: NAMED,
      orderBy: [{ dueDate: 'asc' }, { id: 'asc' }],
      take: list.top,
      skip: list.skip,
    });
    const today = this.today(organization);
    return rows.map((row) => toFullView(row, organization, today));
  }

  override listDebit(): Promise<ListPart<ScheduleFullView>> {
    return Promise.reject(notBuilt('schedules.listDebit'));
  }

  override listOverdueCredit(): Promise<ListPart<ScheduleEntryView>> {
    return Promise.reject(notBuilt('schedules.listOverdueCredit'));
  }

  override nextOpenDebit(): Promise<ScheduleFullView> {
    return Promise.reject(notBuilt('schedules.nextOpenDebit'));
  }

  private toNewSchedule(organization: Organization, shape: CreditScheduleShape): NewCreditSchedule {
    const instalments = shape.instalment ?? [];
    return {
      ids: Array.from({ length: Math.max(1, instalments.length) }, newId),
      organization,
      stakeholderId: shape.stakeholderId,
      description: shape.description ?? '',
      reference: shape.reference ?? undefined,
      value: shape.value,
      scheduleDate: shape.scheduleDate ?? this.today(organization),
      dueDate: shape.dueDate,
      category: shape.categoryId ?? undefined,
      costCenter: shape.costCenterId ?? undefined,
      isFlagged: shape.isFlagged ?? false,
      instalments: instalments.map(({ value, dueDate, description }) => ({
        value,
        dueDate,
        description: description ?? undefined,
      })),
    };
  }

  private today({ timeZone }: Organization): CalendarDate {
    return CalendarDate.fromInstant(this.clock.now(), timeZone);
  }
}

function refuseRecurrence({ recurrence, instalment }: CreditScheduleShape): void {
  if (!recurrence) return;
  if (instalment && instalment.length > 0) {
    throw unacceptable('/recurrence', 'instalments', 'a recurrence cannot stand beside instalments');
  }
  throw new Problem('not-implemented', 'recurring credit schedules are not built yet', {
    members: { operation: 'schedules.createCredit' },
  });
}

function toFullView(row: ScheduleRow, organization: Organization, today: CalendarDate): ScheduleFullView {
  const { timeZone, currency } = organization;
  const { stakeholder, category, costCenter } = row;
  const dueDate = dayOf(row.dueDate);
  const isPaid = row.openMinor === 0n;
  return {
    scheduleId: row.id,
    description: row.description,
    ...(row.reference !== null && { reference: row.reference }),
    value: wireAmount(row.valueMinor, currency),
    openValue: wireAmount(row.openMinor, currency),
    scheduleDate: wireDate(dayOf(row.scheduleDate), timeZone),
    accrualDate: wireDate(dayOf(row.accrualDate), timeZone),
    dueDate: wireDate(dueDate, timeZone),
    stakeholder: named(stakeholder),
    category: category ? named(category) : {},
    costCenter: costCenter
      ? {
          id: costCenter.id,
          description: costCenter.description,
          isDeleted: costCenter.deletedAt !== null,
        }
      : {},
    isDued: !isPaid && dueDate.compare(today) < 0,
    isPaid,
    isFlagged: row.isFlagged,
    isEntry: isPaid,
    type: row.kind === 'credit' ? 'Credit' : 'Debit',
  };
}

function named({ id, name, deletedAt }: { id: string; name: string; deletedAt: Date | null }) {
  return { id, name, isDeleted: deletedAt !== null };
}
