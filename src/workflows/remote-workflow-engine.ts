import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { Transaction } from '../database/transaction';
import { RemoteEffectApplier } from '../finance/api/effects/remote-effect-applier.port';
import { Clock } from '../kernel/clock';
import { traced } from '../kernel/tracing';
import { Approvals } from './approvals.repository';
import { AttentionRepository, type LeftToPerson } from './attention.repository';
import { Deferral } from './deferred/deferral';
import {
  type EventOutcome,
  type EventWork,
  leftByAll,
  outcomeOf,
  type PlannedEvent,
  Planner,
} from './planner';
import type { Run, StepResult } from './run';
import { RunsRepository } from './runs.repository';
import { resumeRuns } from './resume-runs';
import { WorkflowEngine } from './workflow-engine';

/** Where a delivery's runs stand. */
export type Progress =
  | {
      readonly state: 'finished';
      readonly outcomes: EventOutcome[];
      readonly runs: Run[];
      readonly left: LeftToPerson[];
    }
  /** Some effect can not be decided yet: `until` is when asking again makes sense. */
  | { readonly state: 'pending'; readonly until: Date; readonly reason: string; readonly runs: Run[] }
  /** The caller wanted to stop between two effects. */
  | { readonly state: 'interrupted' };

interface Wait {
  until: Date;
  reason: string;
}

/**
 * Executes rules against a remote finance service: one effect after another, outside of any transaction. The
 * plans are stored before the first effect, so that whoever goes on with them goes on with the same plans,
 * whatever has become of the rules meanwhile; what was applied already is found by its key.
 */
@Injectable()
export class RemoteWorkflowEngine extends WorkflowEngine {
  constructor(
    planner: Planner,
    private readonly effects: RemoteEffectApplier,
    runs: RunsRepository,
    attention: AttentionRepository,
    approvals: Approvals,
    private readonly deferral: Deferral,
    private readonly database: Database,
    clock: Clock,
  ) {
    super(planner, runs, attention, approvals, clock);
  }

  /**
   * Goes as far as it gets with the events of one delivery. How far that was is written with {@link finish} or
   * {@link keep}, in the transaction in which the delivery's new state is written.
   * @param begun called when the plans are stored, and waited for: from here on it waits for others more than it computes
   * @throws whatever the database throws: then the same may be asked again
   */
  async advance(
    deliveryId: string,
    work: readonly EventWork[],
    signal: AbortSignal,
    begun: () => Promise<void> | void = () => undefined,
  ): Promise<Progress> {
    const planned = await this.begin(deliveryId, work);
    await begun();
    const runs = planned.flatMap((item) => item.runs);
    const waits: Wait[] = [];
    for (const run of makersFirst(runs)) {
      const wait = await this.walk(run, signal);
      if (signal.aborted) return { state: 'interrupted' };
      if (wait) waits.push(wait);
    }
    const [first] = waits.toSorted((left, right) => left.until.getTime() - right.until.getTime());
    return first
      ? { state: 'pending', ...first, runs }
      : { state: 'finished', outcomes: planned.map(outcomeOf), runs, left: leftByAll(planned) };
  }

  /** Milliseconds for which no call should be sent to an organization's finance service; 0: calls may be sent. */
  backoffMs(organizationId: string): number {
    return this.effects.backoffMs(organizationId);
  }

  /** Whether an organization's finance service was found down, and has answered nothing since. */
  isDown(organizationId: string): boolean {
    return this.effects.isDown(organizationId);
  }

  /** How many calls an organization's finance service takes at once. */
  callsAtOnce(organizationId: string): Promise<number> {
    return this.effects.callsAtOnce(organizationId);
  }

  /** Writes how far runs are that must wait. */
  keep(tx: Transaction, runs: readonly Run[]): Promise<void> {
    return this.runs.save(tx, runs, null);
  }

  /** Plans, or resumes the plans that were made when these events were first worked on. */
  private async begin(deliveryId: string, work: readonly EventWork[]): Promise<PlannedEvent[]> {
    const planned = await this.plan(work);
    return this.database.transaction(async (tx) => {
      const begun = await this.runs.findRunning(tx, deliveryId);
      resumeRuns(planned, work, begun);
      const runs = planned.flatMap((event) => event.runs);
      if (begun.length === 0) await this.runs.save(tx, runs, null);
      await this.approvals.review(tx, runs, this.clock.now());
      return planned;
    });
  }

  /** @returns why and until when the run must wait; undefined when it is finished, or the signal came */
  private async walk(run: Run, signal: AbortSignal): Promise<Wait | undefined> {
    while (!run.finished && !signal.aborted) {
      const result = await traced('apply effect', { attributes: run.nextAttributes }, async (span) => {
        const came = await this.applyNext(run);
        span.setAttribute('ponte.state', came.state);
        return came;
      });
      if (result.state === 'pending') return result;
      run.record(result);
    }
    return undefined;
  }

  /** Puts the next effect off, for good before the run goes on, or applies it. */
  private async applyNext(run: Run): Promise<StepResult> {
    const request = run.next();
    const putOff = this.deferral.concerns(request)
      ? await this.database.transaction((tx) => this.deferral.putOff(tx, [{ run, request }]))
      : undefined;
    return putOff?.get(run) ?? this.effects.apply(request, run.deliveryId);
  }
}

/** Runs that look for what others of the delivery make come after those. */
function makersFirst(runs: readonly Run[]): Run[] {
  const waitsForOthers = (run: Run): boolean =>
    run.wantedRecords.some((key) => runs.some((other) => other !== run && other.mayMake(key)));
  return [...runs.filter((run) => !waitsForOthers(run)), ...runs.filter(waitsForOthers)];
}
