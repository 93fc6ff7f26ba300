import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../context';
import type { MeasuredService } from '../frame/measured-service';
import { SECRET } from '../frame/measured-service';
import { withClient } from '../frame/postgres-server';
import { GENERATOR, ProcessWatch } from '../frame/processes';
import { median, percentile } from '../frame/statistics';
import { startRefusingFastify } from '../limits/fastify';
import { flood, type FloodResult } from '../load/flood';
import { HttpConnection } from '../load/http-connection';
import { persistentLoop, rateOf } from '../load/loops';
import { PaidOrders } from '../load/paid-orders';
import type { Part, PartResult } from '../part';

const TIMES = 5;
/** As many as make the largest batches; with fewer it takes less, because they wait while orders are booked. */
const CLIENTS = 256;
/** Enough that answers within 50 ms never make the load wait for a connection. */
const CONNECTIONS = 2_000;
const ORDERS = { secret: SECRET, organization: 'main', topic: 'orders/paid', instalments: 3 } as const;
const PROBE_EVERY_MS = 100;
/** So many good answers in a row are normal: one second of them. */
const NORMAL_ROW = 10;
const NORMAL_MS = 50;
const MOST_RECOVERY_S = 60;

/**
 * Five times the load that can be taken, on as many connections as it needs, for some seconds; then what becomes of
 * it. What it can take is measured just before, on the same database, while the worker books what arrives.
 */
export const part: Part = {
  name: 'overload',
  title: 'Five times the load it can take',
  order: 70,
  goals: [
    { figure: 'accepted at 5 times the load, of the best', atLeast: 0.9 },
    { figure: 'to 503, p99', atMost: 50 },
    { figure: '503 without Retry-After', atMost: 0 },
    { figure: 'peak memory', atMost: 300 },
    { figure: 'acknowledged and lost', atMost: 0 },
    { figure: 'answers other than 200 and 503', atMost: 0 },
    { figure: 'until answers are normal', atMost: 5 },
  ],
  run,
};

async function run(context: BenchContext): Promise<PartResult> {
  const place = await context.freshDatabase();
  const ponte = await context.startService(place);
  const orders = new PaidOrders(ponte.url, ORDERS);
  const best = await bestRate(context, ponte, orders);
  context.say(`best: ${best.toFixed(0)}/s`);
  const watch = ProcessWatch.start([
    ponte.watched,
    GENERATOR,
    ...(context.postgres.watched ? [context.postgres.watched] : []),
  ]);
  const seconds = context.short ? 8 : 30;
  const probes = new Probes(ponte.url);
  const load = await flood({
    url: ponte.url,
    perSecond: best * TIMES,
    seconds,
    connections: CONNECTIONS,
    orders,
  });
  const probed = await probes.end();
  const ended = performance.now();
  const normalAfter = await untilNormal(ponte, orders);
  // On a busy machine that may take minutes, and nothing is judged by it.
  if (!context.short) await ponte.settled();
  const drained = context.short ? NaN : (performance.now() - ended) / 1000;
  const processes = watch.stop();
  const lost = await lostOf(place.url, load.acknowledged);
  await ponte.stop();
  const bare = await refusedByFastify(best * TIMES, context.short ? 4 : 10);
  const peak = processes[0]?.peakMegabytes ?? NaN;
  return {
    figures: [...figuresOf(best, load, { lost, normalAfter, drained, peak, probed }), ...figuresOfBare(bare)],
    processes,
    tables: [secondsOf(load)],
    notes: notesOf(load),
  };
}

/** Closed loops after a warm-up, while the worker books what came before; webhooks a second. */
async function bestRate(context: BenchContext, ponte: MeasuredService, orders: PaidOrders): Promise<number> {
  const rates: number[] = [];
  for (let round = 0; round <= context.rounds; round += 1) {
    const traffic = await persistentLoop({
      url: ponte.url,
      connections: CLIENTS,
      seconds: context.short ? 2 : 5,
      next: () => orders.next().request,
    });
    if (round > 0) rates.push(rateOf(traffic));
  }
  return median(rates);
}

/** Asks for `/health/live` every now and then, as an orchestrator does: each time on a connection of its own. */
class Probes {
  private ended = false;
  private readonly took: number[] = [];
  private readonly running: Promise<void>;

  constructor(url: string) {
    this.running = this.run(`${url}/health/live`);
    // What goes wrong is reported where it ends.
    this.running.catch(() => undefined);
  }

  /** @returns milliseconds that each took, the one under way included */
  async end(): Promise<readonly number[]> {
    this.ended = true;
    await this.running;
    return this.took;
  }

  private async run(url: string): Promise<void> {
    while (!this.ended) {
      const asked = performance.now();
      const reply = await fetch(url, { headers: { connection: 'close' } });
      await reply.arrayBuffer();
      if (!reply.ok) throw new Error(`a health probe was answered ${reply.status}`);
      this.took.push(performance.now() - asked);
      await sleep(PROBE_EVERY_MS);
    }
  }
}

