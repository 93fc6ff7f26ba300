import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiQuery } from '@nestjs/swagger';
import { IsNotEmpty } from 'class-validator';
import {
  type AttentionItem,
  DeliveriesRepository,
  DELIVERY_STATES,
  type DeliveryDetail,
  type DeliveryFilter,
  type DeliverySummary,
  type ListPage,
} from '../deliveries/deliveries.repository';
import { DeliveryWorker } from '../deliveries/delivery-worker';
import { OperatorsApi } from '../http/api';
import { type Caller, CurrentCaller, CurrentOrganization } from '../http/caller';
import { JsonBody } from '../http/json-body';
import { IsText } from '../http/validation';
import { Clock } from '../kernel/clock';
import { isUuid } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';
import { Problem } from '../kernel/problem';
import { AuditRepository } from './audit.repository';
import { ListQuery, operatorsPage, type OperatorsPage } from './list-query';

/** Why an operator does it. */
class ReasonDto {
  @IsText()
  @IsNotEmpty()
  reason!: string;
}

/** What came in, what came of it, and what needs a person. */
@OperatorsApi('deliveries')
@Controller('admin/organizations/:org')
export class DeliveriesController {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly worker: DeliveryWorker,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
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
    @Param('id') id: string,
  ): Promise<DeliveryDetail> {
    const delivery = isUuid(id) ? await this.deliveries.get(organization, id) : undefined;
    if (!delivery) throw noSuchDelivery();
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
  @ApiOperation({ summary: 'Work on a dead letter again; what was applied before stays as it is' })
  async retry(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
  ): Promise<void> {
    if (!isUuid(id) || !(await this.deliveries.retry(organization, id, this.clock.now())))
      throw noSuchDelivery();
    await this.audit.record(caller, {
      organizationId: organization.id,
      action: 'dead-letter.retry',
      subject: id,
    });
    this.worker.wake();
  }

  @Post('dead-letters/:id/discard')
  @HttpCode(204)
  @ApiOperation({ summary: 'Take a dead letter off the list, with a reason' })
  async discard(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @JsonBody(ReasonDto) { reason }: ReasonDto,
  ): Promise<void> {
    if (!isUuid(id) || !(await this.deliveries.discard(organization, id, reason))) throw noSuchDelivery();
    await this.audit.record(caller, {
      organizationId: organization.id,
      action: 'dead-letter.discard',
      subject: id,
      reason,
    });
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

function noSuchDelivery(): Problem {
  return new Problem('not-found', 'There is no such delivery in the state this needs.');
}
