import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunningService } from '../../scripts/demo/running-service';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { PgliteDatabase } from '../../src/database/pglite.database';
import { Catalog } from '../../src/deliveries/catalog';
import { Worker } from '../../src/deliveries/worker';
import { cpfNumber } from '../support/documents';
import { embeddedDataDir } from '../support/database';
import { OPERATORS_KEY, SECRETS, type SentHook, TestService } from '../support/service';

const ROOT = join(__dirname, '../..');
const MAIN = join(ROOT, 'src/main.ts');
const RUN = join(ROOT, 'scripts/run-ts.cjs');
const POISONED = 4_500_000_000_666;
const ORDERS = [4_500_000_000_001, 4_500_000_000_002, POISONED, 4_500_000_000_003, 4_500_000_000_004];

function order(id: number): Buffer {
  const about = { id, number: id % 1000, total: '30.00', name: 'Ivo Prado', email: 'ivo@example.com' };
  return shopifyOrder({ ...about, document: cpfNumber(id % 100_000), instalments: 2 }, true);
}

function paid(id: number): SentHook {
  return { source: 'shopify', topic: 'orders/paid', body: order(id), id: `paid-${id}` };
}

/** After a batch that failed, too, which the worker otherwise waits a second for. */
function goesOnAtOnce(service: TestService): void {
  Object.assign(service.part(Worker), { afterFailureMs: 0 });
}

describe('work that did not end because the process was killed', () => {
  let place: Awaited<ReturnType<typeof embeddedDataDir>>;
  let environment: Record<string, string>;
  let began: string;
  const children: ChildProcess[] = [];

  beforeAll(async () => {
    place = await embeddedDataDir();
    began = join(place.dataDir, 'postgres', 'began');
    environment = {
      DATA_DIR: place.dataDir,
      CONFIG_DIR: join(ROOT, 'config'),
      SHOPIFY_WEBHOOK_SECRET: SECRETS.shopify,
      ADMIN_API_KEY: OPERATORS_KEY,
      SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
      WATCH_EVERY: '0',
    };
  });

  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await place.drop();
  });

  async function plant(database: PgliteDatabase, ...statements: string[]): Promise<void> {
    for (const statement of statements) await database.prisma.$executeRawUnsafe(statement);
  }

  /** Has all orders stored, none of them worked on: what arrives waits. */
  async function takeIn(): Promise<void> {
    const database = await PgliteDatabase.open(place.dataDir);
    await plant(
      database,
      `create function sleep_on() returns trigger language plpgsql as $$
       begin new.ready_at := '2100-01-01'; return new; end $$`,
      'create trigger sleepers before insert on delivery for each row execute function sleep_on()',
    );
    // In this process, which has loaded the service already.
    const intake = await TestService.start(database, environment);
    try {
      for (const id of ORDERS) expect((await intake.hook(paid(id))).status).toBe(200);
    } finally {
      await intake.stop();
    }
  }

  /** The database does one order's schedules for ever: nothing else is done in it. */
  async function poison(): Promise<void> {
    const database = await PgliteDatabase.open(place.dataDir);
    try {
      await plant(
        database,
        'drop trigger sleepers on delivery',
        'update delivery set ready_at = now()',
        `create function never_end() returns trigger language plpgsql as $$
         begin
           execute format('copy (select 1) to %L', current_setting('data_directory') || '/began');
           loop perform 1; end loop;
         end $$`,
        `create trigger poison before insert on schedule for each row
         when (new.reference like '%666') execute function never_end()`,
      );
    } finally {
      await database.close();
    }
  }

  /** Starts the service and kills it as soon as work on the poisoned order has begun. */
  async function startAndKill(): Promise<void> {
    const env = { PATH: process.env['PATH'] ?? '', HOST: '127.0.0.1', PORT: '0', ...environment };
    const child = spawn(process.execPath, [RUN, MAIN], { env, stdio: 'ignore' });
    children.push(child);
    const exit = once(child, 'exit');
    while (!existsSync(began)) {
      if (child.exitCode !== null) throw new Error(`the service ended with ${child.exitCode}`);
      await sleep(20);
    }
    child.kill('SIGKILL');
    await exit;
    await rm(began);
  }

  async function deliveries(url: string): Promise<Map<string, Record<string, unknown>>> {
    const headers = { authorization: `Bearer ${OPERATORS_KEY}` };
    const reply = await fetch(`${url}/admin/organizations/main/deliveries`, { headers });
    const { items } = (await reply.json()) as { items: Record<string, unknown>[] };
    return new Map(items.map((item) => [String(item['id']), item]));
  }

  it('is counted, and the third time the delivery is a dead letter, its neighbours done', async () => {
    await takeIn();
    await poison();
    for (let kill = 0; kill < 3; kill += 1) await startAndKill();
    const service = await RunningService.start(MAIN, environment, [RUN]);
    try {
      let all = await deliveries(service.url);
      while ([...all.values()].some(({ state }) => state === 'waiting')) {
        await sleep(50);
        all = await deliveries(service.url);
      }
      const dead = [...all.values()].filter(({ state }) => state === 'dead');
      expect(dead).toMatchObject([
        { attempts: 3, reason: expect.stringMatching(/^work on it did not end 3 times: /) },
      ]);
      const done = [...all.values()].filter(({ state }) => state === 'done');
      expect(done).toHaveLength(ORDERS.length - 1);
      expect(done.map(({ outcome }) => outcome)).toEqual(done.map(() => 'applied'));
    } finally {
      await service.stop();
    }
  }, 600_000);
});

describe('an order whose transaction takes longer than it may', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
    // As Prisma says it when 30 seconds are over.
    await service.database.prisma.$executeRaw`
      create function time_is_up() returns trigger language plpgsql as $$
      begin raise exception 'the time is up' using errcode = 'P2028'; end $$`;
    await service.database.prisma.$executeRaw`
      create trigger poison before insert on schedule for each row
      when (new.reference like '%666') execute function time_is_up()`;
    goesOnAtOnce(service);
  });

  afterAll(() => service.stop());

  it('does not have its batch repeated for ever: the others are booked, and it is a dead letter in the end', async () => {
    const sent = ORDERS.map((id) => service.hook(paid(id)));
    for (const { status } of await Promise.all(sent)) expect(status).toBe(200);
    const { prisma } = service.database;
    while ((await prisma.delivery.count({ where: { state: 'waiting' } })) > 0) await sleep(20);
    expect(await prisma.delivery.count({ where: { state: 'done', outcome: 'applied' } })).toBe(4);
    expect(await prisma.delivery.findMany({ where: { state: 'dead' } })).toMatchObject([
      { attempts: 3, interrupted: 3, reason: expect.stringMatching(/^work on it did not end 3 times: /) },
    ]);
    expect(await prisma.begunBatch.count()).toBe(0);
  }, 120_000);
});

describe('a batch that fails before any of it is planned', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await TestService.start();
    goesOnAtOnce(service);
  });

  afterAll(() => service.stop());

  it('costs no delivery an attempt', async () => {
    const late = Object.assign(new Error('the time is up'), { code: 'P2028' });
    const refresh = jest.spyOn(service.part(Catalog), 'refresh').mockRejectedValueOnce(late);
    await service.hook(paid(4_500_000_000_009));
    const { prisma } = service.database;
    while ((await prisma.delivery.count({ where: { state: 'waiting' } })) > 0) await sleep(20);
    expect(refresh.mock.calls.length).toBeGreaterThan(1);
    expect(await prisma.delivery.findMany()).toMatchObject([{ state: 'done', attempts: 0, interrupted: 0 }]);
  }, 60_000);
});
