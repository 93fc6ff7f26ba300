import { setTimeout as pause } from 'node:timers/promises';

/** Runs the work of one key one after another, in the order of the calls; other keys do not wait for it. */
export class KeyedMutex {
  private readonly last = new Map<string, Promise<unknown>>();

  /** @param longestMs work that has waited so long for the lock runs without it */
  async run<T>(name: string, longestMs: number, work: () => Promise<T>): Promise<T> {
    const before = this.last.get(name);
    let end = (): void => undefined;
    const over = new Promise<void>((resolve) => (end = resolve));
    const mine = Promise.all([before, over]);
    this.last.set(name, mine);
    void mine.then(() => this.last.get(name) === mine && this.last.delete(name));
    try {
      if (before) await within(longestMs, before);
      return await work();
    } finally {
      end();
    }
  }
}

async function within(milliseconds: number, waited: Promise<unknown>): Promise<void> {
  const late = new AbortController();
  const tooLong = pause(milliseconds, undefined, { signal: late.signal }).catch(() => undefined);
  await Promise.race([waited, tooLong]);
  late.abort();
}
