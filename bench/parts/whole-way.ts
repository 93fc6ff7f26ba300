import { performance } from 'node:perf_hooks';
import type { BenchContext } from '../context';
import { contest, type Run } from '../frame/contest';
import type { MeasuredService } from '../frame/measured-service';
import { GENERATOR, ProcessWatch, type Watched } from '../frame/processes';
import { runPgbench } from '../limits/pgbench';
import { EIGHT_ROUND_TRIPS, makeUnitTables, ONE_STATEMENT } from '../limits/unit-of-work';
import { sendAndBook } from '../load/bounded-load';
import { latencyOf } from '../load/loops';
import { orderBody, orderRequests } from '../load/orders';
import type { Part, PartResult } from '../part';
import { contenderTable, medianFigure, rateChart, ratioFigure, totalUse } from '../report/figures';

/*
 * From accepted to booked: customer, three instalments, receipt, ledger entries, effects, runs and feed, in one process
 * that takes in and works at once, and in two that share it. The generator sends as fast as orders are booked; an order
 * counts once it is booked, and the clock runs until nothing is left. Beside it `pgbench` doing the unit of work by hand.
 */

const FEWEST = 300;
const MOST = 60_000;

export const part: Part = {
  name: 'whole-way',
  title: 'Whole way: from the webhook to customer, instalments, receipt and feed, nothing left behind',
  order: 30,
  goals: [
    { figure: 'rate to pgbench in 8 round trips', atLeast: 1 },
    { figure: 'rate to pgbench in 8 round trips', atLeast: 1.8, moonshot: true },
    { figure: 'rate of two processes to pgbench in 8 round trips', atLeast: 1 },
    { figure: "Ponte's processor time of an order", atMost: 350 },
    { figure: "Ponte's processor time of an order", atMost: 200, moonshot: true },
    { figure: "PostgreSQL's processor time of an order", atMost: 320 },
    { figure: "PostgreSQL's processor time of an order", atMost: 200, moonshot: true },
  ],
  run,
};

type Runs = Record<'ponte' | 'two' | 'eight' | 'one', Run[]>;

async function run(context: BenchContext): Promise<PartResult> {
  const seconds = context.short ? 3 : 12;
  const server = context.postgres.watched ? [context.postgres.watched] : [];
  const lengths = { seconds, warmUp: context.short ? 3 : 10 };
  const alone = await context.startService(await context.freshDatabase());
  const [taking, booking] = await startTwo(context);
  const { url } = await context.freshDatabase();
  await makeUnitTables(url);
  let runs = 0;
  const body = orderBody({ number: 1, customer: 1 }).toString();
  const pgbench = (script: string) => (): Promise<Run> => {
    const variables = { body, run: String((runs += 1)), i: '0' };
    return runPgbench({ url, script, variables, seconds, watched: server });
  };
  return report(
    await contest(context, {
      ponte: await bookingRounds([alone], [alone.watched, ...server], lengths),
      two: await bookingRounds([taking, booking], [taking.watched, booking.watched, ...server], lengths),
      eight: pgbench(EIGHT_ROUND_TRIPS),
      one: pgbench(ONE_STATEMENT),
    }),
  );
}

/** @returns one that takes in and one that books, on a database of their own */
async function startTwo(context: BenchContext): Promise<[MeasuredService, MeasuredService]> {
  const place = await context.freshDatabase();
  return [
    await context.startService(place, { name: 'api', settings: { ROLE: 'api' } }),
    await context.startService(place, { name: 'worker', settings: { ROLE: 'worker' } }),
  ];
}

/**
 * Rounds of about so many seconds, each with new orders; how many is learnt from a warm-up, as many seconds at least.
 * By time, because code is compiled for good only when it has run some thousand times.
 * @param services the first of them is sent the orders
 */
export async function bookingRounds(
  services: readonly [MeasuredService, ...MeasuredService[]],
  watched: readonly Watched[],
  { seconds, warmUp }: { seconds: number; warmUp: number },
): Promise<() => Promise<Run>> {
  let sent = 0;
  const round = async (orders: number): Promise<Run> => {
    const requests = orderRequests(services[0].url, sent, orders);
    sent += orders;
    const watch = ProcessWatch.start([...watched, GENERATOR]);
    const { traffic, ...booked } = await sendAndBook(services, requests);
    return {
      perSecond: booked.orders / booked.seconds,
      p50: latencyOf(traffic, 0.5),
      p99: latencyOf(traffic, 0.99),
      count: booked.orders,
      use: watch.stop(),
    };
  };
  const until = performance.now() + warmUp * 1000;
  let { perSecond } = await round(FEWEST);
  while (performance.now() < until) ({ perSecond } = await round(ordersOf(perSecond, 1)));
  const orders = ordersOf(perSecond, seconds);
  return () => round(orders);
}

function ordersOf(perSecond: number, seconds: number): number {
  return Math.min(MOST, Math.max(FEWEST, Math.round(perSecond * seconds)));
}

function report({ ponte, two, eight, one }: Runs): PartResult {
  const rates = (runs: readonly Run[]): number[] => runs.map(({ perSecond }) => perSecond);
  const contenders = [
    { label: 'Ponte', runs: ponte },
    { label: 'Ponte in two processes', runs: two },
    { label: '`pgbench`, 8 round trips', runs: eight },
    { label: '`pgbench`, one statement', runs: one },
  ];
  return {
    figures: [
      medianFigure('booked', '/s', rates(ponte)),
      medianFigure('booked by two processes', '/s', rates(two)),
      medianFigure('pgbench in 8 round trips', '/s', rates(eight)),
      medianFigure('pgbench in one statement', '/s', rates(one)),
      ratioFigure('rate to pgbench in 8 round trips', rates(ponte), rates(eight)),
      ratioFigure('rate of two processes to pgbench in 8 round trips', rates(two), rates(eight)),
      ratioFigure('rate to pgbench in one statement', rates(ponte), rates(one)),
      medianFigure("Ponte's processor time of an order", 'µs', microsOf('ponte', ponte)),
      medianFigure("PostgreSQL's processor time of an order", 'µs', microsOf('PostgreSQL', ponte)),
    ],
    processes: totalUse(ponte),
    tables: [contenderTable('Orders booked, from the webhook to the feed', 'orders', contenders)],
    charts: [rateChart('whole-way', 'Orders booked each second', contenders)],
    notes: [
      'p50 and p99 of Ponte are those of the acknowledgement while orders are booked.',
      'The two processes are one with `ROLE=api` and one with `ROLE=worker`.',
    ],
  };
}

/** What one order of each run cost a process, in microseconds of its processor time; none where it was not watched. */
function microsOf(name: string, runs: readonly Run[]): number[] {
  return runs.flatMap(({ use, count }) =>
    use.filter((one) => one.name === name).map(({ cpuSeconds }) => (cpuSeconds / count) * 1e6),
  );
}
