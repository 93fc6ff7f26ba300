import type { Organization } from '../../../kernel/organization';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type { CustomerShape, CustomerUpdateShape, CustomerView } from '../shapes/customers.dto';

/** Those who owe the organization. */
export abstract class CustomersPort {
  /**
   * Registers a customer (operation 1). Not idempotent for customers without a document; a document is taken
   * once in an organization.
   * @returns the new customer's UUID
   * @throws Problem `customer-exists` with `customerId` when the document is taken; `validation-failed`
   */
  abstract create(organization: Organization, customer: CustomerShape): Promise<string>;

  /** Customers in the order of their creation, without deleted ones. An extension. */
  abstract list(organization: Organization, list: ListRequest): Promise<ListPart<CustomerView>>;

  /** One customer. An extension. @throws Problem `not-found`, for a deleted one as well */
  abstract get(organization: Organization, customerId: string): Promise<CustomerView>;

  /**
   * Replaces what the body brings. Idempotent. An extension.
   * @throws Problem `not-found`; `customer-exists` with `customerId` when another has the document;
   *   `validation-failed`
   */
  abstract update(organization: Organization, customerId: string, body: CustomerUpdateShape): Promise<void>;
}
