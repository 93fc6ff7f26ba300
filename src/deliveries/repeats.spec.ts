import { openTestDatabase } from '../../test/support/database';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import { type Arrival, Inbox } from './inbox';

describe('webhooks that come again', () => {
  let database: Database;
  let inbox: Inbox;
  const sourceId = newId();

  beforeAll(async () => {
    database = await openTestDatabase();
    inbox = new Inbox(database);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => database.close());

  function arrival(dedupeKey: string, minute = 0, fields: Partial<Arrival> = {}): Arrival {
    return {
      ...{ organizationId: newId(), sourceId, body: Buffer.from('{}'), receivedAt: at(minute) },
      identity: { topic: 'orders/paid', dedupeKey, orderingKey: 'order/1', attributes: {} },
      ...fields,
    };
  }
  const at = (minute: number): Date => new Date(Date.UTC(2026, 10, 26, 12, minute));
  const repeatsOf = (deliveryId: string) =>
    database.prisma.deliveryRepeat.findUnique({
      where: { deliveryId },
      select: { count: true, lastAt: true },
    });

  it('are counted, with the time of the latest', async () => {
    const { id } = await inbox.accept(arrival('thrice'));
    expect(await repeatsOf(id)).toBeNull();
    expect(await inbox.accept(arrival('thrice', 9))).toEqual({ id, duplicate: true });
    expect(await inbox.accept(arrival('thrice', 5))).toEqual({ id, duplicate: true });
    expect(await repeatsOf(id)).toEqual({ count: 2, lastAt: at(9) });
  });

  it('are counted where one batch has a webhook three times, among others', async () => {
    const { id: known } = await inbox.accept(arrival('known'));
    const keys = ['new', 'known', 'new', 'other', 'new', 'known'];
    const receipts = await Promise.all(keys.map((key, minute) => inbox.accept(arrival(key, minute))));
    const [first] = receipts.filter((_receipt, index) => keys[index] === 'new');
    expect(await repeatsOf(first!.id)).toEqual({ count: 2, lastAt: expect.any(Date) });
    expect(await repeatsOf(known)).toEqual({ count: 2, lastAt: at(5) });
    expect(await repeatsOf(receipts[3]!.id)).toBeNull();
  });

  it('are numbered as they arrived, whatever their keys', async () => {
    const keys = ['c', 'a', 'b', 'a', 'B'].map((key) => `numbered ${key}`);
    const receipts = await Promise.all(keys.map((key) => inbox.accept(arrival(key))));
    expect(receipts.map(({ duplicate }) => duplicate)).toEqual([false, false, false, true, false]);
    const stored = await database.prisma.delivery.findMany({
      where: { dedupeKey: { startsWith: 'numbered ' } },
      orderBy: { seq: 'asc' },
      select: { dedupeKey: true },
    });
    expect(stored.map(({ dedupeKey }) => dedupeKey)).toEqual(keys.toSpliced(3, 1));
  });

  it.each(['import', 'comparison'] as const)(
    'are not counted when Ponte itself has it by %s',
    async (origin) => {
      const { id } = await inbox.accept(arrival(origin));
      expect((await inbox.accept(arrival(origin, 1, { origin }))).duplicate).toBe(true);
      expect(await repeatsOf(id)).toBeNull();
      const [again] = await Promise.all([
        inbox.accept(arrival(origin, 2)),
        inbox.accept(arrival(origin, 3, { origin })),
      ]);
      expect(again).toEqual({ id, duplicate: true });
      expect(await repeatsOf(id)).toEqual({ count: 1, lastAt: at(2) });
    },
  );

  it('cost one statement where there is none, and two where there are', async () => {
    const query = database.query.bind(database);
    const asked: string[] = [];
    jest.spyOn(database, 'query').mockImplementation((statement, values) => {
      asked.push(String(statement.name));
      return query(statement, values);
    });
    await inbox.accept(arrival('once'));
    expect(asked.splice(0)).toEqual(['store-deliveries']);
    await inbox.accept(arrival('once'));
    expect(asked).toEqual(['store-deliveries', 'find-deliveries']);
  });
});
