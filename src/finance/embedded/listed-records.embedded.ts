import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { Organization } from '../../../kernel/organization';
import { notFound, pathId } from '../../api/ports/not-found';
import { readList } from '../lists/list.repository';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { categories } from '../lists/category-list.sql';
import type { CategoryView } from '../../api/shapes/categories.dto';
import { CategoriesPort } from '../../api/ports/categories.port';

@Injectable()
export class CategoriesEmbedded extends CategoriesPort {
  constructor(private readonly database: Database) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<CategoryView>> {
    return readList(this.database.prisma, organization, categories(organization), list);
  }

  override async get(organization: Organization, categoryId: string): Promise<CategoryView> {
    const id = pathId(categoryId, 'category');
    const found = await this.database.prisma.category.findFirst({
      where: { id, organizationId: organization.id, deletedAt: null },
      include: { group: true },
    });
    if (!found) throw notFound('category');
    const { name, referenceCode, type, group } = found;
    return {
      id,
      name,
      referenceCode,
      type,
      group: { id: group.id, name: group.name, referenceCode: group.referenceCode },
    };
  }
}
