import { FeedModule } from '../../../src/feed/feed.module';
import { organizationsOn } from '../../support/organizations';
import { DAY_MS } from '../../../src/retention/retained-kind';
import { checkReplies } from '../../support/described-replies';
import { FeedClient } from '../../support/feed-client';
import { refusalOf } from '../../support/finance-client';
import { retentionOn } from '../../support/retained';
import { SettableClock } from '../../support/settable-clock';
import { TestingApp } from '../../support/testing-app';

let testing: TestingApp;
let feed: FeedClient;

beforeAll(async () => {
  testing = await TestingApp.open({ imports: [FeedModule], prepare: checkReplies });
});
beforeEach(async () => {
  feed = await FeedClient.of(testing);
  await testing.database.transaction((tx) =>
    organizationsOn(testing.database).update(tx, feed.organization.id, {
      retention: { feed: 30, feedUnread: 60 },
    }),
  );
});
afterAll(() => testing.close());

/** Removes what is no longer kept so many days from now. */
async function removeAfter(days: number): Promise<void> {
  const clock = new SettableClock(new Date(Date.now() + days * DAY_MS).toISOString());
  await retentionOn(testing.database, clock).retention.run();
}

describe('a feed whose old changes were removed', () => {
  it('begins with the oldest that is kept where no cursor is given', async () => {
    await feed.append(2);
    const first = await feed.page();
    await removeAfter(31);
    expect(await feed.page()).toEqual({ items: [], cursor: first.cursor, more: false });
    await feed.append(1);
    const [item] = await feed.rest();
    expect(await feed.rest(first.cursor)).toEqual([item]);
  });

  it('refuses a cursor of before with what to do, in the feed and to be stored', async () => {
    const empty = (await feed.page()).cursor;
    await feed.append(3);
    const { cursor } = await feed.page({ limit: 1 });
    await removeAfter(31);
    await feed.append(1);
    for (const old of [empty, cursor]) {
      const refused = await feed.get(`?after=${old}`);
      expect(refusalOf(refused)).toBe('410 cursor-expired');
      expect((refused.body as { detail: string }).detail).toMatch(
        /removed on \d{4}-\d\d-\d\d.*GET \/feed without a cursor/,
      );
      expect(refusalOf(await feed.acknowledge('erp', old))).toBe('410 cursor-expired');
      expect(refusalOf(await feed.get(`?after=${old}&types=attention.required`))).toBe('410 cursor-expired');
    }
  });

  it('still refuses a cursor of another organization as one that it does not know', async () => {
    await feed.append(1);
    const other = await FeedClient.of(testing);
    await other.append(1);
    const { cursor } = await other.page();
    await removeAfter(31);
    expect(refusalOf(await feed.get(`?after=${cursor}`))).toBe('410 cursor-unknown');
  });

  it('waits for a connector that has stored a cursor, up to the hard limit, and shows it its last place', async () => {
    await feed.append(2);
    const { cursor } = await feed.page({ limit: 1 });
    await feed.acknowledge('erp', cursor);
    await removeAfter(59);
    expect(await feed.rest(cursor)).toHaveLength(1);
    await removeAfter(61);
    expect(refusalOf(await feed.get(`?after=${cursor}`))).toBe('410 cursor-expired');
    expect((await feed.get('/cursors/erp')).body).toMatchObject({ cursor });
  });
});
