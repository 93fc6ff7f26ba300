import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
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

  it('makes the young generation small again, and the process goes on and ends', async () => {
    const entry = join(__dirname, '../test/support/young-generation.ts');
    const run = join(__dirname, '../scripts/run-ts.cjs');
    const options = ['--max-semi-space-size=16', run, entry];
    const { stdout } = await promisify(execFile)(process.execPath, options, { timeout: 120_000 });
    const { before, after } = JSON.parse(stdout) as { before: number; after: number };
    expect([before > 4 * SMALL, after < SMALL]).toEqual([true, true]);
  });

  it('does not leave collecting to whoever asks for it', () => {
    giveBackStartingMemory();
    expect(runInNewContext('typeof gc')).toBe('undefined');
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
