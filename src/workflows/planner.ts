import { Injectable } from '@nestjs/common';
import type { CanonicalEvent } from '../events/event';
import { Namespace } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';
import { planRule } from '../rules/plan-rule';
import { RuleBook } from './rule-book';
import { Run } from './run';

/** One event of one delivery, to be held against the organization's rules. */
export interface EventWork {
  organization: Organization;
  deliveryId: string;
  /** Position of the event among the delivery's events. */
  eventIndex: number;
  event: CanonicalEvent;
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
}

/** A rule that matched an event and could not be planned. */
export interface RefusedPlan {
  rule: string;
  /** Null: it came to none. */
  step: string | null;
  reason: string;
}

/** An event held against its rules. */
export interface PlannedEvent extends EventOutcome {
  /** What {@link EventOutcome.refusals} says in sentences. */
  refused: RefusedPlan[];
  /** A run for each rule that matched and could be planned. */
  runs: Run[];
}

/** Namespace of run identifiers: the same rule on the same event of the same delivery is the same run. */
const RUNS = new Namespace('5b0f6b64-0a6e-4c0e-9a55-3f3a3f1c7f0d');

/** Turns events into runs: plans to be walked, with nothing done yet. */
@Injectable()
export class Planner {
  constructor(private readonly ruleBook: RuleBook) {}

  plan(work: EventWork): PlannedEvent {
    const { organization, deliveryId, eventIndex, event, traceparent } = work;
    const { rules, tables } = this.ruleBook.listeningTo(organization.id, event.type);
    const planned: PlannedEvent = { matched: 0, refusals: [], effects: [], refused: [], runs: [] };
    for (const rule of rules) {
      const planning = planRule(rule, event, { organization, tables });
      if (!planning.matched) continue;
      planned.matched += 1;
      if ('refused' in planning) {
        const { step, reason } = planning.refused;
        planned.refused.push({ rule: rule.name, step: step ?? null, reason });
        planned.refusals.push(`rule ${rule.name}${step ? `, step ${step}` : ''}: ${reason}`);
      } else {
        const id = RUNS.idOf(`${deliveryId}/${eventIndex}/${rule.name}`);
        planned.runs.push(
          new Run(
            id,
            organization,
            deliveryId,
            eventIndex,
            event.type,
            event.key,
            planning.plan,
            traceparent,
          ),
        );
      }
    }
    return planned;
  }
}

/** What came of an event whose runs are finished. */
export function outcomeOf({ matched, refusals, runs }: PlannedEvent): EventOutcome {
  const outcome: EventOutcome = { matched, refusals: [...refusals], effects: [] };
  for (const run of runs) {
    if (run.refusal) outcome.refusals.push(`rule ${run.plan.rule}, ${run.refusal}`);
    outcome.effects.push(...run.results);
  }
  return outcome;
}
