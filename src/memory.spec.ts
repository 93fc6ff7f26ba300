import { giveBackStartingMemory } from './memory';

const COUNT = 300_000;

describe('giveBackStartingMemory', () => {
  it('leaves nothing behind of what is not used any more', () => {
    const before = heapUsed();
    const held = heapUsedWithMuch() - before;
    giveBackStartingMemory();
    expect(heapUsed() - before).toBeLessThan(held / 4);
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
