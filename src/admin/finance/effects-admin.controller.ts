import { Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiQuery } from '@nestjs/swagger';
import type { ListPage } from '../../deliveries/deliveries.repository';
import { OperatorsApi } from '../../http/api';
import { type Caller, CurrentCaller, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { ApiOperatorsPage, ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { CallsAdminRepository } from './calls-admin.repository';
import { EffectDecisions } from './effect-decisions';
import {
  AdoptionBody,
  CALL_STATES,
  DecisionBody,
  type CallState,
  CallSummary,
  CallView,
} from './effects-admin.dto';

/** What was asked of a remote finance service, and what a person has to decide of it. */
@OperatorsApi('Effects')
@Controller('admin/organizations/:org/effects')
export class EffectsAdminController {
  constructor(
    private readonly calls: CallsAdminRepository,
    private readonly decisions: EffectDecisions,
  ) {}

  @Get()
  @ApiOperation({
    summary: 'List what was asked of the finance service, newest first; unknown ones unless asked',
  })
  @ApiOperatorsPage(CallSummary)
  @ApiQuery({ name: 'state', required: false, enum: CALL_STATES })
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @Query('state') state?: unknown,
  ): Promise<OperatorsPage<CallSummary>> {
    return operatorsPage(await this.calls.list(organization, stateOf(state), page), page);
  }

  @Get(':id')
  @ApiOperation({ summary: 'Show one with every sending' })
  @ApiOkResponse({ type: CallView })
  async show(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
  ): Promise<CallView> {
    const call = await this.calls.get(organization, id);
    if (!call) throw new Problem('not-found', 'There is no such effect');
    return call;
  }

  @Post(':id/adopt')
  @HttpCode(204)
  @ApiOperation({ summary: 'It took effect: take over the record it made' })
  adopt(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(AdoptionBody) { recordId, reason }: AdoptionBody,
  ): Promise<void> {
    return this.decisions.adopt(organization, caller, id, recordId, reason);
  }

  @Post(':id/repeat')
  @HttpCode(204)
  @ApiOperation({ summary: 'It took no effect: send it again' })
  repeat(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(DecisionBody) { reason }: DecisionBody,
  ): Promise<void> {
    return this.decisions.repeat(organization, caller, id, reason);
  }

  @Post(':id/abandon')
  @HttpCode(204)
  @ApiOperation({ summary: 'Give it up: it is never sent again' })
  abandon(
    @CurrentOrganization() organization: Organization,
    @CurrentCaller() caller: Caller,
    @UuidParam('id') id: string,
    @JsonBody(DecisionBody) { reason }: DecisionBody,
  ): Promise<void> {
    return this.decisions.abandon(organization, caller, id, reason);
  }
}

function stateOf(asked: unknown): CallState {
  const state = CALL_STATES.find((candidate) => candidate === (asked ?? 'unknown'));
  if (!state) throw new Problem('malformed-request', `state must be one of ${CALL_STATES.join(', ')}`);
  return state;
}
