import { KeyedMutex } from './keyed-mutex';

const LONG_MS = 60_000;

interface Held {
  readonly work: () => Promise<void>;
  readonly begun: Promise<void>;
  letGo(): void;
}

/** Work that says when it begins and ends when the test says so. */
function held(done: () => void = () => undefined): Held {
  let begin = (): void => undefined;
  let letGo = (): void => undefined;
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const end = new Promise<void>((resolve) => (letGo = resolve));
  return {
    work: async () => {
      begin();
      await end;
      done();
    },
    begun,
    letGo: () => letGo(),
  };
}

describe('work of one name', () => {
  it('is done in the order of asking, one after another, whatever becomes of it', async () => {
    const lanes = new KeyedMutex();
    const order: string[] = [];
    const first = held(() => order.push('first'));
    const all = [
      lanes.run('a', LONG_MS, first.work),
      lanes.run('a', LONG_MS, () => Promise.reject(new Error('broke'))).catch(() => order.push('second')),
      lanes.run('a', LONG_MS, async () => void order.push('third')),
    ];
    await first.begun;
    await lanes.run('b', LONG_MS, async () => void order.push('another'));
    first.letGo();
    await Promise.all(all);
    expect(order).toEqual(['another', 'first', 'second', 'third']);
  });

  it('runs without the lock when it has waited as long as it may, and those after it still wait', async () => {
    const lanes = new KeyedMutex();
    const order: string[] = [];
    const first = held(() => order.push('first'));
    const running = lanes.run('a', LONG_MS, first.work);
    await first.begun;
    await lanes.run('a', 1, async () => void order.push('impatient'));
    const last = lanes.run('a', LONG_MS, async () => void order.push('last'));
    await lanes.run('a', 1, async () => void order.push('impatient, too'));
    first.letGo();
    await Promise.all([running, last]);
    expect(order).toEqual(['impatient', 'impatient, too', 'first', 'last']);
  });
});
