import { Controller, Get } from '@nestjs/common';
import type { ListPage } from '../kernel/list-page';
import { OperatorsApi } from '../http/api';
import { CurrentOrganization } from '../http/caller';
import type { Organization } from '../kernel/organization';
import { AuditPage, type AuditView } from './audit.dto';
import { AuditRepository } from './audit.repository';
import { type Filter, FilterQuery, spanOf } from './filter-query';
import { ListQuery, operatorsPage, type OperatorsPage } from './list-query';
import { Answers } from './operation';

const FILTERS = { action: 'text', subject: 'text', actor: 'uuid', from: 'instant', to: 'instant' } as const;

@OperatorsApi('Audit')
@Controller('admin/organizations/:org/audit')
export class AuditController {
  constructor(private readonly audit: AuditRepository) {}

  @Get()
  @Answers(AuditPage, 'List who changed what, when and why, newest first')
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(FILTERS) filter: Filter,
  ): Promise<OperatorsPage<AuditView>> {
    const { from: _from, to: _to, ...exact } = filter;
    const wanted = { ...exact, ...spanOf(filter) };
    return operatorsPage(await this.audit.list(organization.id, wanted, page), page);
  }
}
