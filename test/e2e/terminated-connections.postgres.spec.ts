import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { PostgresDatabase } from '../../src/database/postgres.database';
import { verifyLedger } from '../../src/finance/embedded/ledger/verify';
import { cpfNumber } from '../support/documents';
import { testDatabasePlace, type TestDatabasePlace } from '../support/database';
import { TestService } from '../support/service';
import { until } from '../support/until';

const ORDERS = 60;

let place: TestDatabasePlace;
let service: TestService;
let operator: Client;

beforeAll(async () => {
  place = await testDatabasePlace();
  const url = place.environment['DATABASE_URL']!;
  service = await TestService.start(await PostgresDatabase.open(url));
  operator = new Client({ connectionString: url });
  await operator.connect();
});
afterAll(async () => {
  await service.stop();
  await operator.end();
  await place.drop();
});

function orderOf(number: number): Buffer {
  return shopifyOrder(
    {
      id: 6_600_000_000_000 + number,
      number,
      total: '100.00',
      name: 'Nina Alves',
      document: cpfNumber(66_000 + number),
      email: `nina${number}@example.com`,
      instalments: 1,
    },
    true,
  );
}

async function send(number: number): Promise<number> {
  const delivery = { id: `terminated-${number}`, body: orderOf(number) };
  for (let refused = 0; ; refused += 1) {
    const { status } = await service.hook({ source: 'shopify', topic: 'orders/paid', ...delivery });
    if (status === 200) return refused;
    expect(status).toBe(503);
    await sleep(50);
  }
}

it('an administrator may end connections at any moment: the process lives, and every order is done once', async () => {
  let ended = 0;
  let ending = true;
  const administrator = (async (): Promise<void> => {
    while (ending) {
      const { rowCount } = await operator.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and application_name like 'ponte%'`,
      );
      ended += rowCount ?? 0;
      await sleep(20 * Math.random());
    }
  })();
  const sending = Promise.all(Array.from({ length: ORDERS }, (_, number) => send(number)));
  await until(() => ended >= 200);
  ending = false;
  await administrator;
  await sending;
  await until(async () => {
    const { rows } = await operator.query<{ done: number }>(
      `select count(*)::int as done from delivery where state = 'done'`,
    );
    return rows[0]?.done === ORDERS;
  });
  const { prisma } = service.database;
  expect(await prisma.schedule.count()).toBe(ORDERS);
  expect(await prisma.delivery.count({ where: { state: 'dead' } })).toBe(0);
  expect((await verifyLedger(prisma)).difference).toBeUndefined();
});
