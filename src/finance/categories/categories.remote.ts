import { Injectable } from '@nestjs/common';
import type { Organization } from '../../kernel/organization';
import { RemoteFront } from '../remote/front';
import type { CategoryView } from './categories.dto';
import { CategoriesPort } from './categories.port';

/** Categories of a remote finance service. */
@Injectable()
export class CategoriesRemote extends CategoriesPort {
  constructor(private readonly front: RemoteFront) {
    super();
  }

  override get(organization: Organization, categoryId: string): Promise<CategoryView> {
    return this.front.record(organization, 'categories.get', { CategoryId: categoryId });
  }
}
