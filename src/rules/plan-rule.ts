import type { CanonicalEvent } from '../events/event';
import { sourceOf } from '../events/subject';
import type { ActionContext } from './actions/action';
import type { DocumentKey } from '../kernel/document-key';
import { CurrencyMismatch } from '../kernel/money';
import type { Organization } from '../kernel/organization';
import { eventValues } from './cel/event-types';
import { explainFailure, shown } from './cel/explain';
import type { Values } from './cel/expression';
import { CURRENCY } from './cel/macros';
import { rawRoot } from './cel/raw';
import { MAX_EACH } from './cel/limits';
import { RuleRefusal } from './cel/refusal';
import { tablesValue } from './cel/scope';
import type { CompiledInput, CompiledRule, CompiledStep } from './compiled-rule';
import type { LookupTables } from './lookup-table';
import { type Plan, type PlannedStep, putOff, receivablesOf } from './plan';

/** What a rule is evaluated with besides the event. */
export interface RuleContext {
  readonly organization: Organization;
  /** By which documents are named in business keys. */
  readonly documentKey: DocumentKey;
  /** By name. The same map for every event spares work. */
  readonly tables: LookupTables;
}

export interface RuleRefused {
  /** The step it came to; absent when it came to none. */
  readonly step?: string;
  /** A sentence for a person, without personal data. */
  readonly reason: string;
}

export type RuleOutcome =
  | { readonly matched: false }
  | { readonly matched: true; readonly plan: Plan }
  | {
      readonly matched: true;
      readonly refused: RuleRefused;
      /** What can be done all the same where the order is booked already; see {@link Plan.onlyIfBooked}. */
      readonly ifBooked?: Plan;
    };

/**
 * What a rule would do for an event. Pure: the same event and context give the same outcome, and nothing is
 * done. One step that cannot be planned refuses the whole, unless it says `onRefused: continue`. Never throws.
 * @param names what the event means to every rule of the organization: the same for all of them spares work
 */
export function planRule(
  rule: CompiledRule,
  event: CanonicalEvent,
  context: RuleContext,
  names = new EventNames(event, context),
): RuleOutcome {
  if (event.type !== rule.event) return NOT_MATCHED;
  try {
    const given = names.of(rule);
    return matches(rule, given) ? evaluate(rule, event, context, given) : NOT_MATCHED;
  } catch (error) {
    const step = error instanceof Refused ? error.step : undefined;
    const reason = reasonOf(error, context.organization);
    return { matched: true, refused: { ...(step === undefined ? {} : { step }), reason } };
  }
}

const NOT_MATCHED: RuleOutcome = Object.freeze({ matched: false });

/** What an event means to the rules of an organization: the values of the names that all of them have. */
export class EventNames {
  private readonly values: Record<string, unknown>;

  /** What rules without settings read, the payload left out. */
  get shared(): Values {
    return this.values;
  }

  constructor(
    private readonly event: CanonicalEvent,
    private readonly context: RuleContext,
  ) {
    const { organization, tables } = context;
    this.values = eventValues(event, organization);
    this.values['tables'] = tablesValue(tables, sourceOf(event));
    this.values['raw'] = undefined;
    this.values[CURRENCY] = organization.currency;
  }

  /** What conditions of a rule can read: not to be changed, for the next rule reads it, too. */
  of({ usesRaw, settings, settingsIn }: CompiledRule): Values {
    if (usesRaw) this.values['raw'] ??= rawRoot(this.event.raw);
    if (settings.length === 0) return this.values;
    return { ...this.values, settings: settingsIn(this.context.organization.currency) };
  }
}

/** Ends an evaluation from within. */
class Refused extends Error {
  /** @param cause what went wrong */
  constructor(
    message: string,
    readonly step?: string,
    cause?: unknown,
  ) {
    super(message, { cause });
  }
}

/** A sentence for a person. */
function reasonOf(error: unknown, organization: Organization): string {
  return (
    foreignCurrency(error, organization) ?? (error instanceof Refused ? error.message : explainFailure(error))
  );
}

