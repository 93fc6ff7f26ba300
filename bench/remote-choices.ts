/**
 * What two parts of the way to a remote finance service are worth, each beside itself without that part, at the same
 * time in one process, so that both sides have the same machine: asking for the rate ahead of the slot (ADR 0026), and
 * answering reads with what was read before (ADR 0089). `node scripts/run-ts.cjs bench/remote-choices.ts`; needs a
 * PostgreSQL server, `TEST_DATABASE_URL` or `DATABASE_URL`. Takes a minute and a half.
 */
import { lookup } from 'node:dns';
import { BlockList } from 'node:net';
import { loadavg } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Settings } from '../src/config/settings';
import type { Database } from '../src/database/database';
import { openDatabase } from '../src/database/open-database';
import { RateLimiterRepository } from '../src/finance/remote/calls/rate-limiter.repository';
import { BREAKER_RULES } from '../src/finance/remote/client/breaker';
import { CONNECTION_DEFAULTS } from '../src/finance/remote/client/connection';
import { Semaphore } from '../src/finance/remote/client/semaphore';
import { ServiceClient } from '../src/finance/remote/client/service-client';
import { ReadCache } from '../src/finance/remote/reads/read-cache';
import { SystemClock } from '../src/kernel/clock';
import { newId } from '../src/kernel/identifier';
import { SimulatedService } from '../test/support/simulated-service';
import { makePlace } from './measured-books';

const MEASURED_MS = 10_000;
/** So many calls a second never make a call wait. */
const UNLIMITED = 10_000;
/** Below ten calls a second nobody asks ahead. */
const NOBODY_AHEAD = 9;
const READERS = 16;
const READ_MS = 100;
const BETWEEN_READS_MS = 50;

/** Calls that are made, with a caller more for every slot than it takes, while the rate is asked for ahead or not. */
async function callsOf(
  database: Database,
  serviceMs: number,
  atOnce: number,
  perSecond: number,
): Promise<number> {
  const id = newId();
  const company = {
    id,
    slug: `bench-${id}`,
    name: 'A company',
    timeZone: 'America/Sao_Paulo',
    currency: 'BRL',
  };
  await database.prisma.organization.create({ data: company });
  const limits = { perSecond, atOnce, oneWriteAtATime: false };
  const client = new ServiceClient(SimulatedService.connection(id, { limits }), {
    ...{ allowedNetworks: new BlockList(), lookup, breaker: BREAKER_RULES, onBreak: () => undefined },
  });
  const limiter = new RateLimiterRepository(database);
  const rate = (): Promise<number> => limiter.take(id, UNLIMITED, CONNECTION_DEFAULTS.settleMs);
  let calls = 0;
  const work = async (): Promise<void> => {
    // As the intent is committed.
    await database.prisma.$queryRaw`select 1`;
    await sleep(serviceMs);
    calls += 1;
  };
  const end = performance.now() + MEASURED_MS;
  const caller = async (): Promise<void> => {
    while (performance.now() < end) await client.withPermit(true, rate, work);
  };
  await Promise.all(Array.from({ length: atOnce * 3 }, caller));
  return calls;
}

async function measureAhead(database: Database): Promise<void> {
  for (const serviceMs of [300, 50]) {
    for (const slots of [4, 16]) {
      const [ahead = 0, within = 0] = await Promise.all(
        [UNLIMITED, NOBODY_AHEAD].map((perSecond) => callsOf(database, serviceMs, slots, perSecond)),
      );
      print([`${serviceMs} ms, ${slots} slots`, `${ahead} calls`, `${within} calls`]);
    }
  }
}

/** Readers of one listing of a service with the default limits. */
async function readsWith(cacheMs: number): Promise<string> {
  const cache = new ReadCache(new SystemClock());
  const connection = SimulatedService.connection(newId(), { cacheMs });
  const { atOnce, perSecond } = connection.limits;
  const slots = new Semaphore(atOnce);
  const listing = { items: Array.from({ length: 100 }, (_, index) => ({ id: newId(), balance: index })) };
  let next = performance.now();
  let calls = 0;
  const ask = async (): Promise<unknown> => {
    const leave = await slots.take();
    const at = Math.max(next, performance.now());
    next = at + 1_000 / perSecond;
    await sleep(at - performance.now() + READ_MS);
    calls += 1;
    leave();
    return listing;
  };
  const times: number[] = [];
  const end = performance.now() + MEASURED_MS;
  const reader = async (): Promise<void> => {
    while (performance.now() < end) {
      const begin = performance.now();
      await cache.read(connection, { operation: 'accounts.list', query: {} }, ask);
      times.push(performance.now() - begin);
      await sleep(BETWEEN_READS_MS);
    }
  };
  await Promise.all(Array.from({ length: READERS }, reader));
  const median = times.toSorted((left, right) => left - right)[times.length >> 1] ?? NaN;
  return `${times.length} reads by ${calls} calls, median ${median.toFixed(1)} ms`;
}

async function measureReads(): Promise<void> {
  const [kept = '', asked = ''] = await Promise.all([1_000, 0].map(readsWith));
  print([`${READERS} readers of one listing`, kept, asked]);
}

function print(cells: readonly string[]): void {
  process.stdout.write(`| ${[...cells, (loadavg()[0] ?? 0).toFixed(1)].join(' | ')} |\n`);
}

async function main(): Promise<void> {
  const place = await makePlace();
  const database = await openDatabase(new Settings(place.environment));
  process.stdout.write('| what | with it | without | load |\n| --- | --- | --- | --- |\n');
  try {
    await measureAhead(database);
    await measureReads();
  } finally {
    await database.close();
    await place.clean();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
