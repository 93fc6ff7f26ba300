import { Injectable } from '@nestjs/common';
import type { Organization } from '../../kernel/organization';
import { CategoriesPort } from '../api/ports/categories.port';
import { OrganizationsPort } from '../api/ports/organizations.port';
import { SuppliersPort } from '../api/ports/suppliers.port';
import type { CategoryView } from '../api/shapes/categories.dto';
import type { ListPart, ListRequest } from '../api/shapes/lists.dto';
import type { OrganizationListingView } from '../api/shapes/organizations.dto';
import type { SupplierView } from '../api/shapes/suppliers.dto';
import { EmbeddedBooks } from './embedded-books.embedded';
import { categories } from './lists/category-list.sql';
import { organizations } from './lists/organization-list.sql';
import { suppliers } from './lists/supplier-list.sql';

/* The ports of records that the finance interface only reads. */

@Injectable()
export class CategoriesEmbedded extends CategoriesPort {
  constructor(private readonly books: EmbeddedBooks) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<CategoryView>> {
    return this.books.list(organization, categories(organization), list);
  }

  override get(organization: Organization, categoryId: string): Promise<CategoryView> {
    return this.books.get(organization, categories(organization), categoryId, 'category');
  }
}

@Injectable()
export class OrganizationsEmbedded extends OrganizationsPort {
  constructor(private readonly books: EmbeddedBooks) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<OrganizationListingView>> {
    return this.books.list(organization, organizations(organization), list);
  }
}

@Injectable()
export class SuppliersEmbedded extends SuppliersPort {
  constructor(private readonly books: EmbeddedBooks) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<SupplierView>> {
    return this.books.list(organization, suppliers(organization), list);
  }
}
