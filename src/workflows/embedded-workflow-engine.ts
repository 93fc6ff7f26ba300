import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction';
import { EffectApplier, type EffectBatch } from '../finance/api/effects/effects.port';
import { Clock } from '../kernel/clock';
import { beginSpan } from '../kernel/tracing';
import { Approvals } from './approvals.repository';
import { AttentionRepository } from './attention.repository';
import { Deferral } from './deferred/deferral';
import { type EventOutcome, leftByAll, outcomeOf, type PlannedEvent, Planner } from './planner';
import type { Run, StepResult } from './run';
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
    approvals: Approvals,
    private readonly deferral: Deferral,
    clock: Clock,
  ) {
    super(planner, runs, attention, approvals, clock);
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
    await this.approvals.review(tx, runs, this.clock.now());
    const batch = this.effects.begin(tx);
    await this.applyInWaves(tx, batch, runs);
    await Promise.all([
      batch.finish(),
      this.finish(tx, runs, leftByAll(planned)),
      conclude(planned.map(outcomeOf)),
    ]);
  }

  private async applyInWaves(tx: Transaction, batch: EffectBatch, runs: readonly Run[]): Promise<void> {
    for (
      let open = runs.filter((run) => !run.finished);
      open.length > 0;
      open = open.filter((run) => !run.finished)
    ) {
      const startTime = new Date();
      const wave = withoutEarly(open);
      const results = await this.applyWave(tx, batch, wave);
      wave.forEach((run, index) => {
        const result = results[index];
        if (!result) throw new Error('an effect was left without a result');
        recordEffect(run, startTime, result.state);
        run.record(result);
      });
    }
  }

  /** The next effect of each run: put off, or applied. @returns in the order of the runs */
  private async applyWave(
    tx: Transaction,
    batch: EffectBatch,
    runs: readonly Run[],
  ): Promise<(StepResult | undefined)[]> {
    const asked = runs.map((run) => ({ run, request: run.next() }));
    const putOff = await this.deferral.putOff(tx, asked);
    const now = asked.filter(({ run }) => !putOff.has(run));
    const applied = (await batch.apply(now.map(({ request }) => request))).values();
    return runs.map((run) => putOff.get(run) ?? applied.next().value);
  }
}

/**
 * Leaves out what looks for a record that another of the runs may still make: it is asked for when that is done. Of runs
 * that wait for each other none is left out.
 */
function withoutEarly(open: readonly Run[]): readonly Run[] {
  if (open.every(({ wantedRecord: wanted }) => wanted === undefined)) return open;
  const ready = open.filter(
    ({ wantedRecord: key }) => key === undefined || !open.some((other) => other.mayMake(key)),
  );
  return ready.length > 0 ? ready : open;
}

/** Effects of many runs are applied together: each has the whole wave's time. */
function recordEffect(run: Run, startTime: Date, state: string): void {
  const { traceparent: parent } = run;
  if (parent === undefined) return;
  const attributes = { ...run.nextAttributes, 'ponte.state': state };
  beginSpan('apply effect', { parent, startTime, attributes }).end();
}
