import { Controller, Get, Post } from '@nestjs/common';
import { Database } from '../../database/database';
import { ResumedDeliveries } from '../../deliveries/resumed-deliveries';
import { OperatorsApi } from '../../http/api';
import { actorOf, CurrentActor, type Actor, CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import { UuidParam } from '../../http/uuid-param';
import { Clock } from '../../kernel/clock';
import type { ListPage } from '../../kernel/list-page';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';
import { type Filter, FilterQuery } from '../filter-query';
import { ListQuery, operatorsPage, type OperatorsPage } from '../list-query';
import { Answers, AnswersPage, Does } from '../operation';
import { MaybeReasonBody, ReasonBody } from '../reasons.dto';
import { type ApprovalState, ApprovalsAdminRepository } from './approvals-admin.repository';
import { APPROVAL_STATES, ApprovalView } from './approvals.dto';

/** What rules want done that an operator has to agree to. */
@OperatorsApi('Approvals')
@Controller('admin/organizations/:org/approvals')
export class ApprovalsController {
  constructor(
    private readonly database: Database,
    private readonly approvals: ApprovalsAdminRepository,
    private readonly resumed: ResumedDeliveries,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  @Get()
  @AnswersPage(ApprovalView, 'List effects that an operator has to approve, with what would be made')
  async list(
    @CurrentOrganization() organization: Organization,
    @ListQuery() page: ListPage,
    @FilterQuery({ state: APPROVAL_STATES }) { state }: Filter,
  ): Promise<OperatorsPage<ApprovalView>> {
    const wanted = APPROVAL_STATES.find((candidate) => candidate === state);
    return operatorsPage(await this.approvals.list(organization, wanted, page), page);
  }

  @Get(':id')
  @Answers(ApprovalView, 'Show an effect that an operator has to approve')
  async show(
    @CurrentOrganization() organization: Organization,
    @UuidParam('id') id: string,
  ): Promise<ApprovalView> {
    const approval = await this.approvals.get(organization, id);
    if (!approval) throw new Problem('not-found', 'There is no such approval');
    return approval;
  }

  @Post(':id/approve')
  @Does(
    'Have the effect made, once, exactly as the plan says',
    'If the rule wants something else by then, it asks again, under another id. 409 unless it waits, and a rule in force asks for it.',
  )
  approve(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(MaybeReasonBody, { optional: true }) { reason }: MaybeReasonBody = {},
  ): Promise<void> {
    return this.decide(actor, id, 'approval.approve', ['waiting', 'approved'], reason ?? null);
  }

  @Post(':id/decline')
  @Does('Have the effect never made, until it is reopened', '409 unless it waits.')
  decline(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(ReasonBody) { reason }: ReasonBody,
  ): Promise<void> {
    return this.decide(actor, id, 'approval.decline', ['waiting', 'declined'], reason);
  }

  @Post(':id/reopen')
  @Does('Let a declined effect wait for an operator again', '409 unless it is declined.')
  reopen(
    @CurrentActor() actor: Actor,
    @UuidParam('id') id: string,
    @JsonBody(ReasonBody) { reason }: ReasonBody,
  ): Promise<void> {
    return this.decide(actor, id, 'approval.reopen', ['declined', 'waiting'], reason);
  }

  /** What was decided is carried out by whatever process is there first; this one tries at once. */
  private async decide(
    actor: Actor,
    id: string,
    action: string,
    [from, to]: readonly [from: ApprovalState, to: ApprovalState],
    reason: string | null,
  ): Promise<void> {
    const { organization } = actor;
    await this.database.transaction(async (tx) => {
      const decision = { from, to, reason, by: actorOf(actor), now: this.clock.now() };
      const { effectKey, plan } = await this.approvals.decide(tx, organization, id, decision);
      const about = { effectKey, operation: plan.operation, amount: plan.amount ?? null };
      const states = { before: { ...about, state: from }, after: { ...about, state: to } };
      await this.audit.record(tx, actor, { action, subject: id, reason, ...states });
    });
    await this.resumed.afterDecision();
  }
}
