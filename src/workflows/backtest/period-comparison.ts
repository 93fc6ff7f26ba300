import { createHash } from 'node:crypto';
import type { PlannedEffect } from '../../finance/api/effects/effect';
import type { RecordedEffect } from '../../finance/api/effects/effect-records.port';
import type { Organization } from '../../kernel/organization';
import { unacceptable } from '../../kernel/problem';
import { minorOf } from '../../rules/plan';
import type { PlannedEvent, RefusedPlan } from '../planner';
import type { StoredDeferral } from '../deferred/deferred-effects.repository';
import { compareRun, madeBy, type ReplayedEffect, type ReplayPlan } from '../replay-plans';
import type { Run } from '../run';
import { contentOf, dayOf } from './compared-effect';
import type { ComparedPeriod, DifferenceKind, EffectDifference, OrderDifferences } from './differences';
import type { StoredRun } from './stored-runs.repository';
import { digestOf, totalsOf } from './totals';

/** Differences that are kept of a period, refusals included. */
const MOST_DIFFERENCES = 100_000;
/** Keys of effects and orders that are remembered of a period: some hundred bytes each. */
const MOST_KEYS = 1_000_000;

/** A delivery with what is planned for it now and what was done for it. */
export interface ComparedDelivery {
  id: string;
  /** False: it waits or needs a person, so that what it plans counts as planned and is compared with nothing. */
  isSettled: boolean;
  /** What it is said to be about where none of its events says so. */
  businessKey: string;
  planned: readonly PlannedEvent[];
  /** Why nothing can be read of it. */
  unreadable?: string | undefined;
  /** Its stored runs. */
  runs: readonly StoredRun[];
  /** What is known of the effects of `planned` and `runs`, by business key. */
  records: ReadonlyMap<string, RecordedEffect>;
  /** Those of them that are put off to a day, by business key. */
  deferred: ReadonlyMap<string, StoredDeferral>;
  /** Those of them that an operator has to approve, or declined, by business key. */
  heldBack: ReadonlyMap<string, 'waiting' | 'declined'>;
}

/**
 * Compares what rules plan for the deliveries of a period with what was done, effect by effect, each key once. Deliveries
 * are given in the order of their receipt; kept are keys and differences, never deliveries.
 */
export class PeriodComparison {
  private readonly orders = new Map<string, OrderDifferences>();
  private readonly compared = new Set<string>();
  private readonly planned = new Set<string>();
  /** Missing and undecided effects, by key: the first delivery that plans one counts. */
  private readonly notApplied = new Set<string>();
  /** Applied effects that no delivery has planned so far, with what they are about. */
  private readonly unplanned = new Map<string, { difference: EffectDifference; businessKey: string }>();
  private readonly changed = new Set<string>();
  /** Digest of each missing effect's content, by key. */
  private readonly contents = new Map<string, string>();
  private readonly toRepair = new Set<string>();
  private refusals = 0;

  /** @param rule only its effects and refusals are compared; absent: those of all rules */
  constructor(
    private readonly organization: Organization,
    private readonly rule?: string,
  ) {}

  /** @throws Problem validation-failed when the period has more than can be compared at once */
  take(delivery: ComparedDelivery): void {
    const runs = delivery.planned.flatMap((event) => event.runs);
    for (const run of runs) {
      for (const key of madeBy([run])) this.planned.add(key);
      if (delivery.isSettled && this.isMeant(run.plan.rule)) this.compare(delivery, run);
    }
    if (delivery.isSettled) {
      const refused = delivery.planned.flatMap((event) => event.refused);
      if (delivery.unreadable !== undefined)
        refused.push({ rule: null, step: null, reason: delivery.unreadable });
      for (const one of refused) this.refuse(delivery.businessKey, one);
      this.findUnplanned(delivery, refused);
    }
    this.checkSize();
  }

  /** To be called once, after all deliveries. */
  finish(): ComparedPeriod {
    for (const [key, { difference, businessKey }] of this.unplanned)
      if (!this.planned.has(key)) this.orderOf(businessKey).effects.push(difference);
    const orders = [...this.orders.values()].sort(byText(({ businessKey }) => businessKey));
    const effects = orders.flatMap((order) => order.effects);
    return {
      ordersCompared: this.compared.size,
      effectsPlanned: this.planned.size,
      orders,
      totals: totalsOf(effects),
      refusals: this.refusals,
      digest: digestOf(this.contents),
      toRepair: [...this.toRepair],
    };
  }

  private isMeant(rule: string | null): boolean {
    return this.rule === undefined || rule === null || rule === this.rule;
  }

  private compare(delivery: ComparedDelivery, run: Run): void {
    this.compared.add(run.businessKey);
    const standing: ReplayPlan = { applied: [], missing: [], deferred: [], refused: [] };
    compareRun(standing, run, { ...delivery, made: this.planned });
    const effects = new Map(effectsOf(run.plan).map((effect) => [effect.key, effect]));
    for (const one of standing.refused) this.refuse(run.businessKey, one);
    for (const one of standing.missing) {
      const effect = effects.get(one.key);
      if (effect) this.miss(delivery, run, one, effect);
    }
    for (const one of standing.applied) {
      const effect = effects.get(one.key);
      if (effect) this.compareApplied(delivery, run, one, effect);
    }
  }

