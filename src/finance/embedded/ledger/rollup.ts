import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { ScheduledRun } from '../../../kernel/scheduled-run';
import { Database } from '../../../database/database';

/** Deltas folded at a time: small enough to keep the statement short. */
const BATCH = 5_000;

const EVERY_MS = 2_000;

/**
 * Folds what was appended into rows that are few, so that reading their sum stays cheap. Any number of replicas may do
 * this at once: each takes deltas that no other has taken.
 */
@Injectable()
export abstract class Rollup {
  private readonly logger = new Logger(this.constructor.name);
  private readonly runs = new ScheduledRun(
    () => this.rollUp(),
    (error) =>
      this.logger.error({
        msg: 'ledger: balance deltas could not be rolled up; the next run tries again',
        err: error,
      }),
  );

  constructor(protected readonly database: Database) {}

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval(EVERY_MS)
  async tick(): Promise<void> {
    await this.runs.tick();
  }

  /** Folds everything there is, batch by batch. @returns how many deltas were folded */
  async rollUp(): Promise<number> {
    let total = 0;
    for (let folded = BATCH; folded === BATCH; total += folded) folded = await this.fold(BATCH);
    return total;
  }

  /**
   * One statement, so that no reader sees a delta twice or not at all.
   * @returns how many deltas were folded, `most` at most
   */
  protected abstract fold(most: number): Promise<number>;
}
