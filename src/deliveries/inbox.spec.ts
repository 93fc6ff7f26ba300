import { setImmediate as nextTick } from 'node:timers/promises';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { openTestDatabase } from '../../test/support/database';
import { FetchedAnswers } from './fetch-back/fetched-answers.repository';
import { type Arrival, Inbox } from './inbox';
import { MIN_IN_FLIGHT, UNMEASURED_IN_FLIGHT } from './admission-limit';

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

  it('stores anew what repeats a delivery that is being fetched by the time it is looked for', async () => {
    const identity = {
      topic: 'order/paid',
      orderingKey: 'order/7',
      attributes: {},
      untilFetched: true,
    } as const;
    const notification = arrival('thin', { identity: { ...identity, dedupeKey: 'thin' } });
    const first = await inbox.accept(notification);
    expect(await inbox.accept(notification)).toEqual({ id: first.id, duplicate: true });
    let isOver = false;
    const query = jest.mocked(database.query).getMockImplementation()!;
    jest.spyOn(database, 'query').mockImplementation(async (statement, values) => {
      if (statement.name === 'find-deliveries' && !isOver) {
        isOver = true;
        await database.transaction((tx) => new FetchedAnswers().begin(tx, [first.id]));
      }
      return query(statement, values);
    });
    const later = await inbox.accept(notification);
    expect(later).toEqual({ id: expect.not.stringMatching(first.id) as string, duplicate: false });
    expect(await database.prisma.delivery.count()).toBe(2);
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

  /** Accepts until the inbox is full. */
  function fill(tag: string): Promise<unknown>[] {
    const accepted: Promise<unknown>[] = [];
    while (!inbox.full) accepted.push(inbox.accept(arrival(`${tag}${accepted.length}`)));
    return accepted;
  }

  it('is full when as much is in flight as may be, until that is stored', async () => {
    const accepted = fill('m');
    expect(accepted).toHaveLength(UNMEASURED_IN_FLIGHT);
    expect([inbox.inFlight, inbox.full]).toEqual([UNMEASURED_IN_FLIGHT, true]);
    await Promise.all(accepted);
    expect([inbox.inFlight, inbox.full]).toEqual([0, false]);
    expect(await database.prisma.delivery.count()).toBe(UNMEASURED_IN_FLIGHT);
  });

  it('is full sooner when storing has turned out to be slow, and never for what ordinary senders send', async () => {
    jest.spyOn(performance, 'now').mockImplementation(() => (statements === 0 ? 0 : 60_000));
    await Promise.all(Array.from({ length: 64 }, (_, index) => inbox.accept(arrival(`s${index}`))));
    const accepted = fill('t');
    expect(accepted).toHaveLength(MIN_IN_FLIGHT);
    await Promise.all(accepted);
  });

  it('is crowded by more than ordinary senders send', async () => {
    const accepted = Array.from({ length: MIN_IN_FLIGHT - 1 }, (_, index) =>
      inbox.accept(arrival(`c${index}`)),
    );
    expect(inbox.crowded).toBe(false);
    accepted.push(inbox.accept(arrival('one more')));
    expect(inbox.crowded).toBe(true);
    await Promise.all(accepted);
  });

  it('is full of bytes as well while the database does not answer, and no longer when it is gone', async () => {
    const fails: ((error: Error) => void)[] = [];
    jest.spyOn(database, 'query').mockImplementation(() => new Promise((_, reject) => fails.push(reject)));
    const body = Buffer.alloc(16 * 1024 * 1024);
    const accepted = [0, 1].map((index) => inbox.accept(arrival(`b${index}`, { body })));
    expect(inbox.full).toBe(true);
    while (fails.length < accepted.length) await nextTick();
    // What is being written is in flight as well.
    expect([inbox.inFlight, inbox.full]).toEqual([2, true]);
    for (const fail of fails) fail(new Error('connection closed'));
    await Promise.allSettled(accepted);
    expect([inbox.inFlight, inbox.full]).toEqual([0, false]);
  });

  it('notifies its listeners when something new is stored, and not for duplicates', async () => {
    let notified = 0;
    inbox.onStored(() => {
      notified += 1;
    });
    await inbox.accept(arrival('news'));
    await inbox.accept(arrival('news'));
    expect(notified).toBe(1);
  });

  it('answers every sender of a batch that the database is gone', async () => {
    jest.spyOn(database, 'query').mockRejectedValue(new Error('connection closed'));
    const ends = await Promise.allSettled([inbox.accept(arrival('a')), inbox.accept(arrival('b'))]);
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  });
});
