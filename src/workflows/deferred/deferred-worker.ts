import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../config/settings';
import { DueEffects } from './due-effects';

const EVERY_MS = 1_000;

/** What applies deferred effects: one for each way. */
export abstract class DueEffectsList {
  abstract readonly all: readonly DueEffects[];
}

/** Applies deferred effects when they are due. Any number of replicas do this; what one is at, the others leave alone. */
@Injectable()
export class DeferredWorker implements BeforeApplicationShutdown {
  private readonly logger = new Logger(DeferredWorker.name);
  private readonly stopping = new AbortController();
  private readonly wanted: boolean;
  private readonly underWay = new Map<DueEffects, Promise<number>>();

  constructor(
    private readonly due: DueEffectsList,
    { role }: Settings,
  ) {
    this.wanted = role !== 'api';
  }

  /** Called by the scheduler. */
  @Interval('deferred-effects', EVERY_MS)
  async tick(): Promise<void> {
    if (!this.wanted) return;
    await this.run();
  }

  /**
   * Applies all that is due; where a way is at work already, that is waited for. Failures are logged.
   * @returns how many were taken
   */
  async run(): Promise<number> {
    const taken = await Promise.all(this.due.all.map((way) => this.underWay.get(way) ?? this.begin(way)));
    return taken.reduce((sum, count) => sum + count, 0);
  }

  /** Ends after what is under way. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.underWay.values());
  }

  private begin(way: DueEffects): Promise<number> {
    const run = this.applyAll(way)
      .catch((error: unknown) => {
        this.logger.error({
          msg: 'deferred effects: what is due could not be applied; the next run tries again',
          err: error,
        });
        return 0;
      })
      .finally(() => this.underWay.delete(way));
    this.underWay.set(way, run);
    return run;
  }

  private async applyAll(way: DueEffects): Promise<number> {
    const { signal } = this.stopping;
    let sum = 0;
    while (!signal.aborted) {
      const taken = await way.applySome(signal);
      sum += taken;
      if (taken === 0) return sum;
    }
    return sum;
  }
}
