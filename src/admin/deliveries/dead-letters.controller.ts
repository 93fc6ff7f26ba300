import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import type { DeliverySummary, ListPage } from '../../deliveries/deliveries.repository';
import { DeliveryList } from '../../deliveries/delivery-list.repository';
import { unacceptable } from '../../finance/api/ports/outcome';
import { OperatorsApi } from '../../http/api';
import { type Caller, CurrentCaller, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { type Filter, FilterQuery, PAGING } from '../filter-query';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { DeadLetters } from './dead-letters';
import { deliveryFilter, LETTER_FILTERS } from './delivery-filter';
import {
  DeliveryPage,
  MaybeReasonBody,
  ReasonBody,
  RetriedLetters,
  RetryLettersBody,
} from './deliveries.dto';

/** The deliveries that a person must look at. */
@OperatorsApi('Dead letters')
@Controller('admin/organizations/:org/dead-letters')
export class DeadLettersController {
  constructor(
    private readonly lists: DeliveryList,
    private readonly letters: DeadLetters,
  ) {}

  @Get()
  @ApiOperation({ summary: 'List the deliveries that a person must look at, newest first' })
  @ApiOkResponse({ type: DeliveryPage })
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery(LETTER_FILTERS, { refuseAllBut: PAGING }) filter: Filter,
  ): Promise<OperatorsPage<DeliverySummary>> {
    const dead = { ...deliveryFilter(filter), state: 'dead' } as const;
    return operatorsPage(await this.lists.list(organization, dead, page), page);
  }

  @Post('retry')
  @HttpCode(200)
  @ApiOperation({ summary: 'Work again on all dead letters that fit, or only count them' })
  @ApiOkResponse({ type: RetriedLetters })
  retryAll(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @JsonBody(RetryLettersBody, { refuseUnknown: true }) { filter, reason, dryRun }: RetryLettersBody,
  ): Promise<RetriedLetters> {
    const { from, to } = filter;
    if (from && to && from >= to) throw unacceptable('/filter/from', 'span', 'must be before to');
    return dryRun
      ? this.letters.count(organization, { ...filter })
      : this.letters.retryAll(organization, caller, { ...filter }, reason);
  }

  @Post(':id/retry')
  @HttpCode(204)
  @ApiOperation({ summary: 'Work on a dead letter again; what was applied before stays as it is' })
  retry(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(MaybeReasonBody, { optional: true }) { reason }: MaybeReasonBody = {},
  ): Promise<void> {
    return this.letters.retry(organization, caller, id, reason);
  }

  @Post(':id/discard')
  @HttpCode(204)
  @ApiOperation({ summary: 'Take a dead letter off the list, with a reason' })
  discard(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(ReasonBody) { reason }: ReasonBody,
  ): Promise<void> {
    return this.letters.discard(organization, caller, id, reason);
  }
}
