import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from './worker';

/** Finds something to do so many times, and notes how many turns were under way at once. */
class CountingWorker extends Worker {
  protected override readonly fullTurn = 10;
  underWay = 0;
  most = 0;
  taken = 0;

  constructor(
    private left: number,
    protected override readonly turnsBeside: number,
    private readonly found = 10,
  ) {
    super();
  }

  protected override async turn(): Promise<number> {
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    const worked = this.left > 0 ? this.found : 0;
    this.left -= 1;
    for (let wait = 0; wait < 5; wait += 1) await nextTurn();
    this.underWay -= 1;
    this.taken += worked;
    if (this.taken === 3 * this.found) throw new Error('once in a while');
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
    expect(await most(new CountingWorker(10, 0))).toBe(1);
  });

  it('takes another beside one as long as turns are full, whatever fails meanwhile', async () => {
    const worker = new CountingWorker(20, 1);
    expect(await most(worker)).toBe(2);
    expect(worker.taken).toBe(200);
  });

  it('takes none beside one that was not full', async () => {
    expect(await most(new CountingWorker(10, 1, 9))).toBe(1);
  });

  it('is not done before what is under way has ended', async () => {
    const worker = new CountingWorker(Infinity, 1);
    worker.start();
    while (worker.underWay < 2) await nextTurn();
    await worker.beforeApplicationShutdown();
    expect(worker.underWay).toBe(0);
    const { taken } = worker;
    for (let wait = 0; wait < 20; wait += 1) await nextTurn();
    expect(worker.taken).toBe(taken);
  });
});
