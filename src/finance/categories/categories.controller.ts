import { Controller, Get, Param } from '@nestjs/common';
import { KeyedApi } from '../../http/api';
import { CurrentOrganization } from '../../http/caller';
import type { Organization } from '../../kernel/organization';
import { Serves } from '../operation.decorator';
import { CategoryView } from './categories.dto';
import { CategoriesPort } from './categories.port';

@KeyedApi('Categories')
@Controller('v1/schedules/categories')
export class CategoriesController {
  constructor(private readonly categories: CategoriesPort) {}

  @Get(':categoryId')
  @Serves('categories.get', 'Read a category', CategoryView)
  get(
    @CurrentOrganization() organization: Organization,
    @Param('categoryId') categoryId: string,
  ): Promise<CategoryView> {
    return this.categories.get(organization, categoryId);
  }
}
