import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { openTestDatabase } from '../../test/support/database';
import { type Arrival, Inbox } from './inbox';
import { LEAST_WAITING, UNMEASURED_WAITING } from './intake-pace';

describe('the inbox', () => {
  let database: Database;
  let inbox: Inbox;
  let statements: number;
  const sourceId = newId();
  const organizationId = newId();

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  beforeEach(async () => {
    await database.prisma.delivery.deleteMany();
    statements = 0;
    const query = database.query.bind(database);
    jest.spyOn(database, 'query').mockImplementation((statement, values) => {
      statements += 1;
      return query(statement, values);
    });
    inbox = new Inbox(database);
  });

  afterEach(() => jest.restoreAllMocks());

  function arrival(dedupeKey: string, fields: Partial<Arrival> = {}): Arrival {
    const identity = { topic: 'orders/paid', dedupeKey, orderingKey: `order/${dedupeKey}`, attributes: {} };
    return {
      organizationId,
      sourceId,
      identity,
      body: Buffer.from(dedupeKey),
      receivedAt: new Date(),
      ...fields,
    };
  }

  it('stores what arrives together together, every body under its own name', async () => {
    const arrivals = Array.from({ length: 200 }, (_, index) => arrival(`k${index}`));
    const receipts = await Promise.all(arrivals.map((each) => inbox.accept(each)));
    expect(statements).toBe(1);
    const bodies = await database.prisma.deliveryBody.findMany();
    const stored = new Map(bodies.map(({ id, body }) => [id, Buffer.from(body).toString()]));
    expect(receipts.map(({ id }) => stored.get(id))).toEqual(arrivals.map(({ body }) => body.toString()));
    expect(receipts.every(({ duplicate }) => !duplicate)).toBe(true);
  });

  it('gives a duplicate the name of the first, in the same batch or long after', async () => {
    const together = await Promise.all([inbox.accept(arrival('same')), inbox.accept(arrival('same'))]);
    expect(together.filter(({ duplicate }) => duplicate)).toHaveLength(1);
    expect(new Set(together.map(({ id }) => id)).size).toBe(1);
    expect(await inbox.accept(arrival('same'))).toEqual({ id: together[0]?.id, duplicate: true });
    expect(await database.prisma.delivery.count()).toBe(1);
  });

  it('keeps the same key of another source apart', async () => {
    await inbox.accept(arrival('key'));
    expect((await inbox.accept(arrival('key', { sourceId: newId() }))).duplicate).toBe(false);
  });

  it('loses no neighbour of one that the database will not take', async () => {
    const arrivals = Array.from({ length: 33 }, (_, index) => arrival(`n${index}`));
    arrivals[16] = arrival('bad', { organizationId: 'no uuid' });
    const ends = await Promise.allSettled(arrivals.map((each) => inbox.accept(each)));
    expect(ends.map(({ status }) => status).filter((status) => status === 'rejected')).toHaveLength(1);
    expect(ends[16]?.status).toBe('rejected');
    expect(await database.prisma.delivery.count()).toBe(32);
  });

  it('takes names with anything in them, and bounds them without mixing them up', async () => {
    const long = 'x'.repeat(5_000);
    const names = ['nul \u0000', 'half \ud800', `${long}1`, `${long}2`];
    const receipts = await Promise.all(names.map((name) => inbox.accept(arrival(name))));
    expect(new Set(receipts.map(({ id }) => id)).size).toBe(names.length);
    const rows = await database.prisma.delivery.findMany();
    expect(Math.max(...rows.map(({ dedupeKey }) => dedupeKey.length))).toBeLessThanOrEqual(200);
  });

  it('refuses more arrivals than may wait, at once and with a time to come back, and stores the rest', async () => {
    const ends = await Promise.allSettled(
      Array.from({ length: UNMEASURED_WAITING + 4 }, (_, index) => inbox.accept(arrival(`m${index}`))),
    );
    const refused = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
    expect(refused).toHaveLength(4);
    expect(refused[0]).toMatchObject({ code: 'saturated', extras: { retryAfterSeconds: 2 } });
    expect(await database.prisma.delivery.count()).toBe(UNMEASURED_WAITING);
    expect([inbox.backlog, inbox.full]).toEqual([0, false]);
    expect((await inbox.accept(arrival('afterwards'))).duplicate).toBe(false);
  });

  it('is full sooner when storing has turned out to be slow, and never for what ordinary senders send', async () => {
    jest.spyOn(performance, 'now').mockImplementation(() => (statements === 0 ? 0 : 60_000));
    await Promise.all(Array.from({ length: 64 }, (_, index) => inbox.accept(arrival(`s${index}`))));
    const after = Array.from({ length: LEAST_WAITING + 1 }, (_, index) => inbox.accept(arrival(`t${index}`)));
    const ends = await Promise.allSettled(after);
    expect(ends.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([
      LEAST_WAITING,
    ]);
  });

  it('refuses more bytes than it can hold while the database does not answer', async () => {
    jest.spyOn(database, 'query').mockReturnValue(new Promise(() => undefined));
    const body = Buffer.alloc(16 * 1024 * 1024);
    for (let index = 0; index < 2; index += 1) void inbox.accept(arrival(`b${index}`, { body }));
    await expect(inbox.accept(arrival('one more'))).rejects.toMatchObject({ code: 'saturated' });
    // The statements that hang are under way before the database is itself again.
    await nextTurn();
  });

  it('tells whoever works when something new is stored, and not for duplicates', async () => {
    let told = 0;
    inbox.onStored(() => {
      told += 1;
    });
    await inbox.accept(arrival('news'));
    await inbox.accept(arrival('news'));
    expect(told).toBe(1);
  });

  it('tells every sender of a batch that the database is gone', async () => {
    jest.spyOn(database, 'query').mockRejectedValue(new Error('connection closed'));
    const ends = await Promise.allSettled([inbox.accept(arrival('a')), inbox.accept(arrival('b'))]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
