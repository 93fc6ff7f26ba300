import { Controller, Get, Post } from '@nestjs/common';
import { Database } from '../../database/database';
import { type AttentionItem, DeliveriesRepository } from '../../deliveries/deliveries.repository';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import { Clock } from '../../kernel/clock';
import type { ListPage } from '../../kernel/list-page';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Answers, Does } from '../operation';
import { ReasonBody } from '../reasons.dto';
import { AttentionPage } from './deliveries.dto';

/** What nothing failed for, but a person must look at. */
@OperatorsApi('Attention')
@Controller('admin/organizations/:org/attention')
export class AttentionController {
  constructor(
    private readonly database: Database,
    private readonly deliveries: DeliveriesRepository,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Answers(
    AttentionPage,
    'List what a person must check although nothing failed: money left over, amounts that changed',
  )
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<AttentionItem>> {
    return operatorsPage(await this.deliveries.openAttention(organization, page), page);
  }

  /** For good: the same of the same order is not raised again. @throws Problem not-found, also when it is resolved */
  @Post(':id/resolve')
  @Does('Take an item off the list, because a person has dealt with it')
  async resolve(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(ReasonBody) { reason }: ReasonBody,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [item] = await tx.attention.updateManyAndReturn({
        where: { id, organizationId: actor.organization.id, resolvedAt: null },
        data: { resolvedAt: this.clock.now() },
        select: { businessKey: true, code: true },
      });
      if (!item) throw new Problem('not-found', 'There is no such item that is open');
      const states = { before: { ...item, state: 'open' }, after: { ...item, state: 'resolved' } };
      await this.audit.record(tx, actor, { action: 'attention.resolve', subject: id, reason, ...states });
    });
  }
}
