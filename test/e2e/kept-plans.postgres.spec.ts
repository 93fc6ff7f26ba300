import { shopifyOrder } from '../../scripts/demo/shop-orders';
import type { Database } from '../../src/database/database';
import { DeliveryWorker } from '../../src/deliveries/delivery-worker';
import { cpfNumber } from '../support/documents';
import { TestService } from '../support/service';
import { until } from '../support/until';

/** Executions after which PostgreSQL keeps a plan, and some. */
const UNTIL_PLANS_ARE_KEPT = 12;
const AT_ONCE = 32;
const MANY = 60;
const MEASURED = 4;

/*
 * Plans of the worker's statements are kept for as long as a connection lives, and made while the tables are empty.
 * What a turn reads must not grow with the tables even so, whatever PostgreSQL knows of them.
 */
describe.each([1, 40])('a turn of %d orders whose plans were made on empty tables', (size) => {
  let service: TestService;
  let sent = 0;

  beforeAll(async () => {
    service = await TestService.start(undefined, { ROLE: 'api' });
  });
  afterAll(() => service.stop());

  async function turn(orders: number): Promise<void> {
    const bodies = Array.from({ length: orders }, () => {
      sent += 1;
      return shopifyOrder(
        {
          id: 9_900_000_000_000 + sent,
          number: sent,
          total: '100.00',
          name: `Cliente ${sent}`,
          document: cpfNumber(10_000 + (sent % 900)),
          email: `cliente-${sent}@example.com`,
          instalments: 3,
        },
        true,
      );
    });
    for (let from = 0; from < bodies.length; from += AT_ONCE) {
      const some = bodies.slice(from, from + AT_ONCE);
      const replies = await Promise.all(
        some.map((body) => service.hook({ source: 'shopify', topic: 'orders/paid', body })),
      );
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    }
    // On a machine that is busy a turn is bounded by its time, and there are several.
    let worked = 0;
    while (worked < orders) worked += await service.part(DeliveryWorker).workOnce();
    expect(worked).toBe(orders);
  }

  /**
   * Pages of tables and indexes that a turn looks at, its webhooks' intake included. The least of several: what the server
   * does by itself, such as vacuuming, is counted with the turn that it falls into.
   */
  async function pagesOf(orders: number): Promise<number> {
    const counted: number[] = [];
    while (counted.length < MEASURED) {
      const before = await settledPages(service.database, sent);
      await turn(orders);
      counted.push((await settledPages(service.database, sent)) - before);
    }
    return Math.min(...counted);
  }

  it('reads as much once they are large', async () => {
    for (let turns = 0; turns < UNTIL_PLANS_ARE_KEPT; turns += 1) await turn(size);
    const small = await pagesOf(size);
    for (let turns = 0; turns < MANY; turns += 1) await turn(100);
    const large = await pagesOf(size);
    expect(large).toBeLessThan(2 * small);
  }, 240_000);
});

/** @returns pages looked at so far, once the database's counts know of so many runs */
async function settledPages(database: Database, runs: number): Promise<number> {
  const counted = async (): Promise<boolean> => {
    const [row] = await database.prisma.$queryRaw<{ runs: bigint }[]>`
      select n_tup_ins as runs from pg_stat_user_tables where relname = 'run'`;
    return row?.runs === BigInt(runs);
  };
  await until(counted);
  const [row] = await database.prisma.$queryRaw<{ pages: number }[]>`
    select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::float as pages
    from pg_statio_user_tables`;
  return row?.pages ?? NaN;
}
