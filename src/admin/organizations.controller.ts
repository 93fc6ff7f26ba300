import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiParam } from '@nestjs/swagger';
import { OperatorsApi } from '../http/api';
import { CurrentCaller, CurrentOrganization, type Caller } from '../http/caller';
import type { Organization } from '../kernel/organization';
import { OrganizationsRepository } from '../organizations/organizations.repository';
import type { OperatorsPage } from './list-query';

@OperatorsApi('Organizations')
@Controller('admin/organizations')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsRepository) {}

  @Get()
  @ApiOperation({ summary: 'List the organizations the key may see, by slug' })
  async list(@CurrentCaller() caller: Caller): Promise<OperatorsPage<Organization>> {
    const items = caller.organization ? [caller.organization] : await this.organizations.list();
    return { items, after: null };
  }

  @Get(':org')
  @ApiParam({ name: 'org', description: "The organization's id or slug" })
  @ApiOperation({ summary: 'Read one organization' })
  get(@CurrentOrganization() organization: Organization): Organization {
    return organization;
  }
}
