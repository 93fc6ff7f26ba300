import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';

const POLL_MS = 500;
const AFTER_FAILURE_MS = 1_000;

/** Works on what the inbox stored, turn after turn, until the application shuts down. */
export abstract class Worker implements BeforeApplicationShutdown {
  protected readonly logger = new Logger(this.constructor.name);
  private readonly stop = new AbortController();
  private awake = new AbortController();
  private running: Promise<void> | undefined;
  private readonly helping = new Set<Promise<void>>();

  /** Starts working. */
  start(): void {
    this.running ??= this.loop();
  }

  /** There may be something to do: do not wait for the next look. */
  wake(): void {
    this.awake.abort();
  }

  /** Ends after what is in hand. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    this.wake();
    await this.running;
    await Promise.all(this.helping);
  }

  /** How much a turn finds to do when there is more than it takes. */
  protected readonly fullTurn: number = Infinity;

  /** How many further turns may be under way beside one as long as turns are full. */
  protected readonly turnsBeside: number = 0;

  /** @returns how much was found to do; after nothing the worker waits for {@link wake}, or half a second */
  protected abstract turn(): Promise<number>;

  /** What is still in hand when no further turn is taken. */
  protected async finish(): Promise<void> {}

  /** Aborted when the worker is to end. */
  protected get stopping(): AbortSignal {
    return this.stop.signal;
  }

  private async loop(): Promise<void> {
    while (!this.stopping.aborted) {
      // The embedded database works in this very thread: without this, requests would not be read meanwhile.
      await nextTurn();
      this.awake = new AbortController();
      const worked = await this.tryTurn();
      if (worked >= this.fullTurn && this.helping.size < this.turnsBeside) this.callHelp();
      if (worked === 0 && !this.stopping.aborted) await pause(POLL_MS, this.awake.signal);
    }
    await this.finish();
  }

  private callHelp(): void {
    const help = this.help().finally(() => this.helping.delete(help));
    this.helping.add(help);
  }

  /** While one turn computes, the database works for the other. */
  private async help(): Promise<void> {
    for (let worked = this.fullTurn; worked >= this.fullTurn && !this.stopping.aborted;) {
      await nextTurn();
      worked = await this.tryTurn();
    }
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
