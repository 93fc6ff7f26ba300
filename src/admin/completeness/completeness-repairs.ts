import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { Comparisons } from '../../deliveries/comparison/comparisons.repository';
import type { Actor } from '../../http/caller';
import { grouped } from '../../kernel/grouped';
import { Problem, unacceptable } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';
import { RepairQueue } from '../backtest/repair-queue';
import { type Completeness, CompletenessReports } from './completeness';
import type {
  CompletenessRepairBody,
  CompletenessRepairView,
  RepairedDeliveryView,
} from './completeness.dto';
import type { RepairStep } from './report';

/** Deliveries that an answer names. */
const MOST_LISTED = 500;

/**
 * Does what a report says can be repaired: deliveries are worked on again by the ordinary worker, which finds what was applied by
 * its key and applies what is missing; and a source is compared with its shop's list from the first day of the period on.
 */
@Injectable()
export class CompletenessRepairs {
  constructor(
    private readonly database: Database,
    private readonly reports: CompletenessReports,
    private readonly queue: RepairQueue,
    private readonly comparisons: Comparisons,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * @param signal ends it before anything is queued; what is begun is finished
   * @throws Problem conflict with the plan as it is now, where that is another one; validation-failed; saturated
   */
  async repair(
    actor: Actor,
    { dryRun = true, plan, reason, codes, ...question }: CompletenessRepairBody,
    signal: AbortSignal,
  ): Promise<CompletenessRepairView> {
    if (!dryRun && plan === undefined)
      throw unacceptable('/plan', 'required', 'is needed to carry a repair out: ask for the plan first');
    const found = await this.reports.run(actor.organization, question, 0, signal);
    const { report, list, period } = found;
    const steps = report.stepsOf(codes);
    const compareFrom = list.canCompare && codes === undefined ? period.from : null;
    const digest = report.digest(compareFrom?.toISOString() ?? '', codes);
    const deliveries = [...grouped(steps, ({ deliveryId }) => deliveryId).values()];
    const view = {
      ...{ dryRun, plan: digest, differences: report.differences },
      byPerson: report.differences - report.steps.length,
      ...{ deliveries: deliveries.length, more: report.hasMoreSteps, compareFrom },
      listed: deliveries.slice(0, MOST_LISTED).map(deliveryView),
    };
    if (dryRun) return { ...view, queued: 0, repair: null };
    if (plan !== digest) throw anotherPlan(digest, deliveries.length);
    if (compareFrom) await this.compareAgain(actor, found, compareFrom, reason);
    const about = {
      ...{ plan: digest, from: period.from.toISOString(), to: period.to.toISOString() },
      source: question.source,
    };
    const ids = deliveries.flatMap(([first]) => first?.deliveryId ?? []);
    const order = { about, deliveries: ids, states: ['done', 'dead'] as const, reason };
    return { ...view, ...(await this.queue.put(actor, order)) };
  }

  private async compareAgain(
    actor: Actor,
    { source, list }: Completeness,
    from: Date,
    reason: string | null | undefined,
  ): Promise<void> {
    await this.database.transaction(async (tx) => {
      await this.comparisons.again(tx, source.id, from);
      const before = { comparedFrom: list.comparedFrom?.toISOString() ?? null };
      const after = { comparedFrom: from.toISOString() };
      await this.audit.record(tx, actor, {
        ...{ action: 'source.compare-again', subject: source.slug, before, after, reason },
      });
    });
  }
}

function deliveryView(steps: readonly RepairStep[]): RepairedDeliveryView {
  const [first] = steps;
  return {
    delivery: first?.deliveryId ?? '',
    businessKey: first?.businessKey ?? null,
    codes: [...new Set(steps.map(({ code }) => code))],
    effects: steps.flatMap(({ effect }) => effect ?? []),
  };
}

function anotherPlan(digest: string, deliveries: number): Problem {
  return new Problem(
    'conflict',
    `What would be repaired has changed since the plan was made: ${deliveries} deliveries have to be worked on again now. Nothing was queued; ask for the plan again`,
    { members: { plan: digest } },
  );
}
