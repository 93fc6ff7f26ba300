import { Controller, Get, Param } from '@nestjs/common';
import { KeyedApi } from '../../../http/api';
import { CurrentOrganization } from '../../../http/caller';
import type { Page, PageRequest } from '../../../http/paging';
import type { Organization } from '../../../kernel/organization';
import { Listing, pageOf } from '../operations/listing';
import { FinanceOperation } from '../operations/operation.decorator';
import { CategoryView } from '../shapes/categories.dto';
import { CategoriesPort } from '../ports/categories.port';

@KeyedApi('Categories')
@Controller('v1/schedules/categories')
export class CategoriesController {
  constructor(private readonly categories: CategoriesPort) {}

  @Get()
  @FinanceOperation('categories.list', 'List categories', CategoryView)
  async list(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<CategoryView>> {
    return pageOf(await this.categories.list(organization, list), list);
  }

  @Get(':categoryId')
  @FinanceOperation('categories.get', 'Read a category', CategoryView)
  get(
    @CurrentOrganization() organization: Organization,
    @Param('categoryId') categoryId: string,
  ): Promise<CategoryView> {
    return this.categories.get(organization, categoryId);
  }
}
