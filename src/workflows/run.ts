import type { Attention } from '../finance/api/effects/attention';
import type { EffectOutput, EffectRequest, EffectResult, PlannedEffect } from '../finance/api/effects/effect';
import { isReference } from '../finance/api/effects/reference';
import type { Organization } from '../kernel/organization';
import { type Plan, receivablesOf } from '../rules/plan';

/** What a step came to, as it is stored with the run. */
export interface StepRecord {
  id: string;
  action: string;
  /** `pending` also where an earlier step was refused. */
  state: EffectResult['state'];
  output: EffectOutput;
  /** Business keys of its effects. */
  effects: string[];
  reason?: string;
}

/** Where a run stands: one rule version on one event, walked effect by effect. */
export class Run {
  readonly steps: StepRecord[];
  readonly attention: Attention[] = [];
  /** What became of each effect that was asked for, in order. */
  readonly results: { operation: string; state: EffectResult['state'] }[] = [];
  /** Why a step was refused; absent while all is well. */
  refusal?: string;
  private stepIndex = 0;
  private effectIndex = 0;

  constructor(
    readonly id: string,
    readonly organization: Organization,
    readonly deliveryId: string,
    readonly eventIndex: number,
    readonly eventType: string,
    readonly businessKey: string,
    readonly plan: Plan,
    /** W3C traceparent of the work on its delivery; absent: nothing is traced. */
    readonly traceparent?: string,
  ) {
    this.steps = plan.steps.map((step) => ({
      id: step.id,
      action: step.action,
      state: 'pending',
      output: {},
      effects: step.effects.map((effect) => effect.key),
    }));
    this.skipEmptySteps();
  }

  get finished(): boolean {
    return this.refusal !== undefined || this.stepIndex >= this.plan.steps.length;
  }

  /** The effect to apply next, its references filled in from the steps before. */
  next(): EffectRequest {
    const step = this.plan.steps[this.stepIndex];
    const effect = step?.effects[this.effectIndex];
    if (!step || !effect) throw new Error('the run is finished');
    return {
      organization: this.organization,
      effect: this.resolve(effect),
      runId: this.id,
      step: step.id,
      deliveryId: this.deliveryId,
      rule: { name: this.plan.rule, version: this.plan.version },
      ...(this.plan.datesKnown && { datesKnown: true }),
      ...(effect.operation === 'customer.ensure' && this.bookingOf(step.id)),
    };
  }

  /** What a trace may say of {@link next}. */
  get nextAttributes(): Record<string, string> {
    const step = this.plan.steps[this.stepIndex];
    return {
      'ponte.rule': this.plan.rule,
      'ponte.step': step?.id ?? '',
      'ponte.operation': step?.effects[this.effectIndex]?.operation ?? '',
    };
  }

  /** Takes in what came of {@link next} and moves on. */
  record(result: EffectResult): void {
    const step = this.steps[this.stepIndex];
    const planned = this.plan.steps[this.stepIndex];
    const effect = planned?.effects[this.effectIndex];
    if (!step || !planned || !effect) throw new Error('the run is finished');
    if (result.state === 'pending') throw new Error('a pending effect has come to nothing yet');
    this.results.push({ operation: effect.operation, state: result.state });
    if (result.state === 'refused') {
      step.state = 'refused';
      step.reason = result.reason;
      this.refusal = `step ${step.id}: ${result.reason}`;
      return;
    }
    step.output = merge(step.output, result.output);
    if (step.state !== 'applied') step.state = result.state;
    this.attention.push(...result.attention);
    this.effectIndex += 1;
    if (this.effectIndex >= planned.effects.length) {
      this.stepIndex += 1;
      this.effectIndex = 0;
      this.skipEmptySteps();
    }
  }

  private bookingOf(stepId: string): Pick<EffectRequest, 'bookedAs' | 'onlyIfBooked'> {
    const { onlyIfBooked } = this.plan;
    const reason = onlyIfBooked?.step === stepId ? onlyIfBooked.reason : undefined;
    return {
      bookedAs: receivablesOf(this.plan, stepId),
      ...(reason !== undefined && { onlyIfBooked: reason }),
    };
  }

  private skipEmptySteps(): void {
    while (this.plan.steps[this.stepIndex]?.effects.length === 0) this.stepIndex += 1;
  }

  private resolve(effect: PlannedEffect): PlannedEffect {
    return { ...effect, input: this.fillIn(effect.input) } as PlannedEffect;
  }

  private fillIn(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (isReference(value)) return this.outputNamed(value.$ref);
    if (Array.isArray(value)) return value.map((member) => this.fillIn(member));
    const filled: Record<string, unknown> = {};
    for (const name of Object.keys(value))
      filled[name] = this.fillIn((value as Record<string, unknown>)[name]);
    return filled;
  }

  private outputNamed(path: string): string | string[] {
    const [stepId, name] = path.split('.');
    const output = this.steps.find((step) => step.id === stepId)?.output;
    const value = name === 'id' ? output?.id : name === 'all' ? output?.all : undefined;
    if (value === undefined) throw new Error(`the plan refers to ${path}, which no earlier step gave`);
    return value;
  }
}

function merge(left: EffectOutput, right: EffectOutput): EffectOutput {
  const id = left.id ?? right.id;
  const all = left.all && right.all ? [...left.all, ...right.all] : (left.all ?? right.all);
  return { ...(id === undefined ? {} : { id }), ...(all === undefined ? {} : { all }) };
}
