/**
 * How Ponte works before a finance service that is slow, and one that is down: the built service in a process of its
 * own. `npm run bench:remote`; needs a PostgreSQL server, `TEST_DATABASE_URL` or `DATABASE_URL`, on which it makes
 * databases of its own and drops them at the end. See docs/performance/2026-11-remote-finance.md for how to read it. Takes some five minutes.
 *
 * Ends with code 1 when a goal is missed.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { SERVER } from './measured-books';
import { callsASecond, idleShare, MeasuredFinance } from './measured-finance';
import { MeasuredPonte } from './measured-ponte';

const SLOW_MS = 300;
const MOST_IDLE = 0.1;
const SETTLED_AFTER_MS = 1_000;

const WARM_UP = 20;
const MOST_MEBIBYTES = 150;
const QUIET_SECONDS = 5;

/** Orders between two samples of the memory. */
const SOME = 500;

const PACE = 40;
const DRAIN_SECONDS = 30;
/** Of the rate limit, in any one second: a tenth may be granted ahead, and what a busy machine delays comes a moment later. */
const TOLERANCE = 1.15;
/** Of the rate limit, on average, once the backlog drains. */
const LEAST_USED = 0.7;

interface Row {
  what: string;
  measured: string;
  goal: string;
  met: boolean;
}

/** Whether the slots to a slow service are used while there is work. */
async function measureIdle(atOnce: number, orders: number): Promise<Row[]> {
  const finance = await MeasuredFinance.start(() => SLOW_MS);
  const ponte = await MeasuredPonte.start(finance.url());
  try {
    await ponte.connect({ perSecond: 10_000, atOnce });
    await ponte.takeOrders(orders);
    const from = performance.now() + SETTLED_AFTER_MS;
    const before = ponte.processor;
    await ponte.settled();
    const after = ponte.processor;
    // As long as more orders are left than calls may be made at once; each ends with its receipt.
    const to = finance.receipts.map(({ end = 0 }) => end).sort((left, right) => left - right)[
      orders - atOnce - 1
    ];
    if (to === undefined || to <= from) throw new Error('there are too few orders to measure anything');
    const idle = idleShare(finance.calls, atOnce, from, to);
    const seconds = Math.round((to - from) / 1000);
    const row = {
      what: `idle time of ${atOnce} slots, ${orders} orders, ${seconds} s`,
      measured: `${(idle * 100).toFixed(1)} %`,
      goal: `at most ${MOST_IDLE * 100} %`,
      met: idle <= MOST_IDLE,
    };
    return [row, processorRow(`the ${atOnce} slots`, before, after)];
  } finally {
    await ponte.stop();
    await finance.stop();
  }
}

/** What lanes that wait for a service cost, and how they drain when it is back. */
async function measureOutage(lanes: number): Promise<Row[]> {
  const finance = await MeasuredFinance.start(() => 0);
  const ponte = await MeasuredPonte.start(finance.url());
  try {
    await ponte.connect({ perSecond: 1_000, atOnce: 16 });
    await ponte.takeOrders(WARM_UP);
    await ponte.settled();
    await ponte.connect({ perSecond: PACE, atOnce: 16 });
    const before = ponte.residentMemory;
    const port = await finance.close();
    const memory: number[] = [];
    for (let left = lanes; left > 0; left -= SOME) {
      await ponte.takeOrders(Math.min(SOME, left));
      memory.push(ponte.residentMemory);
    }
    for (let second = 0; second < QUIET_SECONDS; second += 1) {
      await sleep(1_000);
      memory.push(ponte.residentMemory);
    }
    const grown = Math.max(...memory) - before;
    const ready = await ponte.ready();
    finance.calls = [];
    await finance.open(port);
    return [
      {
        what: `memory of ${lanes} waiting lanes`,
        measured: `${before.toFixed(0)} + ${grown.toFixed(0)} MiB`,
        goal: `less than ${MOST_MEBIBYTES} MiB more`,
        met: grown < MOST_MEBIBYTES,
      },
      {
        what: '/health/ready meanwhile',
        measured: ready,
        goal: '200 degraded',
        met: ready === '200 degraded',
      },
      ...(await measureDrain(finance, ponte)),
    ];
  } finally {
    await ponte.stop();
    await finance.stop();
  }
}

async function measureDrain(finance: MeasuredFinance, ponte: MeasuredPonte): Promise<Row[]> {
  // One call tries the service; the others begin when it has been answered.
  while (finance.calls.length < 2) await sleep(50);
  const before = ponte.processor;
  await sleep((DRAIN_SECONDS + 1) * 1000);
  const after = ponte.processor;
  const counts = callsASecond(finance.calls, finance.calls[1]?.begin ?? 0, DRAIN_SECONDS);
  process.stdout.write(`calls in each second after the service is back: ${counts.join(' ')}\n\n`);
  const most = Math.max(...counts);
  const average = counts.reduce((sum, count) => sum + count, 0) / DRAIN_SECONDS;
  return [
    {
      what: 'most calls in a second of the drain',
      measured: String(most),
      goal: `at most ${PACE * TOLERANCE}`,
      met: most <= PACE * TOLERANCE,
    },
    {
      what: `calls a second over ${DRAIN_SECONDS} s of it`,
      measured: average.toFixed(1),
      goal: `at least ${PACE * LEAST_USED} of ${PACE}`,
      met: average >= PACE * LEAST_USED,
    },
    processorRow('the drain', before, after),
  ];
}

type Processor = MeasuredPonte['processor'];

/** Ponte on a machine that has other things to do is no measure of Ponte. */
function processorRow(meanwhile: string, before: Processor, after: Processor): Row {
  const [worked, waited] = [after.worked - before.worked, after.waited - before.waited];
  return {
    what: `Ponte's main thread during ${meanwhile}`,
    measured: `worked ${(worked / 1000).toFixed(1)} s, waited for a processor ${(waited / 1000).toFixed(1)} s`,
    goal: 'to judge by',
    met: true,
  };
}

function report(rows: readonly Row[]): void {
  const lines = rows.map(
    ({ what, measured, goal, met }) => `| ${what} | ${measured} | ${goal} | ${met ? 'yes' : 'NO'} |`,
  );
  process.stdout.write(
    ['| what | measured | goal | met |', '| --- | --- | --- | --- |', ...lines, ''].join('\n'),
  );
  if (!rows.every(({ met }) => met)) process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { lanes: { type: 'string', default: '10000' }, only: { type: 'string' } },
  });
  if (SERVER === undefined)
    throw new Error('TEST_DATABASE_URL or DATABASE_URL must name a PostgreSQL server');
  const parts: [string, () => Promise<Row[]>][] = [
    ['4', () => measureIdle(4, 240)],
    ['16', () => measureIdle(16, 400)],
    ['outage', () => measureOutage(Number(values.lanes))],
  ];
  const rows: Row[] = [];
  for (const [name, measure] of parts) {
    if (values.only === undefined || values.only === name) rows.push(...(await measure()));
  }
  report(rows);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
