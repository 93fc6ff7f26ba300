import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { DeliveryPeriods } from '../../deliveries/delivery-period.repository';
import type { Actor } from '../../http/caller';
import type { Organization } from '../../kernel/organization';
import { Problem, unacceptable } from '../../kernel/problem';
import { type PeriodBacktest, PeriodBacktests } from './period-backtests';
import { RepairBatches } from './repair-batches.repository';
import { RepairQueue } from './repair-queue';
import type { RepairBody, RepairProgressView, RepairView } from './backtest.dto';

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
    private readonly queue: RepairQueue,
    private readonly batches: RepairBatches,
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
    const { from, to } = found.request.period;
    const about = {
      plan: digest,
      from: from.toISOString(),
      to: to.toISOString(),
      source: period.source ?? null,
    };
    const queued = await this.queue.put(actor, { about, deliveries: toRepair, states: ['done'], reason });
    return { ...view, ...queued };
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
