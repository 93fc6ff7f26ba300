import { Controller, Get, Param } from '@nestjs/common';
import { KeyedApi } from '../../../http/api';
import { CurrentOrganization } from '../../../http/caller';
import type { Page, PageRequest } from '../../../http/paging';
import type { Organization } from '../../../kernel/organization';
import { Listing, pageOf } from '../operations/listing';
import { FinanceOperation } from '../operations/operation.decorator';
import { CategoryView } from '../shapes/categories.dto';
import { CategoriesPort } from '../ports/categories.port';
import { OrganizationListingView } from '../shapes/organizations.dto';
import { OrganizationsPort } from '../ports/organizations.port';
import { SupplierView } from '../shapes/suppliers.dto';
import { SuppliersPort } from '../ports/suppliers.port';

/* Records that the finance interface only reads. */

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

@KeyedApi('Organizations')
@Controller('v1/organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsPort) {}

  @Get()
  @FinanceOperation(
    'organizations.list',
    'List the organizations that the key opens',
    OrganizationListingView,
  )
  async list(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<OrganizationListingView>> {
    return pageOf(await this.organizations.list(organization, list), list);
  }
}

@KeyedApi('Suppliers')
@Controller('v1/suppliers')
export class SuppliersController {
  constructor(private readonly suppliers: SuppliersPort) {}

  @Get()
  @FinanceOperation('suppliers.list', 'List suppliers', SupplierView)
  async list(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<SupplierView>> {
    return pageOf(await this.suppliers.list(organization, list), list);
  }
}
