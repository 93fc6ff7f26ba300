import { setImmediate as nextTick, setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';

const POLL_MS = 500;
const AFTER_FAILURE_MS = 1_000;

/** Works on what the inbox stored, batch after batch, until the application shuts down. */
export abstract class Worker implements BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  private readonly stop = new AbortController();
  private running: Promise<unknown> | undefined;
  /** Wakes the loops that found nothing to do. */
  private readonly idle: (() => void)[] = [];
  /** Whether there may be something to do that was not there when the latest batch began. */
  private pending = false;
  private mustPause: () => boolean = () => false;

  start(): void {
    this.running ??= Promise.all(
      Array.from({ length: this.batchesAtOnce }, (_, index) => this.loop(index === 0)),
    );
  }

  /** There may be something to do: a batch begins at once, or as soon as one under way has ended. */
  wake(): void {
    if (this.idle.length === this.batchesAtOnce) this.startAnother();
    else this.pending = true;
  }

  /** No batch begins while `mustPause` answers true; one that is under way goes on. */
  pauseWhile(mustPause: () => boolean): void {
    this.mustPause = mustPause;
  }

  /** Claims nothing more, from now on. */
  stopClaiming(): void {
    this.stop.abort();
    for (const next of this.idle.splice(0)) next();
  }

  /** Ends after the batches under way. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopClaiming();
    await this.running;
    await this.finish();
  }

  protected readonly batchesAtOnce: number = 1;

  /** Milliseconds, on average, between a batch that failed and the next. */
  protected afterFailureMs = AFTER_FAILURE_MS;

  /** A long batch calls it: another batch begins meanwhile, for what did not fit in or is new. */
  protected startAnother(): void {
    const next = this.idle.shift();
    if (next) next();
    else this.pending = true;
  }

  /** @returns how much was found to do; after nothing the worker waits for {@link wake}, or half a second */
  protected abstract runBatch(): Promise<number>;

  /** Waits for work that goes on after the last batch. */
  protected async finish(): Promise<void> {}

  protected get stopping(): AbortSignal {
    return this.stop.signal;
  }

  /** @param polls whether this loop polls by itself; one is enough */
  private async loop(polls: boolean): Promise<void> {
    while (!this.stopping.aborted) {
      // What has come meanwhile is read before the next batch.
      await nextTick();
      this.pending = false;
      const worked = this.mustPause() ? 0 : await this.tryBatch();
      if (worked === 0 && !this.pending && !this.stopping.aborted) await this.waitForWork(polls);
    }
  }

  private waitForWork(polls: boolean): Promise<void> {
    return new Promise((resolve) => {
      const next = (): void => {
        clearTimeout(poll);
        resolve();
      };
      const onPoll = (): void => {
        this.idle.splice(this.idle.indexOf(next), 1);
        resolve();
      };
      const poll = polls ? setTimeout(onPoll, POLL_MS) : undefined;
      this.idle.push(next);
    });
  }

  private tryBatch(): Promise<number> {
    return this.runBatch().catch(async (error: unknown) => {
      this.logger.warn({
        msg: 'delivery worker: a batch failed; the worker claims again in about a second',
        err: error,
      });
      await pause(this.afterFailureMs * (0.5 + Math.random()), this.stopping);
      return 0;
    });
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
