import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';

const POLL_MS = 500;
const AFTER_FAILURE_MS = 1_000;

/** Works on what the inbox stored, turn after turn, until the application shuts down. */
export abstract class Worker implements BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  private readonly stop = new AbortController();
  private running: Promise<unknown> | undefined;
  /** Who takes turns and found nothing to do. */
  private readonly resting: (() => void)[] = [];
  /** Whether there may be something to do that was not there when the latest turn began. */
  private unseen = false;
  private mustHold: () => boolean = () => false;

  /** Starts working. */
  start(): void {
    this.running ??= Promise.all(
      Array.from({ length: this.turnsAtOnce }, (_, index) => this.loop(index === 0)),
    );
  }

  /** There may be something to do: a turn begins at once, or as soon as one under way has ended. */
  wake(): void {
    if (this.resting.length === this.turnsAtOnce) this.beside();
    else this.unseen = true;
  }

  /** No turn begins while there is a reason for that; one that is under way goes on. */
  holdWhile(mustHold: () => boolean): void {
    this.mustHold = mustHold;
  }

  /** Takes nothing more in hand, from now on. */
  stopTaking(): void {
    this.stop.abort();
    for (const next of this.resting.splice(0)) next();
  }

  /** Ends after what is in hand. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopTaking();
    await this.running;
    await this.finish();
  }

  /** How many turns may be under way beside each other. */
  protected readonly turnsAtOnce: number = 1;

  /** To be called by a turn that is a long one: another begins beside it, for what does not fit in or comes meanwhile. */
  protected beside(): void {
    const next = this.resting.shift();
    if (next) next();
    else this.unseen = true;
  }

  /** @returns how much was found to do; after nothing the worker waits for {@link wake}, or half a second */
  protected abstract turn(): Promise<number>;

  /** What is still in hand when no further turn is taken. */
  protected async finish(): Promise<void> {}

  /** Aborted when the worker is to end. */
  protected get stopping(): AbortSignal {
    return this.stop.signal;
  }

  /** @param polls whether it looks by itself; one is enough */
  private async loop(polls: boolean): Promise<void> {
    while (!this.stopping.aborted) {
      // The embedded database works in this very thread: without this, requests would not be read meanwhile.
      await nextTurn();
      this.unseen = false;
      const worked = this.mustHold() ? 0 : await this.tryTurn();
      if (worked === 0 && !this.unseen && !this.stopping.aborted) await this.rest(polls);
    }
  }

  private rest(polls: boolean): Promise<void> {
    return new Promise((resolve) => {
      const next = (): void => {
        clearTimeout(poll);
        resolve();
      };
      const look = (): void => {
        this.resting.splice(this.resting.indexOf(next), 1);
        resolve();
      };
      const poll = polls ? setTimeout(look, POLL_MS) : undefined;
      this.resting.push(next);
    });
  }

  private tryTurn(): Promise<number> {
    return this.turn().catch(async (error: unknown) => {
      this.logger.warn({ msg: 'deliveries could not be worked on; trying again', err: error });
      await pause(AFTER_FAILURE_MS * (0.5 + Math.random()), this.stopping);
      return 0;
    });
  }
}

async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}
