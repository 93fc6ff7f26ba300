import type { Organization } from '../../../kernel/organization';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type { SupplierView } from '../shapes/suppliers.dto';

/** Those whom the organization owes. */
export abstract class SuppliersPort {
  /** Suppliers in the order of their creation, without deleted ones (operation 19). */
  abstract list(organization: Organization, list: ListRequest): Promise<ListPart<SupplierView>>;
}