/** @returns seconds until every answer within a second was good and fast; infinite when that took too long */
async function untilNormal(ponte: MeasuredService, orders: PaidOrders): Promise<number> {
  const connection = new HttpConnection(ponte.url);
  const started = performance.now();
  let good = 0;
  try {
    while (performance.now() - started < MOST_RECOVERY_S * 1000) {
      const sent = performance.now();
      const { status, milliseconds } = await connection.ask(orders.next().request);
      good = status === 200 && milliseconds <= NORMAL_MS ? good + 1 : 0;
      // The second that proves it is not part of the time it took.
      if (good === NORMAL_ROW)
        return Math.max(0, performance.now() - started - NORMAL_ROW * PROBE_EVERY_MS) / 1000;
      await sleep(Math.max(0, PROBE_EVERY_MS - (performance.now() - sent)));
    }
  } finally {
    connection.close();
  }
  return Infinity;
}

/** The same load on a server that refuses all of it: what Node's HTTP and this machine allow. */
async function refusedByFastify(perSecond: number, seconds: number): Promise<FloodResult> {
  const server = await startRefusingFastify();
  try {
    const orders = new PaidOrders(server.url, ORDERS);
    return await flood({ url: server.url, perSecond, seconds, connections: CONNECTIONS, orders });
  } finally {
    await server.stop();
  }
}

function figuresOfBare({ refused, seconds }: FloodResult): PartResult['figures'] {
  const name = 'bare Fastify that refuses everything';
  return [
    { name: `${name}: to 503, p50`, value: percentile(refused, 0.5), unit: 'ms' },
    { name: `${name}: to 503, p99`, value: percentile(refused, 0.99), unit: 'ms' },
    { name: `${name}: rate`, value: refused.length / seconds, unit: '/s' },
  ];
}

async function lostOf(databaseUrl: string, acknowledged: readonly string[]): Promise<number> {
  const stored = await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query<{ key: string }>('select dedupe_key as key from delivery');
    return new Set(rows.map(({ key }) => key));
  });
  return acknowledged.filter((key) => !stored.has(key)).length;
}

interface After {
  lost: number;
  normalAfter: number;
  drained: number;
  /** MiB */
  peak: number;
  /** Milliseconds that each health probe took. */
  probed: readonly number[];
}

function figuresOf(best: number, load: FloodResult, after: After): PartResult['figures'] {
  const others = [...load.others.values()].reduce((sum, count) => sum + count, 0);
  const refused = (share: number): number =>
    load.refused.length > 0 ? percentile(load.refused, share) : NaN;
  return [
    { name: `best accept rate, ${CLIENTS} clients`, value: best, unit: '/s' },
    { name: 'really sent', value: load.sentPerSecond, unit: '/s' },
    { name: 'accepted meanwhile', value: load.acceptedPerSecond, unit: '/s' },
    { name: 'accepted at 5 times the load, of the best', value: load.acceptedPerSecond / best, unit: '×' },
    { name: 'refused meanwhile', value: load.refused.length / load.seconds, unit: '/s' },
    { name: 'to 503, p50', value: refused(0.5), unit: 'ms' },
    { name: 'to 503, p99', value: refused(0.99), unit: 'ms' },
    { name: 'to 200, p50', value: percentile(load.accepted, 0.5), unit: 'ms' },
    { name: 'to 200, p99', value: percentile(load.accepted, 0.99), unit: 'ms' },
    { name: '503 without Retry-After', value: load.withoutRetryAfter, unit: '' },
    { name: 'answers other than 200 and 503', value: others, unit: '' },
    { name: 'acknowledged and lost', value: after.lost, unit: '' },
    { name: 'peak memory', value: after.peak, unit: 'MB' },
    { name: 'to /health/live on a new connection, p50', value: percentile(after.probed, 0.5), unit: 'ms' },
    { name: 'to /health/live on a new connection, longest', value: percentile(after.probed, 1), unit: 'ms' },
    { name: 'until answers are normal', value: after.normalAfter, unit: 's' },
    ...(Number.isNaN(after.drained)
      ? []
      : [{ name: 'until the backlog is booked', value: after.drained, unit: 's' }]),
  ];
}

function secondsOf({ bySecond }: FloodResult): NonNullable<PartResult['tables']>[number] {
  return {
    title: 'Five times the load, second by second',
    columns: ['second', 'sent', 'accepted', 'refused'],
    rows: bySecond.map(({ sent, accepted, refused }, second) => [second + 1, sent, accepted, refused]),
  };
}

function notesOf({ notSent, seconds, others }: FloodResult): string[] {
  const notes = [
    'The load is made on the same processors: what it takes is missing to Ponte and to PostgreSQL, and the more, the cheaper a refusal is.',
  ];
  if (notSent > 0)
    notes.push(
      `${Math.round(notSent / seconds)} requests a second could not be sent: all ${CONNECTIONS} connections waited for an answer.`,
    );
  if (others.size > 0)
    notes.push(
      `Other answers: ${[...others].map(([status, count]) => `${count} × ${status === 0 ? 'connection ended' : status}`).join(', ')}.`,
    );
  return notes;
}
