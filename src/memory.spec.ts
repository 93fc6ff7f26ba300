import { getHeapSpaceStatistics } from 'node:v8';
import { until } from '../test/support/until';
import { giveBackStartingMemory } from './memory';

const COUNT = 300_000;
/** Bytes. */
const SMALL = 4 * 1024 * 1024;

describe('giveBackStartingMemory', () => {
  it('leaves nothing behind of what is not used any more', () => {
    const before = heapUsed();
    const held = heapUsedWithMuch() - before;
    giveBackStartingMemory();
    expect(heapUsed() - before).toBeLessThan(held / 4);
  });

  it('makes the young generation small again, and the process goes on', async () => {
    heapUsedWithMuch();
    expect(youngGeneration()).toBeGreaterThan(SMALL);
    giveBackStartingMemory();
    await until(() => youngGeneration() <= SMALL);
  });

  it('does not leave collecting to whoever asks for it', () => {
    giveBackStartingMemory();
    expect(globalThis.gc).toBeUndefined();
  });
});

/** In a function of its own: what it holds is garbage when it has returned. */
function heapUsedWithMuch(): number {
  const much = Array.from({ length: COUNT }, (_, index) => ({ index }));
  const used = heapUsed();
  expect(much).toHaveLength(COUNT);
  return used;
}

function heapUsed(): number {
  return process.memoryUsage().heapUsed;
}

function youngGeneration(): number {
  return (
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.physical_space_size ?? 0
  );
}
