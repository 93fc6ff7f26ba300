import type { Organization } from '../../kernel/organization';
import type { CustomerShape } from './customers.dto';

/** Those who owe the organization. */
export abstract class CustomersPort {
  /**
   * Registers a customer (operation 1). Not idempotent for customers without a document; a document is taken
   * once in an organization.
   * @returns the new customer's UUID
   * @throws Problem `customer-exists` with `customerId` when the document is taken; `validation-failed`
   */
  abstract create(organization: Organization, customer: CustomerShape): Promise<string>;
}
