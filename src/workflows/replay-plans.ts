import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import { EffectRecords, type RecordedEffect } from '../finance/api/effects/effect-records.port';
import { receivablesOf } from '../rules/plan';
import { type EventWork, planAll, Planner, type RefusedPlan } from './planner';
import type { Run } from './run';
import { RunsRepository } from './runs.repository';
import { resumeRuns } from './resume-runs';

/** One effect of a plan, and what is known of it. */
export interface ReplayedEffect {
  rule: string;
  step: string;
  /** Business key. */
  key: string;
  operation: string;
  /** `absent`: it was never tried. */
  state: RecordedEffect['state'] | 'absent';
}

/** What working on a delivery again would find done, and what it would do. */
export interface ReplayPlan {
  applied: ReplayedEffect[];
  missing: ReplayedEffect[];
  /** What cannot be done as things stand. Step null: the rule as a whole. Rule null: the delivery as a whole. */
  refused: RefusedPlan[];
}

/** Compares what the rules want today with what was done, effect by effect. Changes nothing. */
@Injectable()
export class ReplayPlans {
  constructor(
    private readonly planner: Planner,
    private readonly runs: RunsRepository,
    private readonly records: EffectRecords,
  ) {}

  /** @param work every event of the delivery, in order */
  async of(tx: Transaction, deliveryId: string, work: readonly EventWork[]): Promise<ReplayPlan> {
    const planned = await planAll(this.planner, work);
    resumeRuns(planned, work, await this.runs.findRunning(tx, deliveryId));
    const plan: ReplayPlan = { applied: [], missing: [], refused: planned.flatMap(({ refused }) => refused) };
    const runs = planned.flatMap((event) => event.runs);
    const [organizationId] = runs.map(({ organization }) => organization.id);
    if (organizationId === undefined) return plan;
    const keys = runs.flatMap((run) => run.steps.flatMap(({ effects }) => effects));
    const records = await this.records.find(tx, organizationId, [...new Set(keys)]);
    for (const run of runs) compare(plan, run, records);
    return plan;
  }
}

function compare(plan: ReplayPlan, run: Run, records: ReadonlyMap<string, RecordedEffect>): void {
  const { rule, onlyIfBooked } = run.plan;
  for (const { id: step, effects } of run.plan.steps) {
    const isBooked = receivablesOf(run.plan, step).some((key) => records.get(key)?.state === 'applied');
    if (onlyIfBooked?.step === step && !isBooked) {
      plan.refused.push({ rule, ...onlyIfBooked });
      return;
    }
    for (const { key, operation } of effects) {
      const record = records.get(key);
      // Whom an order is booked for is its customer, whatever its later events say of them.
      const state = isBooked && operation === 'customer.ensure' ? 'applied' : (record?.state ?? 'absent');
      const effect: ReplayedEffect = { rule, step, key, operation, state };
      if (record && record.operation !== operation) {
        const reason = `the key ${key} stands for another effect: ${record.operation}`;
        plan.refused.push({ rule, step, reason });
      } else plan[effect.state === 'applied' ? 'applied' : 'missing'].push(effect);
    }
  }
}
