import { setImmediate as nextTick } from 'node:timers/promises';

/** Milliseconds that work may compute at a stretch before it yields to requests, timers and other work. */
const STRETCH_MS = 15;

/** How long some work has kept the event loop to itself; asked between two pieces of it. */
export class EventLoopShare {
  private since = performance.now();

  /** Whether the work should yield now. */
  get isUsedUp(): boolean {
    return performance.now() - this.since >= STRETCH_MS;
  }

  /** Lets everything that waits for the event loop go first. */
  async giveWay(): Promise<void> {
    await nextTick();
    this.since = performance.now();
  }
}
