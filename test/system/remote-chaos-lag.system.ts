import { join } from 'node:path';
import type { Lag } from '../faulty-finance/lag';
import { requireTestServer } from '../support/postgres-server';
import { BrokenBuild, type Damage } from './remote-chaos/broken-build';
import { RemoteChaos, type ChaosPlan, type ChaosResult } from './remote-chaos/remote-chaos';
import { CLEAN } from './remote-chaos/verdict';
import { onlyWith, SETTLE_MS, weatherOf } from './remote-chaos/weathers';

const MAIN = join(__dirname, '../../dist/src/main.js');
/** By hand: every case, with more orders. */
const IS_LONG = process.env['CHAOS_REMOTE_LAG'] !== undefined;
const ORDERS = Number(process.env['CHAOS_REMOTE_ORDERS'] ?? (IS_LONG ? 100 : 20));
const ORDERS_OF_A_SEED = 10;
/** Where nothing goes wrong no answer is too late, however busy the machine is. */
const PATIENT = { connectMs: 30_000, headersMs: 30_000, totalMs: 30_000 };
const LIMIT_MS = 1_200_000;
const MINUTE_MS = 60_000;

interface Trial {
  lag: Lag;
  weatherOf: ChaosPlan['weatherOf'];
  clocksApartMs?: number;
}

interface Case extends Trial {
  name: string;
}

const calm: ChaosPlan['weatherOf'] = () => undefined;
/** Effects after Ponte has stopped waiting for the answer, and before the service has settled. */
const late: ChaosPlan['weatherOf'] = (seed) => onlyWith(seed, 0.4, { kind: 'late-effect', afterMs: 1_000 });

const LAGGING: Case = { name: 'lag by 1 s', lag: { ms: 1_000, kind: 'exact' }, weatherOf: calm };
const CLOCKS_APART: Case = {
  name: 'do not lag, with late effects and clocks a minute apart',
  lag: { ms: 0, kind: 'exact' },
  weatherOf: late,
  clocksApartMs: MINUTE_MS,
};
const SHORT: Case[] = [
  LAGGING,
  { name: 'lag by up to 1 s, with faults', lag: { ms: 1_000, kind: 'random' }, weatherOf },
  CLOCKS_APART,
];
const LONG: Case[] = [1_000, 3_000].flatMap((ms) =>
  (['exact', 'random'] as const).flatMap((kind) => [
    { name: `lag by ${ms} ms, ${kind}`, lag: { ms, kind }, weatherOf: calm },
    { name: `lag by ${ms} ms, ${kind}, with faults`, lag: { ms, kind }, weatherOf },
  ]),
);

function run(
  { lag, clocksApartMs, weatherOf: weather }: Trial,
  main: string,
  orders: number,
): Promise<ChaosResult> {
  const seeds = Array.from({ length: Math.ceil(orders / ORDERS_OF_A_SEED) }, (_, index) => index + 1);
  return RemoteChaos.run({
    main,
    seeds,
    ordersOfASeed: Math.ceil(orders / seeds.length),
    killShare: 0,
    lag,
    settleMs: SETTLE_MS + lag.ms,
    paymentsOfAnOrder: 2,
    weatherOf: weather,
    ...(weather === calm && { timeouts: PATIENT }),
    ...(clocksApartMs !== undefined && { clocksApartMs }),
  });
}

requireTestServer();

// Two payments an order: the second is received while the listing still shows what was open before the first.
// In one block: Jest runs beside each other only what stands in the same.
describe('before a finance service whose listings may lag', () => {
  it.concurrent.each(IS_LONG ? [...LONG, CLOCKS_APART] : SHORT)(
    'two replicas before listings that $name: every receipt once, never more than is open',
    async ({ name, ...plan }) => {
      const { verdict, orders, parked, testimony } = await run(plan, MAIN, ORDERS);
      const faults = Object.values(testimony.report.faults).reduce((sum, count) => sum + count, 0);
      process.stdout.write(
        `${name}: ${orders} orders, ${faults} faults, lost ${verdict.lost.length}, ` +
          `twice ${verdict.duplicated.length}, wrong ${verdict.wrong.length}, parked ${parked}\n`,
      );
      expect(verdict).toEqual(CLEAN);
      if (plan.weatherOf === calm) expect(parked).toBe(0);
    },
    LIMIT_MS,
  );

  // A test that cannot fail proves nothing: the same run has to find what is wrong with this.
  async function broken({ name: _name, ...trial }: Case, damage: Damage): Promise<ChaosResult['verdict']> {
    const build = BrokenBuild.make(damage);
    try {
      return (await run(trial, build.main, ORDERS_OF_A_SEED)).verdict;
    } finally {
      build.remove();
    }
  }

  it.concurrent(
    'a build that is broken on purpose is found out when it believes a listing that lags',
    async () => {
      const { wrong } = await broken(LAGGING, {
        file: 'finance/remote/calls/own-receipts.js',
        find: 'if (!first) return open(listedMinor);',
        replace: 'return open(listedMinor);',
      });
      expect(wrong).not.toEqual([]);
    },
    LIMIT_MS,
  );
});
