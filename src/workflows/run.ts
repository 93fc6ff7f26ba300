import type { Attention } from '../finance/api/effects/attention';
import {
  EFFECT_UNKNOWN,
  type EffectOutput,
  type EffectRequest,
  type EffectResult,
  type PlannedEffect,
  RECORD_MISSING,
} from '../finance/api/effects/effect';
import { foundBy } from '../finance/api/effects/registry';
import { isReference } from '../finance/api/effects/reference';
import type { Organization } from '../kernel/organization';
import { type Plan, type PlannedStep, receivablesOf } from '../rules/plan';
import type { PutOff } from './deferred/put-off';
import {
  approvalRequired,
  elementEnd,
  type Held,
  note,
  putOffStep,
  type StepRecord,
  stepRefused,
  usedOf,
} from './step-record';

/** What came of an effect that a run asked for. */
export type StepResult = EffectResult | PutOff;

/** What one step comes to: the part of a run where it stands. */
interface RunPosition {
  readonly step: StepRecord;
  readonly planned: PlannedStep;
  readonly effect: PlannedEffect;
}

/** Where a run stands: one rule version on one event, walked effect by effect. */
export class Run {
  readonly steps: StepRecord[];
  readonly attention: Attention[] = [];
  /** Codes of attention about the same that it takes off the list. */
  readonly resolved: string[] = [];
  /** What became of each effect that was asked for, in order. */
  readonly results: { operation: string; state: StepResult['state'] }[] = [];
  /** Business keys of effects that an operator approved and that are made. */
  readonly approved: string[] = [];
  /** Business keys of effects about which an operator was asked, though the plan asks nobody. */
  readonly decided = new Set<string>();
  /** Why a step was refused, so that the run ended there; absent while all is well. */
  refusal?: string;
  /** Business key of the effect that the refused step waits for; absent: it waits for none. */
  waitsFor?: string;
  private stepIndex = 0;
  private effectIndex = 0;
  /** How many steps were come to. */
  private begun = 0;
  private held: ReadonlyMap<string, Held> = new Map();
  /** Steps without an output, and how those stand that use it. */
  private readonly leftOut = new Map<string, 'skipped' | 'waiting'>();

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
    this.moveOn();
  }

  /** Whether an operator has to approve something of it. */
  get needsApproval(): boolean {
    return this.plan.steps.some(({ approval, effects }) => approval !== undefined && effects.length > 0);
  }

  /** Effects that are not to be asked for, by their business keys. To be called before anything is asked for. */
  holdBack(held: ReadonlyMap<string, Held>): void {
    this.held = held;
    this.moveOn();
  }

  /** The business key of the effect whose record is looked for next; undefined: the next one changes something. */
  get wantedRecord(): string | undefined {
    const effect = this.plan.steps[this.stepIndex]?.effects[this.effectIndex];
    return effect && foundBy(effect.operation) !== undefined ? effect.key : undefined;
  }

  /** The business keys of all effects whose records it looks for. */
  get wantedRecords(): string[] {
    const effects = this.plan.steps.flatMap((step) => step.effects);
    return effects.filter(({ operation }) => foundBy(operation) !== undefined).map(({ key }) => key);
  }

  /** Whether it may still come to make what stands under a business key. */
  mayMake(key: string): boolean {
    if (this.finished) return false;
    const left = this.plan.steps.slice(this.stepIndex).flatMap(({ effects }) => effects);
    return left.some((effect) => effect.key === key && foundBy(effect.operation) === undefined);
  }

  /** The business keys of receivables that it asked for and wrote off: what was asked about them has ended. */
  get writtenOff(): string[] {
    // Nearly every run: it is asked of each.
    if (!this.plan.steps.some(({ action }) => action === 'creditSchedule.writeOff')) return [];
    const made = this.plan.steps.filter((_step, index) => this.steps[index]?.output.id !== undefined);
    const effects = made.flatMap((step) => step.effects);
    const writeOffs = new Set(
      effects.flatMap(({ operation, key }) => (operation === 'credit-schedule.write-off' ? [key] : [])),
    );
    return effects.flatMap((effect) => {
      const isWrittenOff =
        effect.operation === 'credit-schedule.create' && writeOffs.has(effect.input.writeOff ?? '');
      return isWrittenOff ? [effect.key] : [];
    });
  }

  get finished(): boolean {
    return this.refusal !== undefined || this.stepIndex >= this.plan.steps.length;
  }

  /** The effect to apply next, its references filled in from the steps before. */
  next(): EffectRequest {
    const { step, effect } = this.standing();
    return {
      organization: this.organization,
      effect: this.filledIn(effect),
      runId: this.id,
      step: step.id,
      deliveryId: this.deliveryId,
      rule: { name: this.plan.rule, version: this.plan.version },
      ...(this.plan.datesKnown && { datesKnown: true }),
      ...(this.plan.saidAt !== undefined && { saidAt: this.plan.saidAt }),
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
  record(result: StepResult): void {
    const standing = this.standing();
    const { step, effect } = standing;
    if (result.state === 'pending') throw new Error('a pending effect has come to nothing yet');
    this.results.push({ operation: effect.operation, state: result.state });
    if (result.state === 'refused') return this.recordRefusal(standing, result);
    if (result.state === 'deferred') putOffStep(step, result);
    else {
      step.output = merge(step.output, result.output);
      note(step, result.state);
      if (standing.planned.approval !== undefined || this.decided.has(effect.key))
        this.approved.push(effect.key);
    }
    this.attention.push(...result.attention);
    this.effectIndex += 1;
    this.moveOn();
  }

  private recordRefusal(
    { step, planned, effect }: RunPosition,
    { code, reason, waitsFor }: Extract<EffectResult, { state: 'refused' }>,
  ): void {
    const ifMissing = code === RECORD_MISSING ? planned.ifMissing : undefined;
    if (ifMissing === 'skip') return this.goOnWithout(step, planned, 'skipped', reason);
    if (ifMissing === undefined && planned.onRefused === 'continue' && code !== EFFECT_UNKNOWN) {
      this.attention.push(stepRefused(this.plan, step.id, reason, effect));
      return this.goOnWithout(step, planned, 'refused', reason);
    }
    note(step, 'refused', reason);
    this.refusal = `step ${step.id}: ${reason}`;
    if (ifMissing === 'wait' && waitsFor !== undefined) this.waitsFor = waitsFor;
  }

  private standing(): RunPosition {
    const step = this.steps[this.stepIndex];
    const planned = this.plan.steps[this.stepIndex];
    const effect = planned?.effects[this.effectIndex];
    if (!step || !planned || !effect) throw new Error('the run is finished');
    return { step, planned, effect };
  }

  /** Leaves what is left of the element, and what uses the step's output, out. */
  private goOnWithout(
    step: StepRecord,
    planned: PlannedStep,
    state: 'skipped' | 'waiting' | 'refused',
    reason?: string,
  ): void {
    note(step, state, reason);
    if (this.leftOut.get(step.id) !== 'waiting')
      this.leftOut.set(step.id, state === 'waiting' ? 'waiting' : 'skipped');
    this.effectIndex = elementEnd(planned, this.effectIndex);
    this.moveOn();
  }

  /** Goes to the next effect that is to be asked for, or to the end. */
  private moveOn(): void {
    for (let planned = this.plan.steps[this.stepIndex]; planned; planned = this.plan.steps[this.stepIndex]) {
      const step = this.steps[this.stepIndex];
      if (!step || this.refusal !== undefined) return;
      if (this.begun === this.stepIndex) this.begin(step, planned);
      if (this.effectIndex < planned.effects.length) {
        const end = elementEnd(planned, this.effectIndex);
        const held = planned.effects.slice(this.effectIndex, end).filter(({ key }) => this.held.has(key));
        if (held.length === 0) return;
        this.noteHeldBack(step, held);
        this.effectIndex = end;
      } else {
        this.stepIndex += 1;
        this.effectIndex = 0;
      }
    }
  }

  private begin(step: StepRecord, planned: PlannedStep): void {
    this.begun += 1;
    for (const reason of planned.unplanned ?? []) {
      this.attention.push(stepRefused(this.plan, step.id, reason));
      note(step, 'refused', reason);
    }
    const missing = this.leftOut.size === 0 ? undefined : usedOf(planned, this.leftOut);
    const state = missing === undefined ? undefined : this.leftOut.get(missing);
    if (state === undefined) return this.resolve(step, planned);
    note(step, state, `it uses the output of step ${missing}`);
    this.leftOut.set(step.id, state);
    this.effectIndex = planned.effects.length;
  }

  private noteHeldBack(step: StepRecord, effects: readonly PlannedEffect[]): void {
    for (const effect of effects) {
      const held = this.held.get(effect.key);
      if (!held) continue;
      if (held.state === 'waiting')
        this.attention.push(approvalRequired(this.plan, step.id, effect, held.approval));
      note(step, held.state, held.state === 'waiting' ? 'an operator has to approve it' : held.reason);
      if (this.leftOut.get(step.id) !== 'waiting') this.leftOut.set(step.id, held.state);
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

  private resolve(step: StepRecord, { resolves = [] }: PlannedStep): void {
    if (resolves.length === 0) return;
    this.resolved.push(...resolves);
    note(step, 'applied');
  }

  private filledIn(effect: PlannedEffect): PlannedEffect {
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
