import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { STRICT, writeConfiguration } from '../../test/system/remote-chaos/companies';
import type { BenchContext } from '../context';
import { type MeasuredService, SECRET } from '../frame/measured-service';
import type { Place } from '../frame/place';
import { withClient } from '../frame/postgres-server';
import { median } from '../frame/statistics';
import { cpuSeconds, GENERATOR, type Watched } from '../frame/processes';
import { persistentLoop } from '../load/loops';
import { PaidOrders } from '../load/paid-orders';
import { MeasuredFinance } from '../measured-finance';
import type { Figure, Part, PartResult } from '../part';

const COUNTS = [1, 2, 4] as const;
const LATENCY_MS = 100;
/**
 * Calls that each replica has on their way at once: so few that the service's time decides and not the processors,
 * which all replicas, the database, the service and the generator share here. The processors' part is measured, too.
 */
const AT_ONCE = 2;
/** Calls a second over all replicas that the connection allows: the cap, which four replicas do not reach. */
const PER_SECOND = 1_000;
const CLIENTS_OF_A_REPLICA = 8;
const POLL_EVERY_MS = 50;

/**
 * One, two and four processes over one database, each taking its share of the orders: before a finance service that
 * takes 100 ms for every call, and on the embedded ledger, where the processors are the limit.
 */
export const part: Part = {
  name: 'replicas',
  title: 'One, two and four replicas over one database',
  order: 60,
  goals: [
    { figure: '2 replicas before a slow service, of linear', atLeast: 0.9 },
    { figure: '4 replicas before a slow service, of linear', atLeast: 0.9 },
    { figure: '2 replicas on the embedded ledger, times 1', atLeast: 0.9 },
    { figure: '4 replicas on the embedded ledger, times 1', atLeast: 0.9 },
  ],
  run,
};

/** What one number of replicas came to. */
interface Measured {
  /** Orders a second. */
  rate: number;
  /** Orders a second that the service's time allows so many replicas, by the calls that these orders took. */
  allowed: number;
  /** Calls that an order took. */
  calls: number;
  /** Of all processors' time, what the replicas, PostgreSQL and the bench with its finance service used. */
  busy: number;
}

type Rounds = Map<number, Measured[]>;

async function run(context: BenchContext): Promise<PartResult> {
  const remote: Rounds = new Map();
  const embedded: Rounds = new Map();
  const rounds = context.short ? 1 : context.rounds;
  for (let round = 0; round < rounds; round += 1) {
    await beforeSlowService(context, remote);
    await onEmbeddedLedger(context, embedded);
  }
  const one = typical(remote, 1, 'rate');
  const cap = PER_SECOND / typical(remote, 1, 'calls');
  return {
    figures: [
      ...COUNTS.map((count) => rateOf(`${count} before a slow service`, remote, count)),
      ...COUNTS.slice(1).map((count) => ({
        name: `${count} replicas before a slow service, of linear`,
        unit: '×',
        value: typical(remote, count, 'rate') / Math.min(count * one, cap),
      })),
      ...COUNTS.map((count) => ({
        name: `${count} before a slow service, of what its time allows`,
        unit: '×',
        value: typical(remote, count, 'rate') / typical(remote, count, 'allowed'),
      })),
      ...COUNTS.map((count) => ({
        name: `processors in use with ${count} before a slow service`,
        unit: '×',
        value: typical(remote, count, 'busy'),
      })),
      ...COUNTS.map((count) => rateOf(`${count} on the embedded ledger`, embedded, count)),
      ...COUNTS.slice(1).map((count) => ({
        name: `${count} replicas on the embedded ledger, times 1`,
        unit: '×',
        value: typical(embedded, count, 'rate') / typical(embedded, 1, 'rate'),
      })),
    ],
    notes: [
      `Before the slow service each replica has ${AT_ONCE} calls on their way, ${LATENCY_MS} ms each, and an order takes ` +
        `${typical(remote, 1, 'calls').toFixed(1)}: that allows ${COUNTS.map((count) => typical(remote, count, 'allowed').toFixed(1)).join(', ')} ` +
        `orders a second. The connection's cap for all replicas is ${PER_SECOND} calls a second, ${cap.toFixed(0)} orders.`,
      'Where the processors in use come near 1, or others use what is left of them, the machine was measured and not the replicas.',
    ],
  };
}

