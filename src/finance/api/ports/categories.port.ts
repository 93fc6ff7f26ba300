import type { Organization } from '../../../kernel/organization';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type { CategoryView } from '../shapes/categories.dto';

/** What income and expense are for. */
export abstract class CategoriesPort {
  /** One category (operation 17). @throws Problem `not-found`, for a deleted one as well */
  abstract get(organization: Organization, categoryId: string): Promise<CategoryView>;

  /** Categories in the order of their creation, without deleted ones. An extension. */
  abstract list(organization: Organization, list: ListRequest): Promise<ListPart<CategoryView>>;
}
