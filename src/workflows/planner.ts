import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { datedAhead } from '../events/dated-ahead';
import type { CanonicalEvent, EventType } from '../events/event';
import { isRefundedWhole, leftOfCancelled, type Unbooked, unbookedOf } from '../events/unbooked';
import { type Attention, isRuleCode } from '../finance/api/effects/attention';
import type { PlannedEffect } from '../finance/api/effects/effect';
import { foundBy } from '../finance/api/effects/registry';
import { EventLoopShare } from '../kernel/event-loop-share';
import { Namespace } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';
import { canBook, type CompiledRule } from '../rules/compiled-rule';
import { amountOf } from '../rules/plan';
import { EventNames, planRule } from '../rules/plan-rule';
import type { LeftToPerson } from './attention.repository';
import { ActiveRules } from './active-rules';
import { notApplied } from './not-applied';
import { Run } from './run';

/** One event of one delivery, to be matched with the organization's rules. */
export interface EventWork {
  organization: Organization;
  deliveryId: string;
  /** Position of the event among the delivery's events. */
  eventIndex: number;
  event: CanonicalEvent;
  /** When the delivery came. */
  receivedAt: Date;
  /** W3C traceparent of the work on its delivery; absent: nothing is traced. */
  traceparent?: string | undefined;
}

/** What came of an event. */
export interface EventOutcome {
  /** How many rules matched. */
  matched: number;
  /** One sentence a refused rule, for a person; empty when all is well. */
  refusals: string[];
  /** What became of each effect that was asked for. */
  effects: { operation: string; state: string }[];
  /** Business keys of the effects that refused rules wait for: one a refusal, where a refusal waits. */
  waitsFor: string[];
  /** What needs a person although nothing failed. */
  attention: Attention['code'][];
}

/** A rule that matched an event and could not be planned. */
export interface RefusedPlan {
  /** Null: the rules together. */
  rule: string | null;
  /** Null: it came to none. */
  step: string | null;
  reason: string;
}

/** An event matched with its rules. */
export interface PlannedEvent extends Omit<EventOutcome, 'attention' | 'waitsFor'> {
  /** What {@link EventOutcome.refusals} says in sentences. */
  refused: RefusedPlan[];
  /** What no rule dealt with. */
  left: LeftToPerson[];
  /** What a person need not look at, or no longer so, once all of the event's rules have done their part. */
  dealtWith: LeftToPerson[];
  /** A run for each rule that matched and could be planned. */
  runs: Run[];
}

/** Namespace of run identifiers: the same rule on the same event of the same delivery is the same run. */
const RUNS = new Namespace('5b0f6b64-0a6e-4c0e-9a55-3f3a3f1c7f0d');

/** What is asked where a receivable is told of otherwise than it was booked. */
const OF_RECEIVABLES: readonly Attention['code'][] = ['amount-differs', 'content-differs'];

/** Makes runs of events: plans to be executed, with nothing done yet. */
@Injectable()
export class Planner {
  constructor(private readonly activeRules: ActiveRules) {}

