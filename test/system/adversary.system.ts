import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Random } from '../support/random';
import { TEST_SERVER } from '../support/postgres-server';
import { FULL_DISK, FullDisk } from './adversary/full-disk';
import { describedRequests, mutatedBodies } from './adversary/fuzz';
import { halfSent } from './adversary/half-sent';
import { largeLists } from './adversary/large-lists';
import { poison } from './adversary/poison';
import { checksAndPreviews, floodOfKeys, manyRules, spellingsOfZones } from './adversary/rules-and-keys';
import { sumsAndDates } from './adversary/sums-and-dates';
import { Target } from './adversary/target';
import { Watch } from './adversary/watch';

const LONG = process.env['ADVERSARY_LONG'] === '1';
const SEED = Number(process.env['ADVERSARY_SEED'] ?? 20261123);
const LIMIT_MS = 240_000;
const LIMIT_LONG_MS = 1_800_000;

/** What is done to the service. @returns what was wrong with its answers */
type Attack = (target: Target) => Promise<string[]>;

/** The table: each on a service of its own. */
const ATTACKS: readonly (readonly [name: string, attack: Attack])[] = [
  ['mutated signed bodies', (target) => mutatedBodies(target, LONG ? 20_000 : 2_000, new Random(SEED))],
  [
    'requests made of the description',
    (target) => describedRequests(target, LONG ? 14_000 : 1_400, new Random(SEED)),
  ],
  ['poison texts', (target) => poison(target, LONG ? 1_000 : 60, new Random(SEED))],
  ['lists of thousands', (target) => largeLists(target, LONG ? 60 : 24)],
  ['bodies half sent', (target) => halfSent(target, LONG ? [48, 200] : [64], LONG ? 10_000 : 500)],
  ['many rules', (target) => manyRules(target, 150)],
  ['documents and previews', (target) => checksAndPreviews(target, LONG ? 4 : 1)],
  ['time zones in every spelling', (target) => spellingsOfZones(target, 120)],
  ['a flood of wrong keys', (target) => floodOfKeys(target, LONG ? 20_000 : 2_000)],
  ['extreme sums and days', (target) => sumsAndDates(target, LONG ? 11 : 2)],
];

describe(`hostile input, on ${TEST_SERVER ? 'PostgreSQL' : 'the embedded database'}, seed ${SEED}`, () => {
  it.each(ATTACKS)(
    'leaves the service alive and the others served: %s',
    async (name, attack) => {
      const target = await Target.start();
      try {
        const watch = await Watch.start(target);
        const harm = await watch.during(() => attack(target), LONG ? LIMIT_LONG_MS : LIMIT_MS);
        watch.stop();
        process.stdout.write(`${name}: ${watch.summary}\n`);
        expect(harm).toEqual([]);
        expect(await target.stop()).toBe(0);
      } finally {
        await target.remove();
      }
    },
    LIMIT_LONG_MS + LIMIT_MS,
  );

  // A PostgreSQL of one's own has its own disk.
  if (!TEST_SERVER)
    it('a full disk loses nothing and hangs nobody: the disk of the embedded database', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'ponte-room-'));
      const roomFile = join(folder, 'room');
      const target = await Target.start({ ADVERSARY_ROOM: roomFile }, FULL_DISK);
      try {
        const disk = new FullDisk(target, roomFile);
        const harm = [...(await disk.before(20)), ...(await disk.low()), ...(await disk.full())];
        harm.push(...(await disk.ends()), ...(await disk.after()));
        expect(harm).toEqual([]);
      } finally {
        await target.remove();
        rmSync(folder, { recursive: true });
      }
    });
});
