import { setTimeout as sleep } from 'node:timers/promises';
import type { FeedPageView } from '../../../src/feed/feed.dto';
import { FeedModule } from '../../../src/feed/feed.module';
import { LongPoll } from '../../../src/feed/long-poll';
import { writeCursor } from '../../../src/feed/cursor';
import { checkReplies } from '../../support/described-replies';
import { FeedClient, numbersOf } from '../../support/feed-client';
import { TestingApp } from '../../support/testing-app';

let testing: TestingApp;
let feed: FeedClient;

beforeAll(async () => {
  testing = await TestingApp.open({
    imports: [FeedModule],
    env: { MAX_REQUESTS_IN_FLIGHT: '4' },
    prepare: checkReplies,
  });
});
beforeEach(async () => {
  feed = await FeedClient.of(testing);
});
afterAll(() => testing.close());

const BEGINNING = /^[\w-]{28}$/;

/** Milliseconds: far from how long it takes, and from how long a reader would have waited. */
const LATE = 18_000;

/** Fails when something that should come at once takes most of the time that a reader would have waited. */
async function soon<T>(work: Promise<T>): Promise<T> {
  const late = sleep(LATE, 'late' as const, { ref: false });
  const first = await Promise.race([work, late]);
  if (first === 'late') throw new Error('it came as if nothing had happened');
  return first;
}

/** Waits until so many readers wait. */
async function waitFor(size: number): Promise<void> {
  const deadline = performance.now() + LATE;
  while (testing.app.get(LongPoll).size !== size) {
    if (performance.now() > deadline) throw new Error(`${size} readers never waited`);
    await sleep(5);
  }
}

