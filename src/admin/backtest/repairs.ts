import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { DeliveryPeriods } from '../../deliveries/delivery-period.repository';
import { DeliveryRequeue } from '../../deliveries/delivery-requeue.repository';
import { Worker } from '../../deliveries/worker';
import type { Actor } from '../../http/caller';
import { newId } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import { Problem, unacceptable } from '../../kernel/problem';
import { AuditRepository } from '../audit.repository';
import { standingOf } from '../deliveries/delivery-snapshot';
import { type PeriodBacktest, PeriodBacktests } from './period-backtests';
import { RepairBatches } from './repair-batches.repository';
import type { RepairBody, RepairProgressView, RepairView } from './repairs.dto';

/** Deliveries put back in one transaction: so few that nobody waits for its locks. */
const BATCH = 100;

/**
 * Does what the rules in force say is missing of a period: the deliveries with something missing are worked on again, by
 * the ordinary worker. What was applied is found by its key and stays.
 */
@Injectable()
export class Repairs {
  constructor(
    private readonly database: Database,
    private readonly backtests: PeriodBacktests,
    private readonly periods: DeliveryPeriods,
    private readonly requeue: DeliveryRequeue,
    private readonly batches: RepairBatches,
    private readonly worker: Worker,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * @param signal ends it before anything is queued; what is begun is finished
   * @throws Problem conflict with the plan as it is now, where that is another one; validation-failed; saturated
   */
  async repair(
    actor: Actor,
    { dryRun = true, plan, reason, ...period }: RepairBody,
    signal: AbortSignal,
  ): Promise<RepairView> {
    if (!dryRun && plan === undefined)
      throw unacceptable('/plan', 'required', 'is needed to carry a repair out: ask for the plan first');
    const found = await this.backtests.run(actor.organization, period, signal);
    const { digest, toRepair } = found.backtest.compared;
    const view = { dryRun, plan: digest, deliveries: toRepair.length, backtest: found.view };
    if (dryRun) return { ...view, queued: 0, repair: null };
    if (plan !== digest) throw anotherPlan(found);
    const repair = newId();
    const queued = await this.queue(actor, repair, found, reason);
    return { ...view, queued, repair: queued > 0 ? repair : null };
  }

  /** @throws Problem not-found */
  async progress(organization: Organization, id: string): Promise<RepairProgressView> {
    return this.database.transaction(async (tx) => {
      const repair = await this.batches.find(tx, organization.id, id);
      if (!repair) throw new Problem('not-found', 'There is no such repair');
      const { deliveries, ...about } = repair;
      const states = await this.periods.states(tx, organization, deliveries);
      const [waiting, done, dead, discarded] = (['waiting', 'done', 'dead', 'discarded'] as const).map(
        (state) => states.get(state) ?? 0,
      );
      return {
        ...{ repair: id, ...about, queued: deliveries.length },
        ...{ waiting: waiting ?? 0, done: done ?? 0, dead: dead ?? 0, discarded: discarded ?? 0 },
      };
    });
  }

  /**
   * In batches that each commit with their audit records: an end in between leaves the rest missing, and the next plan
   * has it.
   * @returns how many were put back to work
   */
  private async queue(
    actor: Actor,
    repair: string,
    { request, backtest }: PeriodBacktest,
    reason: string | null | undefined,
  ): Promise<number> {
    const { toRepair, digest } = backtest.compared;
    const { from, to } = request.period;
    const about = { plan: digest, from: from.toISOString(), to: to.toISOString() };
    let queued = 0;
    for (let start = 0; start < toRepair.length; start += BATCH) {
      const ids = toRepair.slice(start, start + BATCH);
      queued += await this.database.transaction(async (tx) => {
        // Only what is done: of two repairs at once the second finds it waiting, and leaves it.
        const standings = await this.requeue.putBack(tx, actor.organization, ids, ['done']);
        if (standings.length === 0) return 0;
        const changes = standings.map((standing) => ({
          ...{ action: 'delivery.repair', subject: standing.id, reason },
          ...{ before: standingOf(standing), after: { state: 'waiting', repair } },
        }));
        await this.audit.recordAll(tx, actor, changes);
        const deliveries = standings.map(({ id }) => id);
        const batch = { ...about, source: request.source ?? null, deliveries };
        await this.batches.add(tx, actor, repair, batch, reason);
        return standings.length;
      });
      this.worker.wake();
    }
    return queued;
  }
}

function anotherPlan({ backtest: { compared } }: PeriodBacktest): Problem {
  const missing = compared.totals
    .filter(({ kind }) => kind === 'missing')
    .reduce((sum, { count }) => sum + count, 0);
  const now =
    missing === 0
      ? 'nothing is missing any more'
      : `${missing} effects of ${compared.toRepair.length} deliveries are missing now`;
  return new Problem(
    'conflict',
    `What is missing has changed since the plan was made: ${now}. Nothing was queued; ask for the plan again`,
    { members: { plan: compared.digest } },
  );
}
