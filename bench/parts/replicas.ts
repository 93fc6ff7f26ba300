import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { STRICT, writeConfiguration } from '../../test/system/remote-chaos/companies';
import type { BenchContext } from '../context';
import { type MeasuredService, SECRET } from '../frame/measured-service';
import type { Place } from '../frame/place';
import { withClient } from '../frame/postgres-server';
import { median } from '../frame/statistics';
import { MeasuredFinance } from '../measured-finance';
import type { Figure, Part, PartResult } from '../part';
import { closedLoop } from '../traffic/closed-loop';
import { PaidOrders } from '../traffic/paid-orders';

const COUNTS = [1, 2, 4] as const;
const LATENCY_MS = 100;
/** Calls that each replica has on their way at once: few, so that the service's time decides and not the processors. */
const AT_ONCE = 4;
/** Calls a second over all replicas that the connection allows: more than all of them can make. */
const PER_SECOND = 1_000;
const CLIENTS_OF_A_REPLICA = 8;
const LOOK_EVERY_MS = 50;

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

type Rates = Map<number, number[]>;

async function run(context: BenchContext): Promise<PartResult> {
  const remote: Rates = new Map();
  const embedded: Rates = new Map();
  const rounds = context.short ? 1 : context.rounds;
  for (let round = 0; round < rounds; round += 1) {
    await beforeSlowService(context, remote);
    await onEmbeddedLedger(context, embedded);
  }
  return {
    figures: [
      ...COUNTS.map((count) => rateOf(`${count} before a slow service`, remote, count)),
      ...COUNTS.slice(1).map((count) => ({
        name: `${count} replicas before a slow service, of linear`,
        unit: '×',
        value: typical(remote, count) / (count * typical(remote, 1)),
      })),
      ...COUNTS.map((count) => rateOf(`${count} on the embedded ledger`, embedded, count)),
      ...COUNTS.slice(1).map((count) => ({
        name: `${count} replicas on the embedded ledger, times 1`,
        unit: '×',
        value: typical(embedded, count) / typical(embedded, 1),
      })),
    ],
    notes: [`Before the slow service each replica has ${AT_ONCE} calls on their way, ${LATENCY_MS} ms each.`],
  };
}

async function beforeSlowService(context: BenchContext, rates: Rates): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-bench-'));
  const finance = await MeasuredFinance.start(() => LATENCY_MS);
  try {
    writeConfiguration(folder);
    const settings = {
      CONFIG_DIR: folder,
      FINANCE_BACKEND: 'remote',
      FINANCE_BASE_URL: finance.url(),
      // Looks at the listings would take slots from what is measured.
      WATCH_EVERY: '0',
    };
    const orders = context.short ? 60 : 200;
    await withMoreAndMore(context, rates, { settings, ordersOf: (count) => orders * count, remote: true });
  } finally {
    await finance.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function onEmbeddedLedger(context: BenchContext, rates: Rates): Promise<void> {
  const orders = context.short ? 1_000 : 20_000;
  return withMoreAndMore(context, rates, { settings: {}, ordersOf: () => orders, remote: false });
}

interface Attempt {
  settings: Readonly<Record<string, string>>;
  /** How many are measured with so many replicas. */
  ordersOf: (count: number) => number;
  /** Whether the organization has a finance service of its own. */
  remote: boolean;
}

/** One database that replica after replica joins. */
async function withMoreAndMore(context: BenchContext, rates: Rates, attempt: Attempt): Promise<void> {
  const place = await context.freshDatabase();
  const replicas: MeasuredService[] = [];
  let sent = 0;
  try {
    for (const count of COUNTS) {
      while (replicas.length < count)
        replicas.push(await context.startService(place, { settings: attempt.settings }));
      const [first] = replicas;
      if (attempt.remote && first && count === 1) await connect(first);
      const orders = attempt.ordersOf(count);
      // A tenth to warm up what has just joined.
      for (const some of [Math.ceil(orders / 10), orders]) {
        const seconds = await bookAll(place, replicas, some, sent);
        sent += some;
        if (some === orders) note(rates, count, orders / seconds);
      }
      context.say(`${count} replicas: ${rates.get(count)?.at(-1)?.toFixed(1)} orders a second`);
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
      return closedLoop({ url, connections: CLIENTS_OF_A_REPLICA, next });
    }),
  );
  await withClient(place.url, async (client) => {
    const anyWaits = async (): Promise<boolean> => {
      const { rows } = await client.query<{ waits: boolean }>(
        `select exists (select from delivery where state = 'waiting') as waits`,
      );
      return rows[0]?.waits ?? false;
    };
    while (await anyWaits()) await sleep(LOOK_EVERY_MS);
    const { rows } = await client.query<{ dead: number }>(
      `select count(*)::int as dead from delivery where state = 'dead'`,
    );
    if (rows[0]?.dead !== 0) throw new Error(`${rows[0]?.dead} orders could not be booked`);
  });
  return (performance.now() - started) / 1000;
}

function note(rates: Rates, count: number, rate: number): void {
  rates.set(count, [...(rates.get(count) ?? []), rate]);
}

function typical(rates: Rates, count: number): number {
  return median(rates.get(count) ?? []);
}

function rateOf(name: string, rates: Rates, count: number): Figure {
  return { name, unit: '/s', value: typical(rates, count), runs: rates.get(count) ?? [] };
}
