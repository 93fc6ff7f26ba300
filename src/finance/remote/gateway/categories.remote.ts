import { Injectable } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import { pathId } from '../../api/ports/not-found';
import { RemoteFinanceGateway } from './remote-finance-gateway';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import type { CategoryView } from '../../api/shapes/categories.dto';
import { CategoriesPort } from '../../api/ports/categories.port';

/** Categories of a remote finance service. */
@Injectable()
export class CategoriesRemote extends CategoriesPort {
  constructor(private readonly gateway: RemoteFinanceGateway) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<CategoryView>> {
    return this.gateway.page(organization, 'categories.list', list);
  }

  override async get(organization: Organization, categoryId: string): Promise<CategoryView> {
    const path = { CategoryId: pathId(categoryId, 'category') };
    return this.gateway.record(organization, 'categories.get', path);
  }
}
