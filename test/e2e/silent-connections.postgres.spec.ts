import { setTimeout as sleep } from 'node:timers/promises';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import type { Database } from '../../src/database/database';
import { PostgresDatabase } from '../../src/database/postgres.database';
import type { Transaction } from '../../src/database/transaction';
import { queryInTransaction } from '../../src/database/transaction-statements';
import { DatabaseUnavailable } from '../../src/kernel/database-unavailable';
import { isTimeout, isTransient } from '../../src/workflows/retry-policy';
import { cpfNumber } from '../support/documents';
import { testDatabasePlace, type TestDatabasePlace } from '../support/database';
import { TestService } from '../support/service';
import { BreakableRoute } from '../support/breakable-route';
import { until } from '../support/until';

let place: TestDatabasePlace;
let way: BreakableRoute;
let database: Database;

beforeEach(async () => {
  place = await testDatabasePlace();
  way = await BreakableRoute.to(place.environment['DATABASE_URL']!);
  database = await PostgresDatabase.open(way.url);
});
afterEach(async () => {
  await database.close();
  await way.cut();
  await place.drop();
});

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

function orderOf(number: number): Buffer {
  return shopifyOrder(
    {
      id: 7_700_000_000_000 + number,
      number,
      total: '100.00',
      name: 'Nina Alves',
      document: cpfNumber(77_000 + number),
      email: `nina${number}@example.com`,
      instalments: 1,
    },
    true,
  );
}

