import type { Organization } from '../../../kernel/organization';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type { OrganizationListingView } from '../shapes/organizations.dto';

/** Whose books there are. */
export abstract class OrganizationsPort {
  /** The organizations that the caller's key opens: on Ponte's own books exactly one. An extension. */
  abstract list(organization: Organization, list: ListRequest): Promise<ListPart<OrganizationListingView>>;
}