/** A sentence that a person can do something with, where all that is wrong is the currency. */
function foreignCurrency(error: unknown, { currency }: Organization): string | undefined {
  if (!(error instanceof Refused && error.cause instanceof CurrencyMismatch)) return undefined;
  const foreign = error.cause.currencies.find((other) => other !== currency);
  if (foreign === undefined) return undefined;
  return (
    `an amount is in ${foreign}, but the books are kept in ${currency}: convert it in the rule by a table with ` +
    `the rate of each month (docs/rules.md, "Other currencies"), book it by hand, or give the source to an ` +
    `organization that keeps its books in ${foreign}`
  );
}

/** @param given what the rule's names mean before its steps */
function evaluate(
  rule: CompiledRule,
  event: CanonicalEvent,
  context: RuleContext,
  given: Values,
): RuleOutcome {
  const values: Record<string, unknown> = { ...given, steps: rule.stepOutputs };
  for (const { name, evaluate: evaluateLet } of rule.lets) {
    try {
      values[name] = evaluateLet(values);
    } catch (error) {
      throw refusedAt(`"${name}"`, undefined, error);
    }
  }
  const customerKey = customerKeyOf(event);
  const { name, version } = rule;
  const { organization, documentKey } = context;
  const actor = { organization, documentKey, customerKey };
  const planOrThrow = (step: CompiledStep, before: Refused | undefined): Planned | undefined => {
    try {
      return planStep(step, values, actor);
    } catch (error) {
      throw before ?? error;
    }
  };
  const steps: PlannedStep[] = [];
  const leftOut = new Set<string>();
  let refused: Refused | undefined;
  for (const step of rule.steps) {
    const planned = step.uses.some((id) => leftOut.has(id)) ? undefined : planOrThrow(step, refused);
    if (planned === undefined) {
      leftOut.add(step.id);
      continue;
    }
    // Nothing may be done before it is known whether the order is booked.
    if (planned.refused && (refused ?? steps.some(({ effects }) => effects.length > 0)))
      throw refused ?? planned.refused;
    refused ??= planned.refused;
    steps.push(planned.step);
    if (planned.step.effects.length === 0) leftOut.add(step.id);
  }
  const datesKnown =
    event.datedBy === undefined &&
    (!('order' in event) || event.order.payments.every(({ datedBy }) => datedBy === undefined));
  const changedAt = 'order' in event ? event.order.updatedAt : undefined;
  const hasDay = steps.some(({ effects }) => effects.some(({ notBefore }) => notBefore !== undefined));
  const planned = {
    ...{ rule: name, version, steps },
    ...(datesKnown && { datesKnown }),
    ...(changedAt && hasDay && { saidAt: changedAt.toISOString() }),
  };
  if (!refused) return { matched: true, plan: planned };
  const { step = '', message: reason } = refused;
  const plan: Plan = { ...planned, onlyIfBooked: { step, reason } };
  return {
    ...{ matched: true, refused: { step, reason } },
    ...(receivablesOf(plan, step).length > 0 && { ifBooked: plan }),
  };
}

function customerKeyOf(event: CanonicalEvent): string | undefined {
  if ('order' in event) return event.order.customer.key;
  return 'customer' in event ? event.customer.key : undefined;
}

/** One condition that is false decides, whatever goes wrong in another: as `&&` has it in CEL. */
function matches({ conditions }: CompiledRule, values: Values): boolean {
  let failed: Refused | undefined;
  for (const { source, test } of conditions) {
    try {
      if (!test(values)) return false;
    } catch (error) {
      failed ??= new Refused(`condition ${shown(source)}: ${explainFailure(error)}`, undefined, error);
    }
  }
  if (failed) throw failed;
  return true;
}

interface Planned {
  readonly step: PlannedStep;
  /** Why it counts only where the order is booked. */
  readonly refused?: Refused;
}

/** Whom actions act for. */
type Actor = Pick<ActionContext, 'organization' | 'documentKey' | 'customerKey'>;

/** @returns undefined where the step has nothing to do: its condition is false, or its list has no element */
function planStep(step: CompiledStep, values: Values, actor: Actor): Planned | undefined {
  if (step.handling.onRefused === 'continue') return planWhatCan(step, values, actor);
  if (!step.forEach) return isDone(step, values) ? planOnce(step, values, actor) : undefined;
  const planned = elementsOf(step, values)
    .filter((inner) => isDone(step, inner))
    .map((inner) => planOnce(step, inner, actor));
  // What counts only where the order is booked is for one effect, not for one of several.
  for (const { refused } of planned) if (refused) throw refused;
  return together(step, planned);
}

