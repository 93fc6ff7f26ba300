import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiParam } from '@nestjs/swagger';
import { OperatorsApi } from '../http/api';
import { CurrentOrganization } from '../http/caller';
import { ApiListing, ListQuery, type Listing, type ListRequest } from '../http/listing';
import type { Organization } from '../kernel/organization';
import { AuditRepository, type AuditRecord } from './audit.repository';

@OperatorsApi('Audit')
@ApiParam({ name: 'org', description: "The organization's id or slug" })
@Controller('admin/organizations/:org/audit')
export class AuditController {
  constructor(private readonly audit: AuditRepository) {}

  @Get()
  @ApiListing()
  @ApiOperation({ summary: 'List who changed what, when and why, newest first' })
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() query: ListRequest,
  ): Promise<Listing<AuditRecord>> {
    return query.listing(await this.audit.list(organization.id, query.take, query.after));
  }
}
