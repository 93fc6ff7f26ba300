import type { Server } from 'node:http';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { FeedOrder } from './feed-order.repository';

/** Milliseconds between polls while anybody waits: half of it is what waiting adds to a change, on average. */
const POLL_MS = 200;

type Wake = (hasNew: boolean) => void;

/**
 * Lets requests wait for their organization's feed to grow. Whoever waits costs a timer and a place in a map: one
 * read of the database for all of them shows which feeds have grown, whichever replica wrote. Nobody is asked to
 * notify: PostgreSQL's NOTIFY makes commits wait for each other.
 */
@Injectable()
export class LongPoll implements BeforeApplicationShutdown {
  private readonly logger = new Logger(LongPoll.name);
  private readonly waiting = new Map<string, Set<Wake>>();
  /** Up to here feeds were read, and those who wait for more were woken. */
  private lastRead = 0n;
  private timer?: NodeJS.Timeout;
  private reading?: Promise<void>;
  private stopping = false;

  constructor(
    private readonly order: FeedOrder,
    private readonly host: HttpAdapterHost,
  ) {}

  /**
   * Waits until there may be something new for the organization.
   * @param position the last one when its feed was read
   * @returns false: there is not, and the time is over, the signal came or the process ends
   */
  async waitForNew(
    organizationId: string,
    position: bigint,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<boolean> {
    if (signal.aborted || !this.open) return false;
    const idle = this.waiting.size === 0 && !this.reading;
    if (idle) this.lastRead = position;
    else if (position < this.lastRead) return true;
    const hasNew = this.wait(organizationId, milliseconds, signal);
    this.plan();
    return hasNew;
  }

  /** How many wait. */
  get size(): number {
    return [...this.waiting.values()].reduce((sum, { size }) => sum + size, 0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    this.notify([...this.waiting.keys()], false);
    await this.reading;
  }

  private wait(organizationId: string, milliseconds: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const own = this.waiting.get(organizationId) ?? new Set<Wake>();
      this.waiting.set(organizationId, own);
      const wake: Wake = (hasNew) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        own.delete(wake);
        if (own.size === 0 && this.waiting.get(organizationId) === own) this.waiting.delete(organizationId);
        resolve(hasNew);
      };
      const onAbort = (): void => wake(false);
      const timer = setTimeout(() => wake(false), milliseconds);
      signal.addEventListener('abort', onAbort, { once: true });
      own.add(wake);
    });
  }

  private plan(): void {
    if (this.timer || this.reading || this.stopping || this.waiting.size === 0) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.reading = this.poll().finally(() => {
        this.reading = undefined;
        this.plan();
      });
    }, POLL_MS);
  }

  private async poll(): Promise<void> {
    if (!this.open) {
      this.notify([...this.waiting.keys()], false);
      return;
    }
    try {
      const position = await this.order.assignPositions();
      if (position === this.lastRead) return;
      // The database went back, to a standby that had not got everything for instance: whoever waits has to read again.
      const organizations =
        position < this.lastRead
          ? [...this.waiting.keys()]
          : await this.order.organizationsWithNew(this.lastRead, position);
      this.lastRead = position;
      this.notify(organizations, true);
    } catch (error) {
      this.logger.warn({ msg: 'feed: new rows could not be read; tried again at the next poll', err: error });
    }
  }

  /** Whether new requests are taken: once they are not, replies that wait must not delay the end. */
  private get open(): boolean {
    return !this.stopping && (this.host.httpAdapter.getHttpServer() as Server).listening;
  }

  private notify(organizationIds: readonly string[], hasNew: boolean): void {
    for (const id of organizationIds) for (const wake of [...(this.waiting.get(id) ?? [])]) wake(hasNew);
  }
}