  /**
   * Matches an event with the rules that listen to it, and yields to the event loop between two rules where it takes
   * long. Where the rules could cost more together than one event may, none is tried: the event is refused with that
   * reason.
   * @param share of the work that this event is part of
   */
  async plan(work: EventWork, share = new EventLoopShare()): Promise<PlannedEvent> {
    const { organization, deliveryId, eventIndex, event, traceparent } = work;
    const { rules, tables, documentKey, excess, candidates } = this.activeRules.listeningTo(
      organization.id,
      event.type,
    );
    const planned = nothingPlanned();
    if (excess !== undefined) {
      const refused = [{ rule: null, step: null, reason: excess }];
      return { ...planned, matched: rules.length, refusals: [excess], refused };
    }
    const context = { organization, tables, documentKey };
    const names = new EventNames(event, context);
    let isActedOn = false;
    for (const rule of candidates.of(names.shared)) {
      if (share.isUsedUp) await share.giveWay();
      const planning = planRule(rule, event, context, names);
      if (!planning.matched) continue;
      planned.matched += 1;
      isActedOn ||= canBook(rule);
      const plan = 'plan' in planning ? planning.plan : planning.ifBooked;
      if ('refused' in planning && !plan) {
        const { step, reason } = planning.refused;
        planned.refused.push({ rule: rule.name, step: step ?? null, reason });
        planned.refusals.push(`rule ${rule.name}${step ? `, step ${step}` : ''}: ${reason}`);
      } else if (plan) {
        const id = RUNS.idOf(`${deliveryId}/${eventIndex}/${rule.name}`);
        planned.runs.push(
          new Run(id, organization, deliveryId, eventIndex, event.type, event.key, plan, traceparent),
        );
      }
      // Also where it is refused: once it is mended it acts, and what a later rule did meanwhile would stay.
      if (rule.stop) break;
    }
    const dealtWith = ({ event: type, byListening, bookedWith }: Unbooked): boolean =>
      (type !== undefined && (isActedOn || (byListening === true && rules.some(canBook)))) ||
      (bookedWith !== undefined && this.isBooked(organization, bookedWith));
    const ahead = datedAhead(event, work.receivedAt, organization.timeZone);
    for (const unbooked of [...unbookedOf(event), ...ahead]) {
      if (dealtWith(unbooked)) planned.dealtWith.push({ ...leftToPerson(work, unbooked), isDealtWith: true });
      else planned.left.push(leftToPerson(work, this.explained(work, unbooked, names)));
    }
    if ('order' in event && isRefundedWhole(event.order))
      planned.dealtWith.push(ended(work, event.key, 'cancellation-not-booked'));
    else if ('order' in event && event.type !== 'order.cancelled') {
      const rest = leftOfCancelled(event.order).map((unbooked) =>
        leftToPerson(work, this.explained(work, unbooked, names)),
      );
      planned.dealtWith.push(...rest.map((item) => ({ ...item, rest: 'in-place-of-more' }) as const));
    }
    planned.left.push(...sharedKeys(planned.runs));
    return planned;
  }

  /** What no event could be made of: it needs a person, unless a rule listens to the event that stands for it. */
  leave(work: Pick<EventWork, 'organization' | 'deliveryId'>, unbooked: readonly Unbooked[]): PlannedEvent {
    const isHeard = ({ event }: Unbooked): boolean =>
      event !== undefined && this.isBooked(work.organization, event);
    const left = unbooked.filter((item) => !isHeard(item));
    return { ...nothingPlanned(), left: left.map((item) => leftToPerson(work, item)) };
  }

  /** With the rules that did nothing about it, where there are any. */
  private explained({ organization, event }: EventWork, unbooked: Unbooked, names: EventNames): Unbooked {
    const { about, event: type } = unbooked;
    if (about === undefined || type === undefined) return unbooked;
    const rules = this.activeRules.listeningTo(organization.id, type).rules.filter(canBook);
    if (rules.length === 0) return unbooked;
    // What another event left is said again: their conditions are about that event.
    const namesOf = type === event.type ? (rule: CompiledRule) => names.of(rule) : undefined;
    return { ...unbooked, detail: about + notApplied(rules, namesOf) };
  }

  /** Whether a rule that may book listens to an event. */
  private isBooked({ id }: Organization, event: EventType): boolean {
    return this.activeRules.listeningTo(id, event).rules.some(canBook);
  }
}

function nothingPlanned(): PlannedEvent {
  return { matched: 0, refusals: [], effects: [], refused: [], runs: [], left: [], dealtWith: [] };
}

function leftToPerson(
  { organization, deliveryId }: Pick<EventWork, 'organization' | 'deliveryId'>,
  { businessKey, code, detail, about, value, isRest }: Unbooked,
): LeftToPerson {
  const attention: Attention = {
    code,
    detail,
    amount: value.toString(),
    ...(value.currency === organization.currency ? {} : { currency: value.currency }),
  };
  return {
    ...{ organization, deliveryId, runId: null, businessKey, attention },
    ...(about !== undefined && { about }),
    ...(isRest && { rest: 'always' }),
  };
}