describe('when connections to the database go silent', () => {
  it('what waits for them fails, whatever it is, and the next goes over new ones', async () => {
    let silenced: () => void = () => undefined;
    const silence = new Promise<void>((resolve) => (silenced = resolve));
    let begun = 0;
    const insideTransaction = (work: (tx: Transaction) => Promise<unknown>): Promise<unknown> =>
      failureOf(
        database.transaction(async (tx) => {
          await tx.$queryRaw`select 1`;
          begun += 1;
          await silence;
          await work(tx);
        }),
      );
    const failures = [
      insideTransaction((tx) => queryInTransaction(tx, 'select 2', [])),
      insideTransaction((tx) => tx.$queryRaw`select 3`),
      insideTransaction(() => Promise.resolve()),
      failureOf(database.query({ name: 'slow', text: 'select pg_sleep(14)' }, [])),
      failureOf(database.prisma.$queryRaw`select pg_sleep(14)::text`),
    ];
    const bystander = await PostgresDatabase.open(place.environment['DATABASE_URL']!);
    const asleep = `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await until(() => begun === 3);
    await until(async () => (await bystander.query({ name: 'asleep', text: asleep }, [])).length === 2);
    await bystander.close();
    way.blockOpen();
    silenced();
    const found = await Promise.all(failures);
    expect(found.map((error) => error instanceof DatabaseUnavailable)).toEqual(found.map(() => true));
    expect(found.map((error) => [isTransient(error), isTimeout(error)])).toEqual(
      found.map(() => [true, false]),
    );
    expect(database.delays().abandoned).toBeGreaterThan(0);
    expect(database.delays().recentMs).toBeGreaterThan(0);
    // As many at once as the pool has connections: none of its places is lost.
    const counts = Array.from({ length: 10 }, () =>
      database.transaction(async (tx) => {
        await tx.$queryRaw`select pg_sleep(0.2)::text`;
        return tx.organization.count();
      }),
    );
    expect(await Promise.all(counts)).toEqual(counts.map(() => 0));
  });

  it('one that is silent for longer than a statement may run takes the idle ones with it', async () => {
    const nap = { name: 'nap', text: 'select pg_sleep(0.2)' };
    await Promise.all(Array.from({ length: 10 }, () => database.query(nap, [])));
    way.blockOpen();
    const one = { name: 'one', text: 'select 1 as one' };
    expect(await failureOf(database.query(one, []))).toBeInstanceOf(DatabaseUnavailable);
    expect(await database.query(one, [])).toEqual([{ one: 1 }]);
    expect(database.delays().abandoned).toBe(1);
  });

  it('one that has no answer in time for who is in a hurry goes alone', async () => {
    const sessions = async (): Promise<number[]> => {
      const pids = await Promise.all(
        Array.from({ length: 10 }, () =>
          database.query<{ pid: number }>(
            { name: 'nap-here', text: 'select pg_backend_pid() as pid, pg_sleep(0.2)' },
            [],
          ),
        ),
      );
      return [...new Set(pids.flatMap((rows) => rows.map(({ pid }) => pid)))];
    };
    const before = await sessions();
    const slow = { name: 'slow', text: 'select pg_sleep(14)', answerWithinMs: 200 };
    expect(await failureOf(database.query(slow, []))).toBeInstanceOf(DatabaseUnavailable);
    const kept = (await sessions()).filter((pid) => before.includes(pid));
    expect(kept.length).toBeGreaterThanOrEqual(before.length - 1);
  });

  it('closing does not wait for them', async () => {
    const nap = { name: 'nap', text: 'select pg_sleep(0.2)' };
    database.listen('ponte_delivery_stored', () => undefined);
    await Promise.all(Array.from({ length: 3 }, () => database.query(nap, [])));
    way.blockOpen();
    const before = performance.now();
    await database.close();
    expect(performance.now() - before).toBeLessThan(20_000);
  });

  it('webhooks are put off while all of them wait in vain, and readiness says so', async () => {
    const service = await TestService.start(database);
    const bystander = await PostgresDatabase.open(place.environment['DATABASE_URL']!);
    try {
      // The connection for probes is there, and of the others none is free, nor made anew, when nothing passes any more.
      await service.http.get('/health/ready').expect(200, { status: 'ok' });
      const nap = { name: 'nap', text: 'select pg_sleep(14)' };
      const waiting = Array.from({ length: 10 }, () => failureOf(database.query(nap, [])));
      const asleep = `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
      await until(async () => (await bystander.query({ name: 'asleep', text: asleep }, [])).length === 10);
      way.blockOpen();
      const hook = service.hook({ source: 'shopify', topic: 'orders/paid', body: orderOf(1), id: 'put-off' });
      expect((await service.http.get('/health/ready').expect(503)).body).toMatchObject({
        status: 'unavailable',
        reasons: expect.arrayContaining([{ source: 'database', reason: 'no answer within 2000 ms' }]),
      });
      const { status, headers } = await hook;
      expect([status, headers['retry-after']]).toEqual([503, expect.any(String)]);
      expect(await Promise.all(waiting)).toEqual(waiting.map(() => expect.any(DatabaseUnavailable)));
      await until(async () => (await service.http.get('/health/ready')).status === 200);
    } finally {
      await bystander.close();
      await service.stop();
    }
  });

  it('webhooks are stored and worked on, each once', async () => {
    const service = await TestService.start(database);
    const bystander = await PostgresDatabase.open(place.environment['DATABASE_URL']!);
    const acknowledged = new Set<string>();
    const send = async (number: number): Promise<void> => {
      // A shop sends again until it is told that its webhook is stored.
      for (;;) {
        const { status, headers } = await service.hook({
          source: 'shopify',
          topic: 'orders/paid',
          body: orderOf(number),
          id: `silent-${number}`,
        });
        if (status === 200) break;
        expect([status, headers['retry-after']]).toEqual([503, expect.any(String)]);
        await sleep(200);
      }
      acknowledged.add(`silent-${number}`);
    };
    try {
      const early = Array.from({ length: 20 }, (_, index) => send(index));
      await sleep(50);
      way.blockOpen();
      const late = Array.from({ length: 20 }, (_, index) => send(20 + index));
      await Promise.all([...early, ...late]);
      for (;;) {
        const [counts] = await bystander.query<{ open: number; all: number }>(
          {
            name: 'counts',
            text: `select count(*)::int as all, count(*) filter (where state <> 'done')::int as open from delivery`,
          },
          [],
        );
        if (counts?.open === 0 && counts.all === 40) break;
        await sleep(200);
      }
      expect(acknowledged.size).toBe(40);
      expect(await bystander.prisma.schedule.count()).toBe(40);
    } finally {
      await bystander.close();
      await service.stop();
    }
  });
});
