import type { Organization } from '../../kernel/organization';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type { SupplierView } from './suppliers.dto';

/** Those whom the organization owes. */
export abstract class SuppliersPort {
  /** Suppliers (operation 19). @throws Problem `not-implemented` */
  abstract list(organization: Organization, list: ListRequest): Promise<ListPart<SupplierView>>;
}