  private miss(delivery: ComparedDelivery, run: Run, one: ReplayedEffect, effect: PlannedEffect): void {
    if (this.notApplied.has(effect.key)) return;
    const kind = kindOf(one.state);
    const difference = this.differenceOf(kind, delivery.id, one, effect);
    this.notApplied.add(effect.key);
    this.orderOf(run.businessKey).effects.push(difference);
    if (kind !== 'missing') return;
    this.toRepair.add(delivery.id);
    this.contents.set(
      effect.key,
      createHash('sha256')
        .update(JSON.stringify([delivery.id, effect]))
        .digest('hex'),
    );
  }

  /** An effect is compared with the plan of the delivery that it was applied for, which another one may repeat. */
  private compareApplied(
    delivery: ComparedDelivery,
    run: Run,
    one: ReplayedEffect,
    effect: PlannedEffect,
  ): void {
    const record = delivery.records.get(effect.key);
    const before = delivery.runs.find(({ id }) => id === record?.runId);
    if (!record || record.state !== 'applied' || !before || this.changed.has(effect.key)) return;
    const difference = this.differenceOf('changed', delivery.id, one, effect);
    const appliedMinor = record.amountMinor ?? undefined;
    const sameAmount =
      effect.amount === undefined || appliedMinor === undefined || appliedMinor === difference.valueMinor;
    const content = contentOf(before.plan, run.plan, effect.key, this.organization.currency);
    if (sameAmount && content.length === 0) return;
    this.changed.add(effect.key);
    this.orderOf(run.businessKey).effects.push({
      ...difference,
      content,
      ...(!sameAmount && appliedMinor !== undefined && { appliedMinor }),
    });
  }

  private findUnplanned(delivery: ComparedDelivery, refused: readonly RefusedPlan[]): void {
    for (const run of delivery.runs) {
      this.compared.add(run.businessKey);
      // What a rule that is refused now would plan is not known.
      if (!this.isMeant(run.rule) || refused.some(({ rule }) => rule === null || rule === run.rule)) continue;
      for (const { id: step, effects } of run.plan.steps)
        for (const effect of effects) {
          const record = delivery.records.get(effect.key);
          if (record?.state !== 'applied' || record.runId !== run.id || this.planned.has(effect.key))
            continue;
          const { key, operation } = effect;
          const one: ReplayedEffect = { rule: run.rule, step, key, operation, state: 'applied' };
          const difference = this.differenceOf('unplanned', delivery.id, one, effect);
          const valueMinor = record.amountMinor ?? difference.valueMinor;
          this.unplanned.set(key, {
            difference: { ...difference, valueMinor },
            businessKey: run.businessKey,
          });
        }
    }
  }

  private differenceOf(
    kind: DifferenceKind,
    deliveryId: string,
    { rule, step, key, state }: ReplayedEffect,
    effect: PlannedEffect,
  ): EffectDifference {
    const { operation } = effect;
    const valueMinor = minorOf(effect, this.organization.currency);
    return {
      kind,
      rule,
      step,
      key,
      operation,
      state,
      valueMinor,
      date: dayOf(effect),
      content: [],
      deliveryId,
    };
  }

  private refuse(businessKey: string, one: RefusedPlan): void {
    if (!this.isMeant(one.rule)) return;
    const { refused } = this.orderOf(businessKey);
    const isKnown = refused.some(
      ({ rule, step, reason }) => rule === one.rule && step === one.step && reason === one.reason,
    );
    if (isKnown) return;
    this.compared.add(businessKey);
    this.refusals += 1;
    refused.push(one);
  }

  private orderOf(businessKey: string): OrderDifferences {
    const known = this.orders.get(businessKey);
    if (known) return known;
    const made: OrderDifferences = { businessKey, effects: [], refused: [] };
    this.orders.set(businessKey, made);
    return made;
  }

  private checkSize(): void {
    const differences = this.notApplied.size + this.changed.size + this.unplanned.size + this.refusals;
    const isTooMuch = differences > MOST_DIFFERENCES || this.planned.size + this.compared.size > MOST_KEYS;
    if (!isTooMuch) return;
    throw unacceptable(
      '/to',
      'period-too-large',
      'The period has more effects or differences than can be compared at once; take a shorter period, or one source',
    );
  }
}

/**
 * What is surely not done is missing; what may be done, or was given up, is for a person to decide. A state of effects that
 * are not to be done yet, or not at all, is told apart here.
 */
function kindOf(state: ReplayedEffect['state']): DifferenceKind {
  return state === 'absent' || state === 'refused' ? 'missing' : 'undecided';
}

function effectsOf({ steps }: { steps: readonly { effects: readonly PlannedEffect[] }[] }): PlannedEffect[] {
  return steps.flatMap(({ effects }) => effects);
}

function byText<T>(textOf: (item: T) => string): (left: T, right: T) => number {
  return (left, right) => (textOf(left) < textOf(right) ? -1 : 1);
}
