import type { Organization } from '../../kernel/organization';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type { CreditScheduleShape, ScheduleEntryView, ScheduleFullView } from './schedules.dto';

/** What is owed to the organization (credit) and what it owes (debit). */
export abstract class SchedulesPort {
  /**
   * Registers a receivable, or one for each instalment (operation 2). Not idempotent.
   * @returns the new schedule's UUID; with instalments, the first one's
   * @throws Problem `validation-failed` (unknown stakeholder, category or cost center among others),
   *   `instalments-mismatch` with the difference, `not-implemented` for a recurrence
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

  /** Payables (operation 11). @throws Problem `not-implemented` */
  abstract listDebit(organization: Organization, list: ListRequest): Promise<ListPart<ScheduleFullView>>;

  /** Overdue receivables, one item for each (operation 12). @throws Problem `not-implemented` */
  abstract listOverdueCredit(
    organization: Organization,
    list: ListRequest,
  ): Promise<ListPart<ScheduleEntryView>>;

  /** The open payable that is due first (operation 18). @throws Problem `not-implemented` */
  abstract nextOpenDebit(organization: Organization): Promise<ScheduleFullView>;
}
