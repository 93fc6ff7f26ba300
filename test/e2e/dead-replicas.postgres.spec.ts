import { Client } from 'pg';
import type { Database } from '../../src/database/database';
import { PostgresDatabase } from '../../src/database/postgres.database';
import type { Transaction } from '../../src/database/transaction';
import { queryInTransaction } from '../../src/database/transaction-statements';
import { takeKey } from '../../src/finance/embedded/idempotency/idempotency.repository';
import { DatabaseUnavailable } from '../../src/kernel/database-unavailable';
import { newId } from '../../src/kernel/identifier';
import { testDatabasePlace, type TestDatabasePlace } from '../support/database';
import { BreakableRoute } from '../support/breakable-route';
import { until } from '../support/until';

/** What ARCHITECTURE.md says a dead replica can hold up, in milliseconds, and what a busy machine adds. */
const HELD_UP_MS = 40_000;

let place: TestDatabasePlace;
let way: BreakableRoute;
let doomed: Database;
let healthy: Database;

beforeAll(async () => {
  place = await testDatabasePlace();
  const url = place.environment['DATABASE_URL']!;
  way = await BreakableRoute.to(url);
  doomed = await PostgresDatabase.open(way.url);
  healthy = await PostgresDatabase.open(url);
  await healthy.prisma.$executeRaw`create table part (id int primary key, by_whom text)`;
  await healthy.prisma.$executeRaw`insert into part select generate_series(1, 4), null`;
});
afterAll(async () => {
  await Promise.all([doomed.close(), healthy.close()]);
  await way.cut();
  await place.drop();
});

const lock = (tx: Transaction, id: number): Promise<unknown> =>
  queryInTransaction(tx, 'select id from part where id = $1 for update', [id]);

describe('a replica that is stopped, or whose host vanishes', () => {
  it('set limits to its own sessions', async () => {
    const rows = await healthy.query<{ name: string; setting: string }>(
      {
        name: 'limits',
        text: `select name, setting from pg_settings where name in ('lock_timeout', 'statement_timeout',
                 'idle_in_transaction_session_timeout', 'tcp_user_timeout', 'tcp_keepalives_idle') order by name`,
      },
      [],
    );
    expect(rows.map(({ name, setting }) => `${name}=${setting}`)).toEqual([
      'idle_in_transaction_session_timeout=10000',
      'lock_timeout=10000',
      'statement_timeout=15000',
      'tcp_keepalives_idle=10',
      'tcp_user_timeout=15000',
    ]);
  });

  it('keeps the limit for locks where a request waits for its key with a shorter one', async () => {
    const organization = { id: newId(), slug: 'a', name: 'A', timeZone: 'UTC', currency: 'BRL' };
    await healthy.prisma.organization.create({ data: organization });
    await healthy.transaction(async (tx) => {
      const request = { organizationId: organization.id, key: 'k', digest: Buffer.alloc(32) };
      expect(await takeKey(tx, request as Parameters<typeof takeKey>[1])).toBeUndefined();
      expect(await tx.$queryRaw`show lock_timeout`).toEqual([{ lock_timeout: '10s' }]);
    });
  });

  it('holds up nobody for longer than is promised, whatever it was doing', async () => {
    const reached: Promise<void>[] = [];
    const end = new Promise<void>((resolve) => setTimeout(resolve, 60_000).unref());
    const holdsUntilItDies = (id: number, then: (tx: Transaction) => Promise<unknown>): Promise<unknown> => {
      let reach: () => void = () => undefined;
      reached.push(new Promise((resolve) => (reach = resolve)));
      return doomed
        .transaction(async (tx) => {
          await lock(tx, id);
          const work = then(tx);
          reach();
          await work;
        })
        .catch((error: unknown) => error);
    };
    const ends = [
      // It computes; it waits for a statement; for a lock; it is sent more than it reads.
      holdsUntilItDies(1, () => end),
      holdsUntilItDies(2, (tx) => queryInTransaction(tx, 'select pg_sleep(300)', [])),
      holdsUntilItDies(3, (tx) => lock(tx, 1)),
      holdsUntilItDies(4, (tx) => {
        return queryInTransaction(tx, `select repeat('x', 10000) from generate_series(1, 1000000)`, []);
      }),
    ];
    await Promise.all(reached);
    way.blockOpen();
    const died = performance.now();
    const waits = [1, 2, 3, 4].map(async (id) => {
      const takes = (): Promise<boolean> =>
        healthy
          .transaction(async (tx) => {
            await lock(tx, id);
            return true;
          })
          .catch((error: unknown) => {
            // A lock that is not had in time is no fault of what was asked.
            expect(error).toBeInstanceOf(DatabaseUnavailable);
            return false;
          });
      await until(takes);
      return performance.now() - died;
    });
    for (const waited of await Promise.all(waits)) expect(waited).toBeLessThan(HELD_UP_MS);
    await Promise.all(ends.slice(1));
  });

  it('does not hurry migrations, which have a name of their own', async () => {
    const url = place.environment['DATABASE_URL']!;
    const blocker = new Client({ connectionString: url });
    await blocker.connect();
    await blocker.query('begin; lock table _prisma_migrations');
    const opening = PostgresDatabase.open(url);
    const WAITING = {
      name: 'waiting',
      text: `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                and application_name = 'ponte migrations'`,
    };
    await until(async () => (await healthy.query(WAITING, [])).length === 1);
    await blocker.query('commit');
    await blocker.end();
    await (await opening).close();
  });
});
