import { Controller, Get, Post } from '@nestjs/common';
import { DELIVERY_STATES, type DeliverySummary } from '../../deliveries/deliveries.repository';
import type { ListPage } from '../../kernel/list-page';
import { DeliveryList } from '../../deliveries/delivery-list.repository';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { type Filter, FilterQuery } from '../filter-query';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Answers, Does } from '../operation';
import { ReasonBody } from '../reasons.dto';
import { deliveryFilter, LETTER_FILTERS } from './delivery-filter';
import { DeliveryViews } from './delivery-views';
import { DeadLetters } from './dead-letters';
import { DeliveryDetailView, DeliveryPage, ReplayBody, ReplayView } from './deliveries.dto';
import { Replays } from './replays';

/** What came in, what came of it, and how to work on it again. */
@OperatorsApi('Deliveries')
@Controller('admin/organizations/:org')
export class DeliveriesController {
  constructor(
    private readonly lists: DeliveryList,
    private readonly views: DeliveryViews,
    private readonly replays: Replays,
    private readonly letters: DeadLetters,
  ) {}

  @Get('deliveries')
  @Answers(DeliveryPage, 'List deliveries, newest first')
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery({ state: DELIVERY_STATES, ...LETTER_FILTERS }) filter: Filter,
  ): Promise<OperatorsPage<DeliverySummary>> {
    return operatorsPage(await this.lists.list(organization, deliveryFilter(filter), page), page);
  }

  @Get('deliveries/:id')
  @Answers(
    DeliveryDetailView,
    'Show a delivery with its body, events, runs, steps and effects',
    'What may be about a person is hidden in body and events. With `body=raw` it is not, and the audit log says who read it.',
  )
  show(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @FilterQuery({ body: ['redacted', 'raw'], reason: 'text' }, { beside: [] })
    { body, reason }: Filter,
  ): Promise<DeliveryDetailView> {
    return body === 'raw' ? this.views.reveal(actor, id, reason) : this.views.show(actor.organization, id);
  }

  @Post('deliveries/:id/replay')
  @Answers(ReplayView, 'Work on a delivery again, or only say what that would find done and what it would do')
  replay(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(ReplayBody, { optional: true, refuseUnknown: true }) body: ReplayBody = {},
  ): Promise<ReplayView> {
    return this.replays.replay(actor, id, body);
  }

  @Post('deliveries/:id/discard')
  @Does(
    'Give up a delivery that waits, or is a dead letter, with a reason',
    'Later deliveries about the same entity go on without it. 409 while it is being worked on.',
  )
  discard(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(ReasonBody) { reason }: ReasonBody,
  ): Promise<void> {
    return this.letters.discardOpen(actor, id, reason);
  }
}
