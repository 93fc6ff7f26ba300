import { Controller, Get } from '@nestjs/common';
import { KeyedApi } from '../../../http/api';
import { CurrentOrganization } from '../../../http/caller';
import type { Page, PageRequest } from '../../../http/paging';
import type { Organization } from '../../../kernel/organization';
import { Listing, pageOf } from '../operations/listing';
import { FinanceOperation } from '../operations/operation.decorator';
import { OrganizationView } from '../shapes/organizations.dto';
import { OrganizationsPort } from '../ports/organizations.port';

@KeyedApi('Organizations')
@Controller('v1/organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsPort) {}

  @Get()
  @FinanceOperation('organizations.list', 'List the organizations that the key opens', OrganizationView)
  async list(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<OrganizationView>> {
    return pageOf(await this.organizations.list(organization, list), list);
  }
}
