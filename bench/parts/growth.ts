import { performance } from 'node:perf_hooks';
import type { BenchContext } from '../context';
import { withClient } from '../frame/postgres-server';
import { median } from '../frame/statistics';
import { drawPattern, patternConfiguration } from '../growth/pattern';
import { GrownPonte } from '../growth/grown-ponte';
import { OPERATIONS } from '../growth/operations';
import { sizesOf } from '../growth/sizes';
import type { Figure, Part, PartResult } from '../part';

const SHORT_SIZES = [10_000, 100_000];
const LONG_SIZES = [10_000, 1_000_000, 5_000_000];
const MOST = 1.3;
/**
 * What the finance system changes by itself is polled in the background, all customers one after another: the services
 * of all sizes, which stand side by side, would take the processors from whichever is measured.
 */
const WITHOUT_CHANGE_DETECTION = { WATCH_EVERY: '0' };
/** Requests of one operation, in one round, at one size. */
const REQUESTS = { short: 20, long: 40 };

/**
 * The same work on databases of several sizes, each with a service of its own. Every operation is measured at all
 * sizes right after each other, round by round, so that whatever else the machine does hits all alike.
 */
export const part: Part = {
  name: 'growth',
  title: 'The same on larger tables',
  order: 50,
  goals: [
    ...['accept', 'whole way', ...OPERATIONS.filter(({ bounded }) => bounded).map(({ name }) => name)].map(
      (name) => ({ figure: `${name}, times the smallest`, atMost: MOST }),
    ),
  ],
  run,
};

async function run(context: BenchContext): Promise<PartResult> {
  const configuration = patternConfiguration();
  const grown: GrownPonte[] = [];
  try {
    const pattern = await context.freshDatabase();
    const settings = { CONFIG_DIR: configuration.folder, ...WITHOUT_CHANGE_DETECTION };
    const service = await context.startService(pattern, { settings });
    const deliveries = await withClient(pattern.url, (client) => drawPattern(service, client));
    await service.stop();
    for (const size of context.short ? SHORT_SIZES : LONG_SIZES) {
      const copies = Math.max(1, Math.round(size / deliveries));
      const started = performance.now();
      const say = (line: string): void => context.say(`${size} deliveries: ${line}`);
      grown.push(
        await GrownPonte.grow(context, { ...pattern, settings, copies, size: copies * deliveries, say }),
      );
      say(`made in ${Math.round((performance.now() - started) / 1000)} s`);
    }
    await measureAll(context, grown);
    return await report(grown);
  } finally {
    for (const one of grown) await one.drop();
    configuration.remove();
  }
}

/**
 * The first round is for caches and compilers. Each begins with a checkpoint, so that what was written when the tables were
 * made is not written out while they are measured.
 */
async function measureAll(context: BenchContext, grown: readonly GrownPonte[]): Promise<void> {
  const orders = context.short ? 300 : 2_000;
  const requests = context.short ? REQUESTS.short : REQUESTS.long;
  for (let round = 0; round <= context.rounds; round += 1) {
    await context.postgres.checkpoint();
    // Forwards and backwards alternate, so that no size always follows the same one.
    const alternating = round % 2 === 0 ? grown : [...grown].reverse();
    for (const operation of OPERATIONS) for (const one of alternating) await one.measure(operation, requests);
    for (const one of alternating) await one.measureAccept(orders);
    for (const one of alternating) await one.measureWholeWay(orders);
    if (round === 0) for (const one of grown) one.forget();
    context.say(`round ${round} of ${context.rounds}`);
  }
}

async function report(grown: readonly GrownPonte[]): Promise<PartResult> {
  const [smallest] = grown;
  if (!smallest) throw new Error('there is no size to report');
  const names = ['accept', 'whole way', ...OPERATIONS.map(({ name }) => name)];
  const worst = (name: string): number => {
    const base = median(smallest.times(name));
    return Math.max(...grown.slice(1).map((one) => median(one.times(name)) / base));
  };
  const figures: Figure[] = names.map((name) => ({
    name: `${name}, times the smallest`,
    value: worst(name),
    unit: '×',
  }));
  const rows = names.map((name) => [
    name,
    ...grown.map((one) => Number(median(one.times(name)).toPrecision(3))),
    Number(worst(name).toFixed(2)),
  ]);
  const columns = ['milliseconds', ...grown.map(({ size }) => String(size)), 'worst ratio'];
  return {
    figures,
    tables: [
      {
        title: 'Medians by the number of stored deliveries (accept and whole way: of an order)',
        columns,
        rows,
      },
      ...(await sizesOf(grown)),
    ],
    notes: [
      'Change detection is off (`WATCH_EVERY=0`).',
      ...OPERATIONS.flatMap(({ name, bounded, why }) =>
        bounded ? [] : [`${name}: ${why ?? 'is not held to the goal'}.`],
      ),
    ],
  };
}
