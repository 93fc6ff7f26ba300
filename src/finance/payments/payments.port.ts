import type { Organization } from '../../kernel/organization';
import type { DirectRegistrationShape, PaymentDeletionShape } from './payments.dto';

/** Money that leaves an account. */
export abstract class PaymentsPort {
  /**
   * Registers a payment directly on an account (operation 3). Not idempotent.
   * @returns the payment's UUID
   * @throws Problem `not-implemented`
   */
  abstract register(organization: Organization, payment: DirectRegistrationShape): Promise<string>;

  /**
   * Takes back a payment of a payable (operation 8). Once: the second time there is nothing to take back.
   * @throws Problem `not-implemented`
   */
  abstract remove(
    organization: Organization,
    scheduleId: string,
    paymentId: string,
    body?: PaymentDeletionShape,
  ): Promise<void>;
}
