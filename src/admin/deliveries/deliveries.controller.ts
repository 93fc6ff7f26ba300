import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import { DELIVERY_STATES, type DeliverySummary, type ListPage } from '../../deliveries/deliveries.repository';
import { DeliveryList } from '../../deliveries/delivery-list.repository';
import { OperatorsApi } from '../../http/api';
import { type Caller, CurrentCaller, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { type Filter, FilterQuery, PAGING } from '../filter-query';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { deliveryFilter, LETTER_FILTERS } from './delivery-filter';
import { DeliveryViews } from './delivery-views';
import { DeadLetters } from './dead-letters';
import { DeliveryDetailView, DeliveryPage, ReasonBody, ReplayBody, ReplayView } from './deliveries.dto';
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
  @ApiOperation({ summary: 'List deliveries, newest first' })
  @ApiOkResponse({ type: DeliveryPage })
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery({ state: DELIVERY_STATES, ...LETTER_FILTERS }, { refuseAllBut: PAGING }) filter: Filter,
  ): Promise<OperatorsPage<DeliverySummary>> {
    return operatorsPage(await this.lists.list(organization, deliveryFilter(filter), page), page);
  }

  @Get('deliveries/:id')
  @ApiOperation({
    summary: 'Show a delivery with its body, events, runs, steps and effects',
    description:
      'What may be about a person is hidden in body and events. With `body=raw` it is not, and the audit log says who looked.',
  })
  @ApiOkResponse({ type: DeliveryDetailView })
  show(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @FilterQuery({ body: ['redacted', 'raw'], reason: 'text' }, { refuseAllBut: [] })
    { body, reason }: Filter,
  ): Promise<DeliveryDetailView> {
    return body === 'raw'
      ? this.views.reveal(organization, caller, id, reason)
      : this.views.show(organization, id);
  }

  @Post('deliveries/:id/replay')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Work on a delivery again, or only say what that would find done and what it would do',
  })
  @ApiOkResponse({ type: ReplayView })
  replay(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(ReplayBody, { optional: true, refuseUnknown: true }) body: ReplayBody = {},
  ): Promise<ReplayView> {
    return this.replays.replay(organization, caller, id, body);
  }

  @Post('deliveries/:id/discard')
  @HttpCode(204)
  @ApiOperation({
    summary: 'Give up a delivery that waits, or is a dead letter, with a reason',
    description: 'Later deliveries about the same entity go on without it. 409 while it is being worked on.',
  })
  discard(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(ReasonBody) { reason }: ReasonBody,
  ): Promise<void> {
    return this.letters.discardOpen(organization, caller, id, reason);
  }
}
