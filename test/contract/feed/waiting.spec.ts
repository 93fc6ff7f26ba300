import { setTimeout as sleep } from 'node:timers/promises';
import { FeedOrder } from '../../../src/feed/feed-order.repository';
import { FeedModule } from '../../../src/feed/feed.module';
import { LongPoll } from '../../../src/feed/long-poll';
import { FeedClient } from '../../support/feed-client';
import { TestingApp } from '../../support/testing-app';

const ORGANIZATIONS = 4;
const READERS = 1_000;

let testing: TestingApp;
let feeds: FeedClient[];

beforeAll(async () => {
  testing = await TestingApp.open({ imports: [FeedModule] });
  feeds = await Promise.all(Array.from({ length: ORGANIZATIONS }, () => FeedClient.of(testing)));
});
afterAll(() => testing.close());

it('thousands who wait share each look at the database, and only those are woken whose feed has grown', async () => {
  const watch = testing.app.get(LongPoll);
  const order = testing.app.get(FeedOrder);
  const readers = Array.from({ length: READERS }, () => new AbortController());
  const position = await order.assignPositions();
  const look = jest.spyOn(testing.database, 'query');
  const settle = jest.spyOn(order, 'assignPositions');
  const waiting = feeds.map(({ organization }) =>
    readers.map(({ signal }) => watch.waitForNew(organization.id, position, 60_000, signal)),
  );
  expect(watch.size).toBe(ORGANIZATIONS * READERS);
  while (settle.mock.calls.length < 3) await sleep(10);
  expect(settle.mock.calls.length).toBeLessThan(10);
  expect(look.mock.calls.length).toBeLessThanOrEqual(settle.mock.calls.length);

  await feeds[0]!.append(1);
  expect(new Set(await Promise.all(waiting[0]!))).toEqual(new Set([true]));
  expect(watch.size).toBe((ORGANIZATIONS - 1) * READERS);
  for (const reader of readers) reader.abort();
  expect(new Set(await Promise.all(waiting.slice(1).flat()))).toEqual(new Set([false]));
  expect(watch.size).toBe(0);
});

it('those who wait read again when the database goes back, as it does when a standby that lags is promoted', async () => {
  const [feed] = feeds;
  await feed!.append(1);
  const { cursor: kept } = await feed!.page();
  await feed!.append(1);
  const { cursor } = await feed!.page();
  const waiting = feed!.get(`?after=${cursor}&wait=30`);
  const watch = testing.app.get(LongPoll);
  while (watch.size === 0) await sleep(5);
  const { prisma } = testing.database;
  await prisma.$executeRaw`delete from feed_batch where position = (select position from feed_head)`;
  await prisma.$executeRaw`update feed_head set position = position - 1`;
  expect((await waiting).status).toBe(410);
  expect((await feed!.get(`?after=${kept}`)).status).toBe(200);
});
