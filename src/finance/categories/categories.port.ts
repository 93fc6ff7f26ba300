import type { Organization } from '../../kernel/organization';
import type { CategoryView } from './categories.dto';

/** What income and expense are for. */
export abstract class CategoriesPort {
  /** One category (operation 17). @throws Problem `not-found`, for a deleted one as well */
  abstract get(organization: Organization, categoryId: string): Promise<CategoryView>;
}
