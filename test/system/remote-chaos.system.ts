import { join } from 'node:path';
import { requireTestServer } from '../support/postgres-server';
import { BrokenBuild } from './remote-chaos/broken-build';
import { RemoteChaos, type ChaosPlan, type ChaosResult } from './remote-chaos/remote-chaos';
import { CLEAN } from './remote-chaos/verdict';
import { FAULT_KINDS, onlyWith, weatherOf } from './remote-chaos/weathers';

const MAIN = join(__dirname, '../../dist/src/main.js');
/** One seed by hand, or the same seeds every time. */
const ONE_SEED = process.env['CHAOS_REMOTE_SEED'];
/** No more than every kind of fault, some kills and some orders that wait for a person need to occur. */
const IS_SHORT = process.env['CHAOS_REMOTE_SHORT'] !== undefined;
const SEEDS = ONE_SEED === undefined ? numbers(1, IS_SHORT ? 40 : 200) : [Number(ONE_SEED)];
const ORDERS = Number(process.env['CHAOS_REMOTE_ORDERS'] ?? 5 * SEEDS.length);
/** How likely a replica is killed during a seed. */
const KILL_SHARE = ONE_SEED !== undefined ? 1 : IS_SHORT ? 0.5 : 0.2;
const LIMIT_MS = 1_200_000;

function numbers(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index);
}

function summaryOf({ orders, testimony, kills, verdict, parked }: ChaosResult): string {
  const { report } = testimony;
  const faults = Object.values(report.faults).reduce((sum, count) => sum + count, 0);
  const effects = Object.values(report.effects).reduce((sum, { count }) => sum + count, 0);
  return (
    `seeds ${SEEDS[0]} to ${SEEDS.at(-1)}: ${orders} orders, ${effects} effects, ${faults} faults injected, ` +
    `${kills} kills, lost ${verdict.lost.length}, duplicated ${verdict.duplicated.length}, parked ${parked}\n`
  );
}

requireTestServer();

// In one block: Jest runs beside each other only what stands in the same.
describe('before a finance service that fails in every way', () => {
  it.concurrent(
    `two replicas make every effect of ${ORDERS} orders once, or say truly that they cannot know`,
    async () => {
      const result = await RemoteChaos.run({
        main: MAIN,
        seeds: SEEDS,
        ordersOfASeed: Math.ceil(ORDERS / SEEDS.length),
        killShare: KILL_SHARE,
        weatherOf,
      });
      process.stdout.write(summaryOf(result));
      expect(result.verdict).toEqual(CLEAN);
      if (ONE_SEED !== undefined) return;
      // What did not happen was not tested.
      expect(Object.keys(result.testimony.report.faults).toSorted()).toEqual(FAULT_KINDS.toSorted());
      expect(result.kills).toBeGreaterThan(10);
      expect(result.parked).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );

  // A test that cannot fail proves nothing: the same run has to find what is wrong with these.
  const plan = { seeds: numbers(1, 6), ordersOfASeed: 5, killShare: 0 };

  async function broken(build: BrokenBuild, weather: ChaosPlan['weatherOf']): Promise<ChaosResult> {
    try {
      return await RemoteChaos.run({ ...plan, main: build.main, weatherOf: weather });
    } finally {
      build.remove();
    }
  }

  it.concurrent(
    'a build that is broken on purpose is found out when it repeats blindly what was not answered in time',
    async () => {
      const build = BrokenBuild.make({
        file: 'finance/remote/client/outcomes.js',
        find: `matches: unanswered('PONTE_HEADERS_TIMEOUT', 'PONTE_TOTAL_TIMEOUT', 'ETIMEDOUT'),
        write: 'unknown'`,
        replace: `matches: unanswered('PONTE_HEADERS_TIMEOUT', 'PONTE_TOTAL_TIMEOUT', 'ETIMEDOUT'),
        write: 'not-sent'`,
      });
      const late = { kind: 'late-answer', afterMs: 1_000 } as const;
      const { verdict } = await broken(build, (seed) => onlyWith(seed, 0.3, late));
      expect(verdict.duplicated).not.toEqual([]);
    },
    LIMIT_MS,
  );

  it.concurrent(
    'a build that is broken on purpose is found out when it writes the outcome before the call',
    async () => {
      const build = BrokenBuild.make({
        file: 'finance/remote/calls/calls.js',
        find: `const sinceIntent = this.clock.stopwatch();
        const asked = await this.ask(connection, wanted);
        if ('state' in asked) return asked;`,
        replace: `const sinceIntent = this.clock.stopwatch();
        const asked = await this.ask(connection, wanted);
        if ('state' in asked) return asked;
        if (asked.content.operation === 'receipts.registerForSchedule') {
            const assumed = { kind: 'succeeded', status: 204, value: null };
            await this.persistently(()=>this.settle(connection, asked, assumed));
            await this.send(turn, connection, asked, sinceIntent);
            return { sending: asked, outcome: assumed };
        }`,
      });
      const broken500 = { kind: 'error-500', applied: false } as const;
      const { verdict } = await broken(build, (seed) => onlyWith(seed, 0.3, broken500));
      expect(verdict.lost).not.toEqual([]);
    },
    LIMIT_MS,
  );
});
