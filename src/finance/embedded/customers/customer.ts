import type { Organization } from '../../../kernel/organization';
import type { TaxDocument } from '../../api/effects/tax-document';

/** A customer on the way to the books. */
export interface NewCustomer {
  /** UUID, made beforehand. */
  id: string;
  organization: Organization;
  name: string;
  email?: string;
  phone?: string;
  document?: TaxDocument;
  /** communication, address, bankAccountInformation, companyInformation, as the interface shapes them. */
  details: Record<string, unknown>;
}
