import { Controller, Get } from '@nestjs/common';
import { KeyedApi } from '../../../http/api';
import { CurrentOrganization } from '../../../http/caller';
import type { Page, PageRequest } from '../../../http/paging';
import type { Organization } from '../../../kernel/organization';
import { Listing, pageOf } from '../operations/listing';
import { FinanceOperation } from '../operations/operation.decorator';
import { SupplierView } from '../shapes/suppliers.dto';
import { SuppliersPort } from '../ports/suppliers.port';

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
