import type { Organization } from '../../../kernel/organization';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type { CreditScheduleShape, ScheduleEntryView, ScheduleFullView } from '../shapes/schedules.dto';

/** What is owed to the organization (credit) and what it owes (debit). */
export abstract class SchedulesPort {
  /**
   * Registers a receivable, or one for each instalment, or one for each occurrence that is due within twelve
   * months (operation 2); the recurrence makes the later ones in time. Not idempotent.
   * @returns the new schedule's UUID; with instalments or a recurrence, the first one's
   * @throws Problem `validation-failed` (unknown stakeholder, category or cost center, a recurrence that cannot
   *   be, among others), `instalments-mismatch` with the difference
   */
  abstract createCredit(organization: Organization, schedule: CreditScheduleShape): Promise<string>;

  /**
   * The schedules of one customer, by due date (operation 13).
   * @throws Problem `not-found` when the organization has no such customer
   */
  abstract listOfCustomer(
    organization: Organization,
    customerId: string,
    list: ListRequest,
  ): Promise<ScheduleFullView[]>;

  /** Payables in the order of their creation (operation 11). */
  abstract listDebit(organization: Organization, list: ListRequest): Promise<ListPart<ScheduleFullView>>;

  /** Receivables in the order of their creation. An extension. */
  abstract listCredit(organization: Organization, list: ListRequest): Promise<ListPart<ScheduleFullView>>;

  /** Receivables of which something is open, by due date. An extension. */
  abstract listOpenCredit(organization: Organization, list: ListRequest): Promise<ListPart<ScheduleFullView>>;

  /** One receivable. An extension. @throws Problem `not-found`, for a payable as well */
  abstract getCredit(organization: Organization, scheduleId: string): Promise<ScheduleFullView>;

  /** One payable. An extension. @throws Problem `not-found`, for a receivable as well */
  abstract getDebit(organization: Organization, scheduleId: string): Promise<ScheduleFullView>;

  /**
   * Receivables that are open and were due before today in the organization's zone, one item for each, in the
   * order of their creation (operation 12). `value` is what is open, `date` the due date, `account` the
   * organization's default account.
   */
  abstract listOverdueCredit(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<ScheduleEntryView>>;

  /**
   * The open payable that is due first among those that match (operation 18).
   * @throws Problem `no-open-schedule` when there is none
   */
  abstract nextOpenDebit(
    organization: Organization,
    list: Pick<ListRequest, 'filter'>,
  ): Promise<ScheduleFullView>;
}
