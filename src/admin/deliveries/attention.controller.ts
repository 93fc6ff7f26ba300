import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@nestjs/swagger';
import {
  type AttentionItem,
  DeliveriesRepository,
  type ListPage,
} from '../../deliveries/deliveries.repository';
import { OperatorsApi } from '../../http/api';
import { type Caller, CurrentCaller, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { AttentionItems } from './attention-items';
import { AttentionPage, ReasonBody } from './deliveries.dto';

/** What nothing failed for, but a person must look at. */
@OperatorsApi('Attention')
@Controller('admin/organizations/:org/attention')
export class AttentionController {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly items: AttentionItems,
  ) {}

  @Get()
  @ApiOkResponse({ type: AttentionPage })
  @ApiOperation({
    summary: 'List what nothing failed for, but a person must look at: money left over, amounts that changed',
  })
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
  ): Promise<OperatorsPage<AttentionItem>> {
    return operatorsPage(await this.deliveries.openAttention(organization, page), page);
  }

  @Post(':id/resolve')
  @HttpCode(204)
  @ApiOperation({ summary: 'Take an item off the list, because a person has dealt with it' })
  resolve(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(ReasonBody) { reason }: ReasonBody,
  ): Promise<void> {
    return this.items.resolve(organization, caller, id, reason);
  }
}
