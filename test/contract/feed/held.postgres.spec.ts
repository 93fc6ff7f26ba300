import type { Database } from '../../../src/database/database';
import { FeedHealth } from '../../../src/feed/feed-health';
import { FeedModule } from '../../../src/feed/feed.module';
import { openTestReplicas } from '../../support/database';
import { FeedClient, numbersOf } from '../../support/feed-client';
import { TestingApp } from '../../support/testing-app';
import { until } from '../../support/until';

let replicas: Database[];
let testing: TestingApp;

beforeAll(async () => {
  replicas = await openTestReplicas(2);
  testing = await TestingApp.open({ imports: [FeedModule], database: replicas[0]! });
});
afterAll(async () => {
  await testing.close();
  await Promise.all(replicas.map((database) => database.close()));
});

it('while another replica hangs as it puts the feed in order, what has its place can be read', async () => {
  const feed = await FeedClient.of(testing);
  await feed.append(1);
  const { cursor } = await feed.page();
  const health = testing.app.get(FeedHealth, { strict: false });
  expect(await health.check()).toBeUndefined();
  await feed.append(2);
  await replicas[1]!.transaction(async (tx) => {
    await tx.$queryRaw`select position from feed_head for update`;
    expect(numbersOf(await feed.rest())).toEqual([1]);
    await feed.append(1);
    // Operators are told what readers cannot see.
    await until(async () => (await health.check()) !== undefined);
    expect(await health.check()).toMatch(/^committed changes cannot be put in order for \d+ s/);
    const { text } = await testing.http.get('/metrics');
    expect(Number(/^ponte_feed_unplaced_seconds (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
  });
  expect(numbersOf(await feed.rest(cursor))).toEqual([1, 2, 1]);
  expect(await health.check()).toBeUndefined();
});
