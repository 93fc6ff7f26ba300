import { Controller, Get, Post, Query } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { OperatorsApi } from '../../http/api';
import { CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import type { ListPage } from '../../kernel/list-page';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { type Decided, DeferredDecisions } from '../../workflows/deferred/deferred-decisions';
import { DEFERRED_STATES, type DeferredState } from '../../workflows/deferred/deferred-effect';
import { DeferredList, type DeferredView } from '../../workflows/deferred/deferred-list.repository';
import { AuditRepository } from '../audit.repository';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { AnswersPage, Does } from '../operation';
import { ReasonBody } from '../reasons.dto';
import { DeferredEffectView } from './deliveries.dto';

/** Effects that are applied after their deliveries: on a later day, or outside of Ponte. */
@OperatorsApi('Deferred effects')
@Controller('admin/organizations/:org/deferred-effects')
export class DeferredEffectsController {
  constructor(
    private readonly database: Database,
    private readonly deferred: DeferredList,
    private readonly decisions: DeferredDecisions,
    private readonly audit: AuditRepository,
  ) {}

  @Get()
  @AnswersPage(
    DeferredEffectView,
    'List effects that are applied after their deliveries, newest first; waiting ones unless asked',
  )
  @ApiQuery({ name: 'state', required: false, enum: DEFERRED_STATES })
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @Query('state') state?: unknown,
  ): Promise<OperatorsPage<DeferredView>> {
    return operatorsPage(await this.deferred.list(organization, stateOf(state), page), page);
  }

  @Post(':id/cancel')
  @Does(
    'Give it up: it is not applied on its day, nor put off again; only a message that asks for it without a day has it applied, at once',
  )
  cancel(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(ReasonBody) { reason }: ReasonBody,
  ): Promise<void> {
    return this.decide(actor, id, { action: 'deferred-effect.cancel', after: 'cancelled', reason }, (tx) =>
      this.decisions.cancel(tx, actor.organization.id, id, reason),
    );
  }

  @Post(':id/retry')
  @Does('Try it again now; one whose day has not come waits for its day')
  retry(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(ReasonBody) { reason }: ReasonBody,
  ): Promise<void> {
    return this.decide(actor, id, { action: 'deferred-effect.retry', after: 'waiting', reason }, (tx) =>
      this.decisions.retry(tx, actor.organization.id, id),
    );
  }

  /** @throws Problem not-found, conflict */
  private async decide(
    actor: Actor,
    id: string,
    { action, after, reason }: { action: string; after: DeferredState; reason: string },
    decision: (tx: Transaction) => Promise<Decided>,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      const { key, state, reason: before } = await decision(tx);
      const states = { before: { key, state, reason: before }, after: { key, state: after } };
      await this.audit.record(tx, actor, { action, subject: id, reason, ...states });
    });
  }
}

function stateOf(asked: unknown): DeferredState {
  const state = DEFERRED_STATES.find((candidate) => candidate === (asked ?? 'waiting'));
  if (!state) throw new Problem('malformed-request', `state must be one of ${DEFERRED_STATES.join(', ')}`);
  return state;
}
