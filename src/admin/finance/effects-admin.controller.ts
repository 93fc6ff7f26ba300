import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { Worker } from '../../deliveries/worker';
import { CallDecisions, type Decided } from '../../finance/remote/calls/decisions';
import type { ListPage } from '../../kernel/list-page';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Answers, AnswersPage, Does } from '../operation';
import { CallsAdminRepository } from './calls-admin.repository';
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
    private readonly database: Database,
    private readonly calls: CallsAdminRepository,
    private readonly decisions: CallDecisions,
    private readonly worker: Worker,
    private readonly audit: AuditRepository,
  ) {}

  @Get()
  @AnswersPage(
    CallSummary,
    'List what was asked of the finance service, newest first; unknown ones unless asked',
  )
  @ApiQuery({ name: 'state', required: false, enum: CALL_STATES })
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @Query('state') state?: unknown,
  ): Promise<OperatorsPage<CallSummary>> {
    return operatorsPage(await this.calls.list(organization, stateOf(state), page), page);
  }

  @Get(':id')
  @Answers(CallView, 'Show one with every sending')
  async show(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
  ): Promise<CallView> {
    const call = await this.calls.get(organization, id);
    if (!call) throw new Problem('not-found', 'There is no such effect');
    return call;
  }

  @Post(':id/adopt')
  @Does('It took effect: take over the record it made')
  adopt(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(AdoptionBody) { recordId, reason }: AdoptionBody,
  ): Promise<void> {
    return this.decide(actor, 'effect.adopt', reason, (tx) =>
      this.decisions.adopt(tx, actor.organization.id, id, recordId, reason),
    );
  }

  @Post(':id/repeat')
  @Does('It took no effect: send it again')
  repeat(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(DecisionBody) { reason }: DecisionBody,
  ): Promise<void> {
    return this.decide(actor, 'effect.repeat', reason, (tx) =>
      this.decisions.repeat(tx, actor.organization.id, id, reason),
    );
  }

  @Post(':id/abandon')
  @Does('Give it up: it is never sent again')
  abandon(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(DecisionBody) { reason }: DecisionBody,
  ): Promise<void> {
    return this.decide(actor, 'effect.abandon', reason, (tx) =>
      this.decisions.abandon(tx, actor.organization.id, id, reason),
    );
  }

  /** @throws Problem not-found, conflict, validation-failed */
  private async decide(
    actor: Actor,
    action: string,
    reason: string,
    decision: (tx: Transaction) => Promise<Decided>,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { before, after } = await decision(tx);
      await this.audit.record(tx, actor, {
        action,
        subject: before.id,
        before: { state: before.state, reason: before.reason },
        after: { state: after.state, output: { ...after.output } },
        reason,
      });
    });
    this.worker.wake();
  }
}

function stateOf(asked: unknown): CallState {
  const state = CALL_STATES.find((candidate) => candidate === (asked ?? 'unknown'));
  if (!state) throw new Problem('malformed-request', `state must be one of ${CALL_STATES.join(', ')}`);
  return state;
}
