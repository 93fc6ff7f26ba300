import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiQuery } from '@nestjs/swagger';
import {
  type AttentionItem,
  DeliveriesRepository,
  DELIVERY_STATES,
  type DeliveryDetail,
  type DeliveryFilter,
  type DeliverySummary,
  type ListPage,
} from '../deliveries/deliveries.repository';
import { OperatorsApi } from '../http/api';
import { type Caller, CurrentCaller, CurrentOrganization } from '../http/caller';
import { JsonBody } from '../http/json-body';
import { UuidParam } from '../http/uuid-param';
import { IsText } from '../http/validation';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import { DeadLetters } from './dead-letters';
import { ListQuery, operatorsPage, type OperatorsPage } from './list-query';

/** Why an operator does it. */
class ReasonDto {
  @IsText()
  reason!: string;
}

/** What came in, what came of it, and what needs a person. */
@OperatorsApi('Deliveries')
@ApiParam({ name: 'org', description: "The organization's id or slug" })
@Controller('admin/organizations/:org')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly letters: DeadLetters,
  ) {}

  @Get('deliveries')
  @ApiOperation({ summary: 'List deliveries, newest first' })
  @ApiQuery({ name: 'state', required: false, enum: DELIVERY_STATES })
  @ApiQuery({ name: 'source', required: false })
  @ApiQuery({ name: 'topic', required: false })
  @ApiQuery({ name: 'businessKey', required: false })
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @Query() query: Record<string, unknown>,
  ): Promise<OperatorsPage<DeliverySummary>> {
    return operatorsPage(await this.deliveries.list(organization, filterOf(query), page), page);
  }

  @Get('deliveries/:id')
  @ApiOperation({ summary: 'Show a delivery with its runs, steps and effects' })
  async show(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
  ): Promise<DeliveryDetail> {
    const delivery = await this.deliveries.get(organization, id);
    if (!delivery) throw new Problem('not-found', 'There is no such delivery');
    return delivery;
  }

  @Get('dead-letters')
  @ApiOperation({ summary: 'List the deliveries that a person must look at' })
  async deadLetters(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<DeliverySummary>> {
    return operatorsPage(await this.deliveries.list(organization, { state: 'dead' }, page), page);
  }

  @Post('dead-letters/:id/retry')
  @HttpCode(204)
  @ApiParam({ name: 'id' })
  @ApiOperation({ summary: 'Work on a dead letter again; what was applied before stays as it is' })
  retry(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
  ): Promise<void> {
    return this.letters.retry(organization, caller, id);
  }

  @Post('dead-letters/:id/discard')
  @HttpCode(204)
  @ApiParam({ name: 'id' })
  @ApiOperation({ summary: 'Take a dead letter off the list, with a reason' })
  discard(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(ReasonDto) { reason }: ReasonDto,
  ): Promise<void> {
    return this.letters.discard(organization, caller, id, reason);
  }

  @Get('attention')
  @ApiOperation({
    summary: 'List what nothing failed for, but a person must look at: money left over, amounts that changed',
  })
  async attention(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<AttentionItem>> {
    return operatorsPage(await this.deliveries.openAttention(organization, page), page);
  }
}

function filterOf(query: Record<string, unknown>): DeliveryFilter {
  const filter: DeliveryFilter = {};
  for (const name of ['source', 'topic', 'businessKey'] as const) {
    const value = query[name];
    if (typeof value === 'string' && value !== '') filter[name] = value;
  }
  if (query['state'] !== undefined) {
    const state = DELIVERY_STATES.find((candidate) => candidate === query['state']);
    if (!state) throw new Problem('malformed-request', `state must be one of ${DELIVERY_STATES.join(', ')}`);
    filter.state = state;
  }
  return filter;
}