/** Plans events one after another. */
export async function planAll(
  planner: Pick<Planner, 'plan'>,
  work: readonly EventWork[],
  share = new EventLoopShare(),
): Promise<PlannedEvent[]> {
  const planned: PlannedEvent[] = [];
  for (const item of work) planned.push(await planner.plan(item, share));
  return planned;
}

/** What came of an event whose runs are finished. */
export function outcomeOf({ matched, refusals, runs, left }: PlannedEvent): EventOutcome {
  const attention = left.map((item) => item.attention.code);
  const outcome: EventOutcome = { matched, refusals: [...refusals], waitsFor: [], effects: [], attention };
  for (const run of runs) {
    if (run.refusal) outcome.refusals.push(`rule ${run.plan.rule}, ${run.refusal}`);
    if (run.waitsFor !== undefined) outcome.waitsFor.push(run.waitsFor);
    outcome.effects.push(...run.results);
    attention.push(...leftByRun(run).map((item) => item.attention.code));
  }
  return outcome;
}

/** What rules want done under a key that another rule uses for something else: only one of them is done. */
function sharedKeys(runs: readonly Run[]): LeftToPerson[] {
  if (runs.length < 2) return [];
  const first = new Map<string, { effect: PlannedEffect; rule: string }>();
  const shared: LeftToPerson[] = [];
  for (const { id: runId, organization, deliveryId, businessKey, plan } of runs) {
    for (const effect of plan.steps.flatMap(({ effects }) => effects)) {
      if (foundBy(effect.operation) !== undefined) continue;
      const before = first.get(effect.key);
      if (!before) first.set(effect.key, { effect, rule: plan.rule });
      else if (before.rule !== plan.rule && !isDeepStrictEqual(before.effect, effect)) {
        const detail = `rules ${before.rule} and ${plan.rule} use the key ${effect.key} for different things: the first is done, and the other goes on as if it were its own`;
        const attention: Attention = { code: 'key-shared', detail, amount: amountOf(effect) };
        shared.push({ organization, deliveryId, runId, businessKey, attention });
      }
    }
  }
  return shared;
}

/** All that events leave to a person, their finished runs included, and what they no longer leave. */
export function leftByAll(planned: readonly PlannedEvent[]): LeftToPerson[] {
  return planned.flatMap(({ refusals, left, dealtWith, runs }) => {
    const isDone = refusals.length === 0 && runs.every(({ refusal }) => !refusal);
    return [
      ...left,
      ...(isDone ? dealtWith : []),
      ...runs.flatMap(leftByRun),
      ...runs.flatMap(resolvedByRun),
      ...runs.flatMap(endedByRun),
    ];
  });
}

/** Nothing is asked about receivables that the run wrote off itself. */
function leftByRun(run: Run): LeftToPerson[] {
  const { organization, deliveryId, id: runId, businessKey, attention, writtenOff } = run;
  const left = attention.filter(
    ({ code, detail }) =>
      !OF_RECEIVABLES.includes(code) || !writtenOff.some((key) => detail.startsWith(`${key} `)),
  );
  return left.map((item) => ({ organization, deliveryId, runId, businessKey, attention: item }));
}

/** What was asked about receivables before the run wrote them off. */
function endedByRun({ organization, deliveryId, businessKey, writtenOff }: Run): LeftToPerson[] {
  return writtenOff.flatMap((key) =>
    OF_RECEIVABLES.map((code) => ({
      ...ended({ organization, deliveryId }, businessKey, code),
      about: `${key} `,
    })),
  );
}

/** What a run takes off the list, unless it was refused. */
function resolvedByRun({
  organization,
  deliveryId,
  id: runId,
  businessKey,
  refusal,
  resolved,
}: Run): LeftToPerson[] {
  if (refusal !== undefined) return [];
  return resolved
    .filter(isRuleCode)
    .map((code) => ({ ...ended({ organization, deliveryId }, businessKey, code), runId }));
}

/** Takes off the list whatever is on it with this code. */
function ended(
  { organization, deliveryId }: Pick<EventWork, 'organization' | 'deliveryId'>,
  businessKey: string,
  code: Attention['code'],
): LeftToPerson {
  const attention: Attention = { code, detail: '', amount: '0' };
  return { organization, deliveryId, runId: null, businessKey, attention, hasEnded: true };
}
