import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import type { PlannedEffect } from '../finance/api/effects/effect';
import { EffectRecords, type RecordedEffect } from '../finance/api/effects/effect-records.port';
import { foundBy } from '../finance/api/effects/registry';
import { keysOfPlans, type PlannedStep, receivablesOf } from '../rules/plan';
import { Approvals } from './approvals.repository';
import { isPostedOtherwise } from './deferred/deferral';
import { DeferredEffects, type StoredDeferral } from './deferred/deferred-effects.repository';
import { type EventWork, planAll, type PlannedEvent, Planner, type RefusedPlan } from './planner';
import type { Run } from './run';
import { RunsRepository } from './runs.repository';
import { resumeRuns } from './resume-runs';
import { usedOf } from './step-record';

/** One effect of a plan, and what is known of it. */
export interface ReplayedEffect {
  rule: string;
  step: string;
  /** Business key. */
  key: string;
  operation: string;
  /**
   * `absent`: it was never tried. `deferred`: it is applied later. `cancelled`: a person gave it up before. `waiting`: an
   * operator has to approve it; `declined`: one did not.
   */
  state: RecordedEffect['state'] | 'absent' | 'deferred' | 'cancelled' | 'waiting' | 'declined';
}

/** What working on a delivery again would find done, and what it would do. */
export interface ReplayPlan {
  applied: ReplayedEffect[];
  missing: ReplayedEffect[];
  /** Stored to be applied later, or to be decided on: working on the delivery again leaves them as they are. */
  deferred: ReplayedEffect[];
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
    private readonly deferred: DeferredEffects,
    private readonly approvals: Approvals,
  ) {}

  /** @param work every event of the delivery, in order */
  async of(tx: Transaction, deliveryId: string, work: readonly EventWork[]): Promise<ReplayPlan> {
    const planned = await this.planned(tx, deliveryId, work);
    const plan: ReplayPlan = {
      applied: [],
      missing: [],
      deferred: [],
      refused: planned.flatMap(({ refused }) => refused),
    };
    const runs = planned.flatMap((event) => event.runs);
    const [organizationId] = runs.map(({ organization }) => organization.id);
    if (organizationId === undefined) return plan;
    const keys = keysOfPlans(runs.map((run) => run.plan));
    const records = await this.records.find(tx, organizationId, keys);
    const deferred = await this.deferred.byKey(tx, organizationId, keys);
    const heldBack = await this.approvals.heldBack(tx, organizationId, keys);
    const made = madeBy(runs);
    for (const run of runs) compareRun(plan, run, { records, deferred, heldBack, made });
    return plan;
  }

  /**
   * Whether working on a delivery again would come to an effect, or be refused, which a person is told.
   * @param key the effect's business key
   */
  async comesTo(
    tx: Transaction,
    deliveryId: string,
    work: readonly EventWork[],
    key: string,
  ): Promise<boolean> {
    const planned = await this.planned(tx, deliveryId, work);
    return planned.some(
      ({ refused, runs }) => refused.length > 0 || keysOfPlans(runs.map(({ plan }) => plan)).includes(key),
    );
  }

  private async planned(
    tx: Transaction,
    deliveryId: string,
    work: readonly EventWork[],
  ): Promise<PlannedEvent[]> {
    const planned = await planAll(this.planner, work);
    resumeRuns(planned, work, await this.runs.findRunning(tx, deliveryId));
    return planned;
  }
}

/** What is known of the effects of runs, by business key. */
export interface KnownEffects {
  readonly records: ReadonlyMap<string, RecordedEffect>;
  readonly deferred: ReadonlyMap<string, StoredDeferral>;
  readonly heldBack: ReadonlyMap<string, 'waiting' | 'declined'>;
  /** Keys under which records will be made where they are not there yet. */
  readonly made: ReadonlySet<string>;
}

/** Keys of the effects of runs that make something. */
export function madeBy(runs: readonly Pick<Run, 'plan'>[]): Set<string> {
  const effects = runs.flatMap(({ plan }) => plan.steps.flatMap((step) => step.effects));
  return new Set(effects.filter(({ operation }) => foundBy(operation) === undefined).map(({ key }) => key));
}

/**
 * Adds to a plan what working on a run again would find done and what it would do: its steps in order, as far as none of
 * them stops the run. Steps that use what is not there, or is not approved, are left out.
 */
export function compareRun(
  plan: ReplayPlan,
  run: Pick<Run, 'plan' | 'organization'>,
  known: KnownEffects,
): void {
  const { rule, onlyIfBooked } = run.plan;
  const leftOut = new Set<string>();
  for (const step of run.plan.steps) {
    if (usedOf(step, leftOut) !== undefined) {
      leftOut.add(step.id);
      continue;
    }
    const isBooked = receivablesOf(run.plan, step.id).some(
      (key) => known.records.get(key)?.state === 'applied',
    );
    if (onlyIfBooked?.step === step.id && !isBooked) {
      plan.refused.push({ rule, ...onlyIfBooked });
      return;
    }
    const missing = missingRecord(step, known);
    if (missing !== undefined) {
      leftOut.add(step.id);
      if (step.ifMissing === 'skip') continue;
      plan.refused.push({ rule, step: step.id, reason: missing });
      return;
    }
    for (const effect of step.effects) {
      if (foundBy(effect.operation) !== undefined) continue;
      const compared = { rule, step, effect, isBooked, currency: run.organization.currency };
      if (!compareEffect(plan, compared, known)) leftOut.add(step.id);
    }
  }
}

/** Why a step that looks for a record would be refused, as a sentence; undefined: it looks for none, or finds it. */
function missingRecord({ effects }: PlannedStep, { records, made }: KnownEffects): string | undefined {
  for (const { key, operation } of effects) {
    const finds = foundBy(operation);
    if (finds !== undefined && records.get(key)?.state !== 'applied' && !made.has(key))
      return `there is no ${finds} under the key ${key}`;
  }
  return undefined;
}

interface ComparedStep {
  rule: string;
  step: PlannedStep;
  effect: PlannedEffect;
  /** Whether the order is booked already that the step's customer owes. */
  isBooked: boolean;
  /** Of the organization. */
  currency: string;
}

/** @returns whether steps after it can use its output */
function compareEffect(
  plan: ReplayPlan,
  { rule, step: { id: step, approval, effects }, effect, isBooked, currency }: ComparedStep,
  { records, deferred, heldBack }: KnownEffects,
): boolean {
  const { key, operation } = effect;
  const record = records.get(key);
  if (isPostedOtherwise(effect, effects, { records, deferred, currency })) return true;
  const later = deferred.get(key)?.state ?? 'applied';
  if (later !== 'applied') {
    plan.deferred.push({ rule, step, key, operation, state: later === 'cancelled' ? later : 'deferred' });
    return true;
  }
  const held = approval && record?.state !== 'applied' ? heldBack.get(key) : undefined;
  if (held !== undefined) {
    plan.deferred.push({ rule, step, key, operation, state: held });
    return false;
  }
  if (record && record.operation !== operation) {
    plan.refused.push({
      ...{ rule, step },
      reason: `the key ${key} stands for another effect: ${record.operation}`,
    });
    return true;
  }
  // Whom an order is booked for is its customer, whatever its later events say of them.
  const state = isBooked && operation === 'customer.ensure' ? 'applied' : (record?.state ?? 'absent');
  plan[state === 'applied' ? 'applied' : 'missing'].push({ rule, step, key, operation, state });
  return true;
}
