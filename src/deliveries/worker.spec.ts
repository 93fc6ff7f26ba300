import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from './worker';

/** Finds something to do so many times, and notes how many turns were under way at once. */
class CountingWorker extends Worker {
  underWay = 0;
  most = 0;
  taken = 0;

  constructor(
    private left: number,
    protected override readonly turnsAtOnce: number,
  ) {
    super();
  }

  protected override async turn(): Promise<number> {
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    const worked = this.left > 0 ? 10 : 0;
    if (worked > 0) this.beside();
    this.left -= 1;
    for (let wait = 0; wait < 5; wait += 1) await nextTurn();
    this.underWay -= 1;
    this.taken += worked;
    if (this.taken === 30) throw new Error('once in a while');
    return worked;
  }

  async idle(): Promise<void> {
    while (this.left > 0 || this.underWay > 0) await nextTurn();
  }
}

async function most(worker: CountingWorker): Promise<number> {
  worker.start();
  await worker.idle();
  await worker.beforeApplicationShutdown();
  expect(worker.underWay).toBe(0);
  return worker.most;
}

describe('a worker', () => {
  it('takes one turn after another', async () => {
    expect(await most(new CountingWorker(10, 1))).toBe(1);
  });

  it('takes another beside one as long as there is more, whatever fails meanwhile', async () => {
    const worker = new CountingWorker(20, 2);
    expect(await most(worker)).toBe(2);
    expect(worker.taken).toBe(200);
  });

  it('is not done before what is under way has ended', async () => {
    const worker = new CountingWorker(Infinity, 2);
    worker.start();
    while (worker.underWay < 2) await nextTurn();
    await worker.beforeApplicationShutdown();
    expect(worker.underWay).toBe(0);
    const { taken } = worker;
    for (let wait = 0; wait < 20; wait += 1) await nextTurn();
    expect(worker.taken).toBe(taken);
  });
});

/** Its turns end when the test says so. */
class HeldWorker extends Worker {
  private readonly ends: ((worked: number) => void)[] = [];

  constructor(protected override readonly turnsAtOnce: number) {
    super();
  }

  protected override turn(): Promise<number> {
    return new Promise((end) => this.ends.push(end));
  }

  override beside(): void {
    super.beside();
  }

  /** Turns under way, once everything that was to begin has begun. */
  async underWay(): Promise<number> {
    for (let wait = 0; wait < 5; wait += 1) await nextTurn();
    return this.ends.length;
  }

  /** Ends the turn that is under way for the longest. */
  async end(worked: number): Promise<void> {
    this.ends.shift()?.(worked);
    await this.underWay();
  }

  /** Its first looks have found nothing. */
  async atRest(): Promise<this> {
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

  it('begins one turn for what is new', async () => {
    const worker = await new HeldWorker(2).atRest();
    worker.wake();
    expect(await worker.underWay()).toBe(1);
  });

  it('begins none beside a turn that is under way, unless that is a long one, and no more than it may', async () => {
    const worker = await new HeldWorker(2).atRest();
    worker.wake();
    worker.wake();
    expect(await worker.underWay()).toBe(1);
    for (let calls = 0; calls < 2; calls += 1) {
      worker.beside();
      expect(await worker.underWay()).toBe(2);
    }
  });

  it('looks again after a turn that found nothing if it was woken meanwhile, and once', async () => {
    const worker = await new HeldWorker(1).atRest();
    worker.wake();
    await worker.underWay();
    worker.wake();
    worker.wake();
    await worker.end(0);
    expect(await worker.underWay()).toBe(1);
    await worker.end(0);
    expect(await worker.underWay()).toBe(0);
  });

  it('looks again after a turn that found something', async () => {
    const worker = await new HeldWorker(1).atRest();
    worker.wake();
    await worker.underWay();
    await worker.end(1);
    expect(await worker.underWay()).toBe(1);
  });

  it('looks by itself after a while, with one turn', async () => {
    const worker = await new HeldWorker(2).atRest();
    jest.advanceTimersByTime(500);
    expect(await worker.underWay()).toBe(1);
    await worker.end(0);
    jest.advanceTimersByTime(499);
    expect(await worker.underWay()).toBe(0);
    jest.advanceTimersByTime(1);
    expect(await worker.underWay()).toBe(1);
  });

  it('begins no turn while it has to hold, and looks again by itself', async () => {
    const worker = await new HeldWorker(2).atRest();
    let mustHold = true;
    worker.holdWhile(() => mustHold);
    worker.wake();
    expect(await worker.underWay()).toBe(0);
    mustHold = false;
    jest.advanceTimersByTime(500);
    expect(await worker.underWay()).toBe(1);
  });

  it('takes nothing more in hand once it is told so, and ends what it has', async () => {
    const worker = await new HeldWorker(2).atRest();
    worker.wake();
    worker.beside();
    expect(await worker.underWay()).toBe(2);
    worker.stopTaking();
    await worker.end(1);
    worker.wake();
    jest.advanceTimersByTime(500);
    expect(await worker.underWay()).toBe(1);
    const ended = worker.beforeApplicationShutdown();
    await worker.end(1);
    await ended;
  });

  it('ends at once when it has nothing in hand', async () => {
    const worker = await new HeldWorker(2).atRest();
    await worker.beforeApplicationShutdown();
    worker.wake();
    expect(await worker.underWay()).toBe(0);
  });
});
