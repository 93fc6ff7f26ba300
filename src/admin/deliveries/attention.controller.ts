import { Controller, Get, Post } from '@nestjs/common';
import { type AttentionItem, DeliveriesRepository } from '../../deliveries/deliveries.repository';
import type { ListPage } from '../../kernel/list-page';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Answers, Does } from '../operation';
import { ReasonBody } from '../reasons.dto';
import { AttentionItems } from './attention-items';
import { AttentionPage } from './deliveries.dto';

/** What nothing failed for, but a person must look at. */
@OperatorsApi('Attention')
@Controller('admin/organizations/:org/attention')
export class AttentionController {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly items: AttentionItems,
  ) {}

  @Get()
  @Answers(
    AttentionPage,
    'List what nothing failed for, but a person must look at: money left over, amounts that changed',
  )
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<AttentionItem>> {
    return operatorsPage(await this.deliveries.openAttention(organization, page), page);
  }

  @Post(':id/resolve')
  @Does('Take an item off the list, because a person has dealt with it')
  resolve(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(ReasonBody) { reason }: ReasonBody,
  ): Promise<void> {
    return this.items.resolve(actor, id, reason);
  }
}
