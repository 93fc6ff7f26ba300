import { Controller, Get, Post } from '@nestjs/common';
import type { DeliverySummary } from '../../deliveries/deliveries.repository';
import type { ListPage } from '../../kernel/list-page';
import { DeliveryList } from '../../deliveries/delivery-list.repository';
import { SourceLookup } from '../../deliveries/source-lookup';
import { unacceptable } from '../../kernel/problem';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { type Filter, FilterQuery } from '../filter-query';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Answers, Does } from '../operation';
import { MaybeReasonBody, ReasonBody } from '../reasons.dto';
import { DeadLetters } from './dead-letters';
import { deliveryFilter, LETTER_FILTERS } from './delivery-filter';
import { DeliveryPage, RetriedLetters, RetryLettersBody } from './deliveries.dto';

/** The deliveries that a person must see to. */
@OperatorsApi('Dead letters')
@Controller('admin/organizations/:org/dead-letters')
export class DeadLettersController {
  constructor(
    private readonly lists: DeliveryList,
    private readonly letters: DeadLetters,
    private readonly sources: SourceLookup,
  ) {}

  @Get()
  @Answers(DeliveryPage, 'List the deliveries that a person must see to, newest first')
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(LETTER_FILTERS) filter: Filter,
  ): Promise<OperatorsPage<DeliverySummary>> {
    const dead = { ...deliveryFilter(filter), state: 'dead' } as const;
    return operatorsPage(await this.lists.list(organization, dead, page), page);
  }

  @Post('retry')
  @Answers(RetriedLetters, 'Work again on all dead letters that fit, or only count them')
  async retryAll(
    @CurrentActor() actor: Actor,
    @JsonBody(RetryLettersBody, { refuseUnknown: true }) { filter, reason, dryRun }: RetryLettersBody,
  ): Promise<RetriedLetters> {
    const { source, from, to } = filter;
    // A name that is written wrongly must not look as if there were no dead letters.
    if (source && !(await this.sources.find(actor.organization.slug, source)))
      throw unacceptable('/filter/source', 'unknown', 'names no source of the organization');
    if (from && to && from >= to) throw unacceptable('/filter/from', 'span', 'must be before to');
    return dryRun
      ? this.letters.count(actor.organization, { ...filter })
      : this.letters.retryAll(actor, { ...filter }, reason);
  }

  @Post(':id/retry')
  @Does('Work on a dead letter again; what was applied before stays as it is')
  retry(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(MaybeReasonBody, { optional: true }) { reason }: MaybeReasonBody = {},
  ): Promise<void> {
    return this.letters.retry(actor, id, reason);
  }

  @Post(':id/discard')
  @Does('Take a dead letter off the list, with a reason')
  discard(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(ReasonBody) { reason }: ReasonBody,
  ): Promise<void> {
    return this.letters.discard(actor, id, reason);
  }
}
