import type { Organization } from '../../../kernel/organization';
import type { MovementView } from '../shapes/schedules.dto';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type { DirectRegistrationShape } from '../shapes/payments.dto';
import type { ScheduledReceiptShape } from '../shapes/receipts.dto';

/** Money that reaches an account. */
export abstract class ReceiptsPort {
  /**
   * Money that was received, for a schedule or directly, in the order of its registration; without what was taken back.
   * An extension.
   */
  abstract list(organization: Organization, list: ListRequest): Promise<ListPart<MovementView>>;

  /**
   * What receipts that close a receivable wrote off of it, in the order of its registration. No money: it has no account.
   * An extension.
   */
  abstract listDiscounts(organization: Organization, list: ListRequest): Promise<ListPart<MovementView>>;

  /**
   * Registers a receipt directly on an account (operation 4). Not idempotent.
   * @returns the receipt's UUID
   * @throws Problem `validation-failed`, for an unknown account, stakeholder, category or cost center and for a
   *   category for money that goes out among others; `before-opening-date`
   */
  abstract register(organization: Organization, receipt: DirectRegistrationShape): Promise<string>;

  /**
   * Registers a receipt against a receivable (operation 5). Not idempotent: partial receipts add up.
   * @throws Problem `not-found` when the organization has no such receivable; `exceeds-open-value` with
   *   `openValue`; `before-opening-date`; `validation-failed`
   */
  abstract registerForSchedule(
    organization: Organization,
    scheduleId: string,
    receipt: ScheduledReceiptShape,
  ): Promise<void>;
}