async function beforeSlowService(context: BenchContext, rounds: Rounds): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-bench-'));
  const finance = await MeasuredFinance.start(() => LATENCY_MS);
  try {
    writeConfiguration(folder);
    const settings = {
      CONFIG_DIR: folder,
      FINANCE_BACKEND: 'remote',
      FINANCE_BASE_URL: finance.url(),
      // Polls of the listings would take slots from what is measured.
      WATCH_EVERY: '0',
    };
    const orders = context.short ? 30 : 200;
    await withMoreAndMore(context, rounds, { settings, ordersOf: (count) => orders * count, finance });
  } finally {
    await finance.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function onEmbeddedLedger(context: BenchContext, rounds: Rounds): Promise<void> {
  const orders = context.short ? 1_000 : 20_000;
  return withMoreAndMore(context, rounds, { settings: {}, ordersOf: () => orders });
}

interface Attempt {
  settings: Readonly<Record<string, string>>;
  /** How many are measured with so many replicas. */
  ordersOf: (count: number) => number;
  /** The finance service that the organization is connected with; absent: Ponte's own ledger. */
  finance?: MeasuredFinance;
}

/** One database that replica after replica joins. */
async function withMoreAndMore(context: BenchContext, rounds: Rounds, attempt: Attempt): Promise<void> {
  const place = await context.freshDatabase();
  const replicas: MeasuredService[] = [];
  let sent = 0;
  try {
    for (const count of COUNTS) {
      while (replicas.length < count)
        replicas.push(await context.startService(place, { settings: attempt.settings }));
      const [first] = replicas;
      const { finance } = attempt;
      if (finance && first && count === 1) await connect(first);
      const orders = attempt.ordersOf(count);
      const warmUp = Math.ceil(orders / 4);
      await bookAll(place, replicas, warmUp, sent);
      if (finance) finance.calls = [];
      const watched = [...replicas.map((replica) => replica.watched), GENERATOR];
      if (context.postgres.watched) watched.push(context.postgres.watched);
      const before = used(watched);
      const seconds = await bookAll(place, replicas, orders, sent + warmUp);
      sent += warmUp + orders;
      const calls = (finance?.calls.length ?? NaN) / orders;
      const measured = {
        rate: orders / seconds,
        allowed: (count * AT_ONCE * 1000) / LATENCY_MS / calls,
        calls,
        busy: (used(watched) - before) / seconds / availableParallelism(),
      };
      rounds.set(count, [...(rounds.get(count) ?? []), measured]);
      context.say(`${count} replicas: ${measured.rate.toFixed(1)} orders a second`);
    }
  } finally {
    for (const replica of replicas) await replica.kill();
  }
}

async function connect(service: MeasuredService): Promise<void> {
  const { organization, apiKey, uniqueDocuments } = STRICT;
  const limits = { perSecond: PER_SECOND, atOnce: AT_ONCE };
  const reply = await service.admin('/admin/organizations/main/finance', {
    method: 'PUT',
    body: JSON.stringify({ organization, apiKey, uniqueDocuments, limits }),
  });
  if (!reply.ok) throw new Error(`connecting was answered ${reply.status}: ${await reply.text()}`);
}

/** @returns seconds from the first order sent to the last one booked */
async function bookAll(
  place: Place & { url: string },
  replicas: readonly MeasuredService[],
  count: number,
  after: number,
): Promise<number> {
  const started = performance.now();
  const share = Math.ceil(count / replicas.length);
  await Promise.all(
    replicas.map(({ url }, replica) => {
      const kind = { secret: SECRET, organization: 'main', topic: 'orders/paid', instalments: 1 } as const;
      const from = after + replica * share;
      const last = Math.min(from + share, after + count);
      const orders = new PaidOrders(url, kind, from);
      const next = (): Buffer | undefined => (orders.last < last ? orders.next().request : undefined);
      return persistentLoop({ url, connections: CLIENTS_OF_A_REPLICA, next });
    }),
  );
  await withClient(place.url, async (client) => {
    const anyWaits = async (): Promise<boolean> => {
      const { rows } = await client.query<{ waits: boolean }>(
        `select exists (select from delivery where state = 'waiting') as waits`,
      );
      return rows[0]?.waits ?? false;
    };
    while (await anyWaits()) await sleep(POLL_EVERY_MS);
    const { rows } = await client.query<{ dead: number }>(
      `select count(*)::int as dead from delivery where state = 'dead'`,
    );
    if (rows[0]?.dead !== 0) throw new Error(`${rows[0]?.dead} orders could not be booked`);
  });
  return (performance.now() - started) / 1000;
}

/** Seconds of processor time so far. */
function used(watched: readonly Watched[]): number {
  return watched.reduce((sum, one) => sum + cpuSeconds(one), 0);
}

function typical(rounds: Rounds, count: number, what: keyof Measured): number {
  return median((rounds.get(count) ?? []).map((measured) => measured[what]));
}

function rateOf(name: string, rounds: Rounds, count: number): Figure {
  const runs = (rounds.get(count) ?? []).map(({ rate }) => rate);
  return { name, unit: '/s', value: median(runs), runs };
}