describe('the feed', () => {
  it('is empty to begin with, and has a cursor all the same', async () => {
    const page = await feed.page();
    expect(page).toEqual({ items: [], cursor: expect.stringMatching(BEGINNING), more: false });
    await feed.append(1);
    expect(numbersOf((await feed.page({ after: page.cursor })).items)).toEqual([1]);
  });

  it.each([1, 2, 3, 7, 500])('comes whole and in order in pages of %i', async (limit) => {
    for (const count of [1, 3, 1, 1, 5, 2]) await feed.append(count);
    const items = await feed.rest('', { limit });
    expect(numbersOf(items)).toEqual([1, 1, 2, 3, 1, 1, 1, 2, 3, 4, 5, 1, 2]);
    expect(new Set(items.map(({ id }) => id)).size).toBe(13);
    expect(await feed.rest('', { limit: 500 })).toEqual(items);
  });

  it('says whether more follows exactly', async () => {
    await feed.append(2);
    await feed.append(2);
    const first = await feed.page({ limit: 2 });
    const second = await feed.page({ limit: 2, after: first.cursor });
    expect([first.more, second.more]).toEqual([true, false]);
    expect(await feed.page({ after: second.cursor })).toEqual({
      items: [],
      cursor: second.cursor,
      more: false,
    });
  });

  it('gives a hundred at a time unless asked otherwise', async () => {
    await feed.append(120);
    expect((await feed.page()).items).toHaveLength(100);
  });

  it('shows each organization its own', async () => {
    const other = await FeedClient.of(testing);
    await feed.append(2);
    await other.append(3);
    expect(numbersOf(await feed.rest())).toEqual([1, 2]);
    expect(numbersOf(await other.rest())).toEqual([1, 2, 3]);
  });

  it('keeps changes that were rolled back to itself', async () => {
    await feed.append(1);
    const failing = testing.database.transaction(async (tx) => {
      await tx.$executeRaw`insert into feed_waiting (key, organization_id, changes, at)
        values (gen_random_uuid(), ${feed.organization.id}::uuid, 1, now())`;
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    await feed.append(1);
    expect(numbersOf(await feed.rest())).toEqual([1, 1]);
  });
});

describe('types', () => {
  it('leave out the others, and the cursor goes past them', async () => {
    await feed.append(3, 'account.created');
    await feed.append(2, 'account.updated');
    await feed.append(1, 'transfer.made');
    await feed.append(2, 'account.created');
    const types = 'account.updated, transfer.made';
    const items = await feed.rest('', { types, limit: 2 });
    expect(items.map(({ type }) => type)).toEqual(['account.updated', 'account.updated', 'transfer.made']);
    const { cursor, more } = await feed.page({ types });
    expect(more).toBe(false);
    expect(await feed.rest(cursor)).toEqual([]);
  });

  it('fill a page from further on where few of what comes next are of them', async () => {
    await feed.append(1, 'transfer.made');
    for (let batch = 0; batch < 9; batch += 1) await feed.append(7, 'account.created');
    await feed.append(3, 'transfer.made');
    const types = 'transfer.made';
    const first = await feed.page({ types, limit: 2 });
    expect([numbersOf(first.items), first.more]).toEqual([[1, 1], true]);
    const second = await feed.page({ types, limit: 2, after: first.cursor });
    expect([numbersOf(second.items), second.more]).toEqual([[2, 3], false]);
    expect(numbersOf(await feed.rest('', { types, limit: 3 }))).toEqual([1, 1, 2, 3]);
  });

  it('look through so many changes at a time, and say that there is more', async () => {
    for (let batch = 0; batch < 6; batch += 1) await feed.append(1_000, 'account.created');
    await feed.append(1, 'transfer.made');
    const first = await feed.page({ types: 'transfer.made' });
    expect(first).toMatchObject({ items: [], more: true });
    const second = await feed.page({ types: 'transfer.made', after: first.cursor });
    expect([numbersOf(second.items), second.more]).toEqual([[1], false]);
  });

  it('look through so many changes of one batch at a time', async () => {
    await feed.append(12_000, 'account.created');
    await feed.append(1, 'transfer.made');
    let [pages, after] = [0, ''];
    for (let page; !page || page.items.length === 0; pages += 1) {
      page = await feed.page({ types: 'transfer.made', ...(after && { after }) });
      expect(page.more).toBe(page.items.length === 0);
      after = page.cursor;
    }
    expect(pages).toBe(3);
    const all = await feed.rest('', { types: 'account.created', limit: 499 });
    expect(numbersOf(all)).toEqual(Array.from({ length: 12_000 }, (_, index) => index + 1));
  });

  it('look through so many batches at a time', async () => {
    const { id } = feed.organization;
    await testing.database.prisma.$executeRaw`
      with batch as (
        insert into feed_waiting (key, organization_id, changes, at)
        select gen_random_uuid(), ${id}::uuid, 1, now() from generate_series(1, 2500) returning id
      )
      insert into feed_change (batch_id, number, type, subject, data)
      select id, 1, 'account.created', 'account/1', '{}' from batch`;
    await feed.append(1, 'transfer.made');
    expect(numbersOf(await feed.rest('', { types: 'transfer.made' }))).toEqual([1]);
    expect(await feed.rest('', { types: 'account.created', limit: 500 })).toHaveLength(2_500);
  });
});

describe('waiting', () => {
  it('ends with the first change', async () => {
    const { cursor } = await feed.page();
    const waiting = feed.page({ after: cursor, wait: 30 });
    await waitFor(1);
    await feed.append(1);
    expect(numbersOf((await waiting).items)).toEqual([1]);
  });

  it('ends after the time with nothing, and goes past changes of other types meanwhile', async () => {
    const { cursor } = await feed.page();
    const waiting = feed.page({ after: cursor, wait: 1, types: 'transfer.made' });
    await waitFor(1);
    await feed.append(2, 'account.created');
    const page = await waiting;
    expect(page).toMatchObject({ items: [], more: false });
    expect(await feed.rest(page.cursor)).toEqual([]);
  });

  it('is not ended by what happens to another organization', async () => {
    const other = await FeedClient.of(testing);
    const waiting = feed.page({ wait: 30 });
    await waitFor(1);
    const others = other.page({ wait: 30 });
    await waitFor(2);
    await other.append(1);
    await others;
    expect(testing.app.get(LongPoll).size).toBe(1);
    await feed.append(1);
    await waiting;
  });

  it('takes no room from requests that do something, and no connection to the database', async () => {
    const { cursor } = await feed.page();
    const waiting: Promise<FeedPageView>[] = [];
    for (let size = 1; size <= 50; size += 1) {
      waiting.push(feed.page({ after: cursor, wait: 30 }));
      await waitFor(size);
    }
    expect((await feed.page()).items).toEqual([]);
    await feed.append(1);
    const replies = await Promise.allSettled(waiting);
    expect(replies.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
    expect(testing.app.get(LongPoll).size).toBe(0);
  });

  it('ends when the client has gone away', async () => {
    const client = new AbortController();
    const url = `${await testing.app.getUrl()}/feed?wait=30`;
    const gone = fetch(url, { headers: { apitoken: feed.key }, signal: client.signal });
    await waitFor(1);
    client.abort();
    await expect(gone).rejects.toThrow();
    await waitFor(0);
  });

  it('can be preferred, as RFC 7240 says', async () => {
    await feed.append(1);
    const reply = await feed.get('', { prefer: 'respond-async, wait=99' });
    expect(reply.headers['preference-applied']).toBe('wait=30');
    expect((await feed.get('?wait=0', { prefer: 'wait=99' })).headers['preference-applied']).toBeUndefined();
  });
});

describe('a page that would be the same again', () => {
  it('is 304 to whoever has it', async () => {
    await feed.append(1);
    const { headers, body } = await feed.get();
    expect(headers).toMatchObject({ 'cache-control': 'private, no-cache' });
    const again = await feed.get('', { 'if-none-match': `"other", W/${headers['etag']}` });
    expect([again.status, again.text, again.headers['etag']]).toEqual([304, '', headers['etag']]);
    const end = await feed.get(`?after=${body.cursor}`);
    const waiting = jest.spyOn(testing.app.get(LongPoll), 'waitForNew').mockResolvedValueOnce(false);
    const idle = await feed.get(`?after=${body.cursor}&wait=30`, { 'if-none-match': end.headers['etag']! });
    expect([idle.status, waiting.mock.calls.length]).toEqual([304, 1]);
    waiting.mockRestore();
    await feed.append(1);
    const grown = await feed.get(`?after=${body.cursor}`, { 'if-none-match': end.headers['etag']! });
    expect([grown.status, numbersOf(grown.body.items)]).toEqual([200, [1]]);
  });
});

describe('a cursor', () => {
  async function refusal(query: string, headers = {}): Promise<[number, string, string?]> {
    const reply = await feed.get(query, headers);
    return [reply.status, reply.body.error, reply.body.parameter];
  }

  it("is refused when it is another organization's", async () => {
    const other = await FeedClient.of(testing);
    const { cursor: beginning } = await other.page();
    await other.append(1);
    const { cursor } = await other.page();
    for (const text of [beginning, cursor]) {
      expect(await refusal(`?after=${text}`)).toEqual([410, 'cursor-unknown', undefined]);
      expect((await feed.acknowledge('mine', text)).status).toBe(410);
    }
  });

  it('is refused when its changes are no longer there, as after a restore from an older copy', async () => {
    await feed.append(1);
    const { cursor: kept } = await feed.page();
    await feed.append(1);
    const { cursor: lost } = await feed.page();
    await testing.database.prisma.$executeRaw`
      delete from feed_batch where position = (select max(position) from feed_batch)`;
    expect(await refusal(`?after=${lost}`)).toEqual([410, 'cursor-unknown', undefined]);
    await testing.database.prisma.$executeRaw`update feed_head set position = position - 1`;
    await feed.append(3);
    expect(await refusal(`?after=${lost}`)).toEqual([410, 'cursor-unknown', undefined]);
    expect(numbersOf(await feed.rest(kept))).toEqual([1, 2, 3]);
  });

  it('is refused beyond its batch', async () => {
    await feed.append(2);
    const { cursor } = await feed.page();
    const bytes = Buffer.from(cursor, 'base64url');
    bytes.writeUInt32BE(3, 9);
    expect(await refusal(`?after=${bytes.toString('base64url')}`)).toEqual([
      410,
      'cursor-unknown',
      undefined,
    ]);
  });

  it.each([
    ['after', 'x'],
    ['after', 'AAAAAAAAAAAAAAAAAAAAAAAAAAAA'],
    ['limit', '0'],
    ['limit', '501'],
    ['limit', '1.5'],
    ['limit', ''],
    ['wait', '31'],
    ['wait', '-1'],
    ['types', 'account.create'],
  ])('is malformed where %s is %s', async (name, value) => {
    expect(await refusal(`?${name}=${value}`)).toEqual([400, 'malformed-request', name]);
  });

  it.each(['cursor', 'since', 'type', '$top'])('is not looked for under another name: %s', async (name) => {
    await feed.append(1);
    const { cursor } = await feed.page();
    const reply = await feed.get(`?${encodeURIComponent(name)}=${cursor}`);
    expect([reply.status, reply.body.error_description]).toEqual([
      400,
      `${name} is not known here; there are after, limit, wait, types, organization, apitoken`,
    ]);
  });

  it('is malformed where it is too long', async () => {
    expect(await refusal(`?after=${'x'.repeat(5_000)}`)).toEqual([400, 'malformed-request', 'after']);
  });

  it('needs a key with the scope', async () => {
    const { key } = await testing.makeKey(feed.organization, 'finance:read', 'finance:write');
    expect(await refusal('', { apitoken: key })).toEqual([403, 'scope-missing', undefined]);
    const bare = await testing.http.get('/feed');
    expect(bare.status).toBe(401);
  });
});

describe('a named cursor', () => {
  it('is where a connector goes on, until it is forgotten', async () => {
    expect((await feed.get('/cursors/erp-1')).status).toBe(404);
    await feed.append(2);
    const { cursor } = await feed.page({ limit: 1 });
    const put = await feed.acknowledge('erp-1', cursor);
    expect([put.status, put.body]).toEqual([200, { name: 'erp-1', cursor, updatedAt: expect.any(String) }]);
    const resumed = await feed.get('/cursors/erp-1');
    expect(resumed.body).toEqual(put.body);
    expect(numbersOf(await feed.rest(resumed.body.cursor))).toEqual([2]);
    const { cursor: end } = await feed.page();
    await feed.acknowledge('erp-1', end);
    expect((await feed.get('/cursors/erp-1')).body.cursor).toBe(end);
    const forget = () => testing.http.delete('/feed/cursors/erp-1').set('apitoken', feed.key);
    expect([(await forget()).status, (await forget()).status]).toEqual([204, 404]);
  });

  it('is found by whoever does not know what connectors there are', async () => {
    const items = async () =>
      (await testing.http.get('/feed/cursors').set('apitoken', feed.key)).body as object;
    expect(await items()).toEqual({ items: [] });
    const { cursor } = await feed.page();
    const theirs = await FeedClient.of(testing);
    await theirs.acknowledge('theirs', (await theirs.page()).cursor);
    const put = [await feed.acknowledge('old-erp', cursor), await feed.acknowledge('erp', cursor)];
    expect(await items()).toEqual({ items: [put[1]!.body, put[0]!.body] });
  });

  it('belongs to its organization', async () => {
    const other = await FeedClient.of(testing);
    await feed.acknowledge('erp', (await feed.page()).cursor);
    expect((await other.get('/cursors/erp')).status).toBe(404);
  });

  it('must be a cursor under a name', async () => {
    const { cursor } = await feed.page();
    const bad = await feed.acknowledge('erp', 'nothing');
    expect([bad.status, bad.body.errors[0].pointer]).toEqual([422, '/cursor']);
    expect((await feed.acknowledge('erp', 7)).status).toBe(422);
    expect((await feed.acknowledge('-erp', cursor)).status).toBe(400);
    expect((await feed.acknowledge('x'.repeat(101), cursor)).status).toBe(400);
    const forged = { position: 1n, number: 1, check: '0011223344556677' };
    expect((await feed.acknowledge('erp', writeCursor(forged))).status).toBe(410);
  });

  it('is one of a hundred at most', async () => {
    const { cursor } = await feed.page();
    for (let name = 1; name <= 100; name += 1) await feed.acknowledge(`c${name}`, cursor);
    expect((await feed.acknowledge('c101', cursor)).status).toBe(409);
    expect((await feed.acknowledge('c100', cursor)).status).toBe(200);
  });
});

describe('the end of the process', () => {
  it('ends those who wait', async () => {
    const own = await TestingApp.open({ imports: [FeedModule], database: testing.database });
    const reader = await FeedClient.of(own);
    const waiting = reader.page({ wait: 30 });
    while (own.app.get(LongPoll).size === 0) await sleep(5);
    own.app.getHttpServer().close();
    expect((await soon(waiting)).items).toEqual([]);
    await own.close();
  });
});