/** Plans the elements that can be planned, and says why the others cannot: one that is not done refuses no other. */
function planWhatCan(step: CompiledStep, values: Values, actor: Actor): Planned | undefined {
  const unplanned: string[] = [];
  const orNote = <T>(plan: () => T): T | undefined => {
    try {
      return plan();
    } catch (error) {
      unplanned.push(reasonOf(error, actor.organization));
      return undefined;
    }
  };
  const planned = (orNote(() => elementsOf(step, values)) ?? []).flatMap((inner) => {
    const one = orNote(() => (isDone(step, inner) ? planOnce(step, inner, actor) : undefined));
    if (!one?.refused) return one ?? [];
    unplanned.push(one.refused.message);
    return [];
  });
  return together(step, planned, unplanned);
}

/** @returns undefined where nothing is to be done */
function together(
  { id, action, handling }: CompiledStep,
  planned: readonly Planned[],
  unplanned: string[] = [],
): Planned | undefined {
  const effects = planned.flatMap((one) => one.step.effects);
  const resolves = planned.flatMap((one) => one.step.resolves ?? []);
  if (effects.length === 0 && resolves.length === 0 && unplanned.length === 0) return undefined;
  const elements = planned.map((one) => one.step.effects.length);
  const isHandled = Object.keys(handling).length > 0;
  return {
    step: {
      ...{ id, action: action.name, effects, ...handling },
      ...(isHandled && elements.length > 1 && { elements }),
      ...(resolves.length > 0 && { resolves }),
      ...(unplanned.length > 0 && { unplanned }),
    },
  };
}

/** The values for each time that a step is done: for each element of its list, or once. */
function elementsOf({ id, forEach }: CompiledStep, values: Values): Values[] {
  if (!forEach) return [values];
  const list = attempt('"forEach"', id, () => listOf(forEach.evaluate(values)));
  return list.map((element) => ({ ...values, [forEach.name]: element }));
}

function isDone({ id, condition }: CompiledStep, values: Values): boolean {
  return !condition || attempt('"if"', id, () => condition.test(values));
}

function listOf(list: unknown): readonly unknown[] {
  if (!Array.isArray(list)) throw new RuleRefusal('it is no list');
  if (list.length <= MAX_EACH) return list;
  throw new RuleRefusal(
    `the list has ${list.length} elements; a step is done for at most ${MAX_EACH}, so do it by hand`,
  );
}

function planOnce(
  { id, action, handling, key, inputs, notBefore }: CompiledStep,
  values: Values,
  actor: Actor,
): Planned {
  const stepKey = key && attempt('the key', id, () => key(values) ?? emptyValue());
  const input: Record<string, unknown> = {};
  for (const field of inputs) {
    try {
      const value = inputValue(field, values);
      if (value !== undefined) input[field.name] = value;
    } catch (error) {
      throw refusedAt(`input "${field.name}"`, id, error);
    }
  }
  const day = notBefore && attempt('"notBefore"', id, () => notBefore(values) ?? emptyValue());
  const planned = action.plan(input, { ...actor, key: typeof stepKey === 'string' ? stepKey : '' });
  if (!('refused' in planned)) {
    const effects = planned.effects.map((effect) => putOff(effect, day));
    const resolves = planned.resolves && { resolves: [...planned.resolves] };
    return { step: { id, action: action.name, effects, ...resolves, ...handling } };
  }
  const refused = new Refused(planned.refused, id);
  if (!planned.ifBooked) throw refused;
  return { step: { id, action: action.name, effects: [...planned.ifBooked], ...handling }, refused };
}

function inputValue({ map, required }: CompiledInput, values: Values): unknown {
  const value = map(values);
  return value === undefined && required ? emptyValue() : value;
}

function emptyValue(): never {
  throw new RuleRefusal('it is empty');
}

/** Runs one part; what goes wrong in it is said with where it was. */
function attempt<T>(where: string, step: string | undefined, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw refusedAt(where, step, error);
  }
}

function refusedAt(where: string, step: string | undefined, error: unknown): Refused {
  return new Refused(`${where}: ${explainFailure(error)}`, step, error);
}
