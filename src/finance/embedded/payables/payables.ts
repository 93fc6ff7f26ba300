import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../../database/transaction';
import { CalendarDate } from '../../../kernel/calendar-date';
import { Clock } from '../../../kernel/clock';
import { newId } from '../../../kernel/identifier';
import type { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { announceOwn, schedulesPaid } from '../changes/announce';
import { pathId } from '../../api/ports/not-found';
import { unacceptable } from '../../../kernel/problem';
import { single } from '../../api/ports/outcome';
import { posting } from '../ledger/posting';
import { settleSchedules } from '../receipts/receipts.repository';
import { createDebitSchedule } from './payables.repository';

/** What the organization will owe somebody. */
export interface NewDebitSchedule {
  /** UUID of a supplier or partner. */
  stakeholderId: string;
  description?: string;
  reference?: string;
  /** Above zero. */
  value: Money;
  /** Absent: today. */
  scheduleDate?: CalendarDate;
  dueDate: CalendarDate;
  /** UUID of a category of type `out`. */
  categoryId?: string;
  /** UUID */
  costCenterId?: string;
  isFlagged?: boolean;
}

/** Money that settles a payable, wholly or in part. */
export interface SchedulePayment {
  /** UUID */
  accountId: string;
  date: CalendarDate;
  /** Above zero, at most what is open. */
  value: Money;
  identifier?: string;
  payingType?: string;
  /** Absent: the schedule's. */
  description?: string;
}

/** Payables and their payments, which the finance interface lists and takes back but cannot make. */
@Injectable()
export class Payables {
  constructor(private readonly clock: Clock) {}

  /**
   * Registers a payable and books it: it is owed from its due date on, as an expense of its category.
   * @returns the new schedule's UUID
   * @throws Problem `validation-failed` for a value of zero or less, an unknown stakeholder, category or cost
   *   center, and a category for money that comes in
   */
  async create(tx: Transaction, organization: Organization, schedule: NewDebitSchedule): Promise<string> {
    if (!schedule.value.isPositive) {
      throw unacceptable('/value', 'positive', 'the value must be more than 0');
    }
    const now = this.clock.now();
    const today = CalendarDate.fromInstant(now, organization.timeZone);
    const id = await createDebitSchedule(tx, organization, { scheduleDate: today, ...schedule });
    await announceOwn(tx, organization, [{ type: 'debit-schedule.created', id }], now);
    return id;
  }

  /**
   * Registers a payment of a payable. Its row is locked: however many pay at once, it never gets more than is
   * open.
   * @returns the payment's UUID
   * @throws Problem `not-found` when the organization has no such payable; `exceeds-open-value` with
   *   `openValue`; `before-opening-date`; `validation-failed`
   */
  async pay(
    tx: Transaction,
    organization: Organization,
    scheduleId: string,
    { accountId, ...payment }: SchedulePayment,
  ): Promise<string> {
    const schedules = [pathId(scheduleId, 'debit schedule')];
    const id = newId();
    const settlement = { ...payment, organization, kind: 'debit', schedules, account: accountId } as const;
    const exact = { ...settlement, mode: 'exact', entryIds: [id] } as const;
    const { paidIds } = single(await posting(tx, (books) => settleSchedules(books, [exact])));
    const changes = [{ type: 'payment.registered', id } as const, ...schedulesPaid(paidIds)];
    await announceOwn(tx, organization, changes, this.clock.now());
    return id;
  }
}
