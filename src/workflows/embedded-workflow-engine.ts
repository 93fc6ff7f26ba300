import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import { EffectApplier, type EffectBatch } from '../finance/api/effects/effects.port';
import { Clock } from '../kernel/clock';
import { beginSpan } from '../kernel/tracing';
import { AttentionRepository } from './attention.repository';
import { type EventOutcome, leftByAll, outcomeOf, type PlannedEvent, Planner } from './planner';
import type { Run } from './run';
import { RunsRepository } from './runs.repository';
import { WorkflowEngine } from './workflow-engine';

/**
 * Makes effects of plans on Ponte's own books. Many events are worked on together: in each wave the next
 * effect of every unfinished run goes to the applier in one call, so that the number of statements depends on
 * the longest plan and not on the number of orders.
 */
@Injectable()
export class EmbeddedWorkflowEngine extends WorkflowEngine {
  constructor(
    planner: Planner,
    private readonly effects: EffectApplier,
    runs: RunsRepository,
    attention: AttentionRepository,
    clock: Clock,
  ) {
    super(planner, runs, attention, clock);
  }

  /**
   * Executes what was planned in the caller's transaction.
   * @param conclude given the outcomes in the order of the events, before they are written; what it writes goes with them
   * @throws whatever the database throws: then nothing of the batch may be kept
   */
  async execute(
    tx: Transaction,
    planned: readonly PlannedEvent[],
    conclude: (outcomes: EventOutcome[]) => Promise<void>,
  ): Promise<void> {
    const runs = planned.flatMap((item) => item.runs);
    const batch = this.effects.begin(tx);
    await applyInWaves(batch, runs);
    await Promise.all([
      batch.finish(),
      this.finish(tx, runs, leftByAll(planned)),
      conclude(planned.map(outcomeOf)),
    ]);
  }
}

async function applyInWaves(batch: EffectBatch, runs: readonly Run[]): Promise<void> {
  for (
    let open = runs.filter((run) => !run.finished);
    open.length > 0;
    open = open.filter((run) => !run.finished)
  ) {
    const startTime = new Date();
    const results = await batch.apply(open.map((run) => run.next()));
    open.forEach((run, index) => {
      const result = results[index];
      if (!result) throw new Error('an effect was left without a result');
      recordEffect(run, startTime, result.state);
      run.record(result);
    });
  }
}

/** Effects of many runs are applied together: each has the whole wave's time. */
function recordEffect(run: Run, startTime: Date, state: string): void {
  const { traceparent: parent } = run;
  if (parent === undefined) return;
  const attributes = { ...run.nextAttributes, 'ponte.state': state };
  beginSpan('apply effect', { parent, startTime, attributes }).end();
}
