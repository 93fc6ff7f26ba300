import { setImmediate as nextTick } from 'node:timers/promises';
import { Worker } from './worker';

/** Finds something to do so many times, and counts how many batches were under way at once. */
class CountingWorker extends Worker {
  underWay = 0;
  most = 0;
  taken = 0;

  constructor(
    private left: number,
    protected override readonly batchesAtOnce: number,
  ) {
    super();
  }

  protected override async runBatch(): Promise<number> {
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    const worked = this.left > 0 ? 10 : 0;
    if (worked > 0) this.startAnother();
    this.left -= 1;
    for (let wait = 0; wait < 5; wait += 1) await nextTick();
    this.underWay -= 1;
    this.taken += worked;
    if (this.taken === 30) throw new Error('once in a while');
    return worked;
  }

  async idleNow(): Promise<void> {
    while (this.left > 0 || this.underWay > 0) await nextTick();
  }
}

async function most(worker: CountingWorker): Promise<number> {
  worker.start();
  await worker.idleNow();
  await worker.beforeApplicationShutdown();
  expect(worker.underWay).toBe(0);
  return worker.most;
}

describe('a worker', () => {
  it('runs one batch after another', async () => {
    expect(await most(new CountingWorker(10, 1))).toBe(1);
  });

  it('runs two batches at once as long as there is more, whatever fails meanwhile', async () => {
    const worker = new CountingWorker(20, 2);
    expect(await most(worker)).toBe(2);
    expect(worker.taken).toBe(200);
  });

  it('is not done before what is under way has ended', async () => {
    const worker = new CountingWorker(Infinity, 2);
    worker.start();
    while (worker.underWay < 2) await nextTick();
    await worker.beforeApplicationShutdown();
    expect(worker.underWay).toBe(0);
    const { taken } = worker;
    for (let wait = 0; wait < 20; wait += 1) await nextTick();
    expect(worker.taken).toBe(taken);
  });
});

/** Its batches end when the test says so. */
class BusyWorker extends Worker {
  private readonly ends: ((worked: number) => void)[] = [];

  constructor(protected override readonly batchesAtOnce: number) {
    super();
  }

  protected override runBatch(): Promise<number> {
    return new Promise((end) => this.ends.push(end));
  }

  override startAnother(): void {
    super.startAnother();
  }

  /** Batches under way, once everything that was to begin has begun. */
  async underWay(): Promise<number> {
    for (let wait = 0; wait < 5; wait += 1) await nextTick();
    return this.ends.length;
  }

  /** Ends the batch that is under way for the longest. */
  async end(worked: number): Promise<void> {
    this.ends.shift()?.(worked);
    await this.underWay();
  }

  /** Its first polls have found nothing. */
  async idleNow(): Promise<this> {
    this.start();
    for (let open = await this.underWay(); open > 0; open -= 1) await this.end(0);
    expect(await this.underWay()).toBe(0);
    return this;
  }
}

describe('a worker that is woken', () => {
  // Nothing here happens because time passes, unless the test lets it.
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] }));

  afterEach(() => void jest.useRealTimers());

  it('begins one batch for what is new', async () => {
    const worker = await new BusyWorker(2).idleNow();
    worker.wake();
    expect(await worker.underWay()).toBe(1);
  });

  it('begins no second batch unless the first is a long one, and no more than it may', async () => {
    const worker = await new BusyWorker(2).idleNow();
    worker.wake();
    worker.wake();
    expect(await worker.underWay()).toBe(1);
    for (let calls = 0; calls < 2; calls += 1) {
      worker.startAnother();
      expect(await worker.underWay()).toBe(2);
    }
  });

  it('claims again after a batch that found nothing if it was woken meanwhile, and once', async () => {
    const worker = await new BusyWorker(1).idleNow();
    worker.wake();
    await worker.underWay();
    worker.wake();
    worker.wake();
    await worker.end(0);
    expect(await worker.underWay()).toBe(1);
    await worker.end(0);
    expect(await worker.underWay()).toBe(0);
  });

  it('claims again after a batch that found something', async () => {
    const worker = await new BusyWorker(1).idleNow();
    worker.wake();
    await worker.underWay();
    await worker.end(1);
    expect(await worker.underWay()).toBe(1);
  });

  it('polls by itself after a while, with one batch', async () => {
    const worker = await new BusyWorker(2).idleNow();
    jest.advanceTimersByTime(500);
    expect(await worker.underWay()).toBe(1);
    await worker.end(0);
    jest.advanceTimersByTime(499);
    expect(await worker.underWay()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(await worker.underWay()).toBe(1);
  });

  it('begins no batch while it must pause, and polls again by itself', async () => {
    const worker = await new BusyWorker(2).idleNow();
    let mustPause = true;
    worker.pauseWhile(() => mustPause);
    worker.wake();
    expect(await worker.underWay()).toBe(0);
    mustPause = false;
    jest.advanceTimersByTime(500);
    expect(await worker.underWay()).toBe(1);
  });

  it('claims nothing more once it is stopped, and ends what it has', async () => {
    const worker = await new BusyWorker(2).idleNow();
    worker.wake();
    worker.startAnother();
    expect(await worker.underWay()).toBe(2);
    worker.stopClaiming();
    await worker.end(1);
    worker.wake();
    jest.advanceTimersByTime(500);
    expect(await worker.underWay()).toBe(1);
    const ended = worker.beforeApplicationShutdown();
    await worker.end(1);
    await ended;
  });

  it('ends at once when no batch is under way', async () => {
    const worker = await new BusyWorker(2).idleNow();
    await worker.beforeApplicationShutdown();
    worker.wake();
    expect(await worker.underWay()).toBe(0);
  });
});
