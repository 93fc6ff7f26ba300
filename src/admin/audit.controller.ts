import { Controller, Get } from '@nestjs/common';
import { ApiOperation, ApiParam } from '@nestjs/swagger';
import type { ListPage } from '../deliveries/deliveries.repository';
import { OperatorsApi } from '../http/api';
import { CurrentOrganization } from '../http/caller';
import type { Organization } from '../kernel/organization';
import { AuditRepository, type AuditRecord } from './audit.repository';
import { ListQuery, operatorsPage, type OperatorsPage } from './list-query';

@OperatorsApi('Audit')
@ApiParam({ name: 'org', description: "The organization's id or slug" })
@Controller('admin/organizations/:org/audit')
export class AuditController {
  constructor(private readonly audit: AuditRepository) {}

  @Get()
  @ApiOperation({ summary: 'List who changed what, when and why, newest first' })
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<AuditRecord>> {
    return operatorsPage(await this.audit.list(organization.id, page), page);
  }
}
