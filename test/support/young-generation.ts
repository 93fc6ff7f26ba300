import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics } from 'node:v8';
import { giveBackStartingMemory } from '../../src/memory';

/*
 * A process of its own that starts with much, as the service does, and gives back what it needed for that: prints the bytes of
 * its young generation before and after.
 */

const COUNT = 1_000_000;

function youngGeneration(): number {
  return (
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.physical_space_size ?? 0
  );
}

async function main(): Promise<void> {
  const held = Array.from({ length: COUNT }, (_, index) => ({ index, text: `${index}` }));
  const before = youngGeneration();
  giveBackStartingMemory();
  // Whoever started it ends it when that does not come.
  while (youngGeneration() > before / 8) await sleep(5);
  process.stdout.write(`${JSON.stringify({ before, after: youngGeneration(), held: held.length })}\n`);
}

void main();
