import { Injectable } from '@nestjs/common';
import type { Prisma } from '../../database/client/client';
import { Database } from '../../database/database';
import type { Transaction } from '../../database/transaction';
import { Catalog } from '../../deliveries/catalog';
import { EventsOfDeliveries } from '../../deliveries/stored-events';
import { settledEffect } from '../../finance/api/effects/settled-effect';
import type { ListPage } from '../../kernel/list-page';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { resolveItemOf } from '../../workflows/approval-items.repository';
import type { ApprovedPlan } from '../../workflows/approvals.repository';
import { ReplayPlans } from '../../workflows/replay-plans';
import type { APPROVAL_STATES, ApprovalPlanView, ApprovalView } from './approvals.dto';

export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** What an operator decides of an approval. */
export interface Decision {
  readonly from: ApprovalState;
  readonly to: ApprovalState;
  readonly reason: string | null;
  /** Identifier of the operator's key. */
  readonly by: string;
  readonly now: Date;
}

/** Approvals as operators see and decide them. */
@Injectable()
export class ApprovalsAdminRepository {
  constructor(
    private readonly database: Database,
    private readonly catalog: Catalog,
    private readonly events: EventsOfDeliveries,
    private readonly plans: ReplayPlans,
  ) {}

  /** The latest first. */
  async list(
    organization: Organization,
    state: ApprovalState | undefined,
    page: ListPage,
  ): Promise<ApprovalView[]> {
    const rows = await this.database.prisma.approval.findMany({
      where: {
        organizationId: organization.id,
        ...(state && { state }),
        ...(page.after === undefined ? {} : { id: { lt: page.after } }),
      },
      orderBy: { id: 'desc' },
      take: page.limit,
    });
    return rows.map((row) => viewOf(row, organization));
  }

  /** @returns undefined when the organization has no such approval, or it is for another plan by now */
  async get(organization: Organization, id: string): Promise<ApprovalView | undefined> {
    const row = await this.database.prisma.approval.findFirst({
      where: { id, organizationId: organization.id },
    });
    return row ? viewOf(row, organization) : undefined;
  }

  /**
   * Decides, and has the delivery worked on again. What a declined one says of people is left out.
   * @throws Problem not-found; conflict when it is in another state, or nothing would come of approving it
   */
  async decide(
    tx: Transaction,
    organization: Organization,
    id: string,
    decision: Decision,
  ): Promise<ApprovalView> {
    const { from, to, by, now } = decision;
    const reason = decision.reason || null;
    const decided =
      to === 'waiting' ? { decidedBy: null, decidedAt: null } : { decidedBy: by, decidedAt: now };
    const [row] = await tx.approval.updateManyAndReturn({
      where: { id, organizationId: organization.id, state: from },
      data: { state: to, ...decided, reason: to === 'waiting' ? null : reason, toResume: true },
    });
    if (!row) throw await this.problemOf(tx, organization, id, from);
    const plan = row.plan as unknown as ApprovedPlan;
    if (to === 'approved') {
      if (plan.leftOut !== undefined) throw notWhole();
      await this.mustHaveBody(tx, organization, row.deliveryId);
      await this.mustBePlanned(tx, organization, row);
    }
    if (to === 'declined')
      await tx.approval.update({
        where: { id },
        data: { plan: settledEffect(plan) as unknown as Prisma.InputJsonObject },
      });
    await resolveItemOf(tx, organization.id, id, now);
    return viewOf(row, organization);
  }

  private async problemOf(
    tx: Transaction,
    organization: Organization,
    id: string,
    from: ApprovalState,
  ): Promise<Problem> {
    const found = await tx.approval.findFirst({
      where: { id, organizationId: organization.id },
      select: { state: true },
    });
    return found
      ? new Problem('conflict', `It is ${found.state}; only one that is ${from} can be decided so`)
      : new Problem(
          'not-found',
          'There is no such approval; where another plan was asked for under its key, that one has another id',
        );
  }

  /** What was removed cannot be worked on again, so that nothing would come of an approval. */
  private async mustHaveBody(tx: Transaction, organization: Organization, id: string): Promise<void> {
    const [kept] = await tx.$queryRaw<unknown[]>`
      select 1 from delivery d
      where d.id = ${id}::uuid and d.state <> 'discarded' and exists (
        select from delivery_body b where b.organization_id = ${organization.id}::uuid and b.id = d.id)`;
    if (!kept)
      throw new Problem(
        'conflict',
        'Its delivery was discarded, or its body is no longer kept, so that nothing would come of it; make the effect by hand and decline it',
      );
  }

  /** Rules may have been disabled or changed since it was asked. */
  private async mustBePlanned(
    tx: Transaction,
    organization: Organization,
    { deliveryId, effectKey, rule, ruleVersion }: Prisma.ApprovalGetPayload<object>,
  ): Promise<void> {
    // Another replica may have changed them.
    await this.catalog.refresh(tx);
    const { normalized } = await this.events.read(organization, deliveryId, tx);
    if (normalized.unreadable !== undefined) return;
    if (!(await this.plans.comesTo(tx, deliveryId, normalized.work, effectKey)))
      throw new Problem(
        'conflict',
        `No rule in force asks for it any more, so that nothing would come of it: rule ${rule} asked in version ${ruleVersion}; put that into force again, or make the effect by hand and decline it`,
      );
  }
}

/** Nobody approves what they have not seen. */
function notWhole(): Problem {
  return new Problem(
    'conflict',
    'What it says of a person was left out when it was declined: its delivery is being worked on again and brings it back; ask again in a minute',
  );
}

function viewOf(row: Prisma.ApprovalGetPayload<object>, { currency }: Organization): ApprovalView {
  return {
    ...{ id: row.id, state: row.state, effectKey: row.effectKey, currency },
    plan: row.plan as unknown as ApprovalPlanView,
    ...{ rule: row.rule, ruleVersion: row.ruleVersion, step: row.step, delivery: row.deliveryId },
    requestedAt: row.requestedAt.toISOString(),
    decidedBy: row.decidedBy,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    reason: row.reason,
  };
}
