import type { Organization } from '../../../kernel/organization';
import type { MovementView } from '../shapes/schedules.dto';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type { DirectRegistrationShape, PaymentDeletionShape } from '../shapes/payments.dto';

/** Money that leaves an account. */
export abstract class PaymentsPort {
  /**
   * Money that was paid, for a schedule or directly, in the order of its registration; without what was taken back.
   * An extension.
   */
  abstract list(organization: Organization, list: ListRequest): Promise<ListPart<MovementView>>;

  /**
   * Registers a payment directly on an account (operation 3). Not idempotent.
   * @returns the payment's UUID
   * @throws Problem `validation-failed`, for an unknown account, stakeholder, category or cost center and for a
   *   category for money that comes in among others; `before-opening-date`
   */
  abstract register(organization: Organization, payment: DirectRegistrationShape): Promise<string>;

  /**
   * Takes back a payment of a payable (operation 8); what it paid is open again. Once: the second time there is
   * nothing to take back.
   * @throws Problem `not-found` when the organization has no such payable, or the payable no such payment (any
   *   more); `entry-reconciliated`; `validation-failed` when the body disagrees with the path
   */
  abstract remove(
    organization: Organization,
    scheduleId: string,
    paymentId: string,
    body?: PaymentDeletionShape,
  ): Promise<void>;
}
