import { Injectable } from '@nestjs/common';
import { v5 } from 'uuid';
import type { Transaction } from '../database/transaction';
import type { CanonicalEvent } from '../events/event';
import { EffectApplier } from '../finance/effects/effects.port';
import { Clock } from '../kernel/clock';
import type { Organization } from '../kernel/organization';
import { planRule } from '../rules/plan-rule';
import { RuleBook } from './rule-book';
import { Run } from './run';
import { RunsRepository } from './runs.repository';

/** One event of one delivery, to be held against the organization's rules. */
export interface EventWork {
  organization: Organization;
  deliveryId: string;
  /** Position of the event among the delivery's events. */
  eventIndex: number;
  event: CanonicalEvent;
}

/** What came of an event. */
export interface EventOutcome {
  /** How many rules matched. */
  matched: number;
  /** One sentence a refused rule, for a person; empty when all is well. */
  refusals: string[];
}

/** Namespace of run identifiers: the same rule on the same event of the same delivery is the same run. */
const RUN_NAMESPACE = '5b0f6b64-0a6e-4c0e-9a55-3f3a3f1c7f0d';

/**
 * Turns events into plans and plans into effects. Many events are worked on together: in each wave the next
 * effect of every unfinished run goes to the applier in one call, so that the number of statements depends on
 * the longest plan and not on the number of orders.
 */
@Injectable()
export class WorkflowEngine {
  constructor(
    private readonly ruleBook: RuleBook,
    private readonly effects: EffectApplier,
    private readonly runs: RunsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Executes every matching rule in the caller's transaction.
   * @returns outcomes in the order of the work
   * @throws whatever the database throws: then nothing of the batch may be kept
   */
  async execute(tx: Transaction, work: readonly EventWork[]): Promise<EventOutcome[]> {
    const planned = work.map((item) => this.plan(item));
    const runs = planned.flatMap((item) => item.runs);
    await this.applyInWaves(tx, runs);
    await this.runs.save(tx, runs, this.clock.now());
    return planned.map(({ matched, refusals, runs: own }) => ({
      matched,
      refusals: [
        ...refusals,
        ...own.flatMap((run) => (run.refusal ? [`rule ${run.plan.rule}, ${run.refusal}`] : [])),
      ],
    }));
  }

  private plan(work: EventWork): EventOutcome & { runs: Run[] } {
    const { organization, deliveryId, eventIndex, event } = work;
    const { rules, tables } = this.ruleBook.listeningTo(organization.id, event.type);
    const outcome: EventOutcome & { runs: Run[] } = { matched: 0, refusals: [], runs: [] };
    for (const rule of rules) {
      const planning = planRule(rule, event, { organization, tables });
      if (!planning.matched) continue;
      outcome.matched += 1;
      if ('refused' in planning) {
        const { step, reason } = planning.refused;
        outcome.refusals.push(`rule ${rule.name}${step ? `, step ${step}` : ''}: ${reason}`);
      } else {
        const id = v5(`${deliveryId}/${eventIndex}/${rule.name}`, RUN_NAMESPACE);
        outcome.runs.push(
          new Run(id, organization, deliveryId, eventIndex, event.type, event.key, planning.plan),
        );
      }
    }
    return outcome;
  }

  private async applyInWaves(tx: Transaction, runs: readonly Run[]): Promise<void> {
    for (
      let open = runs.filter((run) => !run.finished);
      open.length > 0;
      open = open.filter((run) => !run.finished)
    ) {
      const results = await this.effects.apply(
        tx,
        open.map((run) => run.next()),
      );
      open.forEach((run, index) => {
        const result = results[index];
        if (!result) throw new Error('an effect was left without a result');
        run.record(result);
      });
    }
  }
}
