import { arrive as storeArrivals } from '../../test/support/arrivals';
import { openTestDatabase } from '../../test/support/database';
import type { DeliveryState } from '../database/client/client';
import type { Database } from '../database/database';
import { newId } from '../kernel/identifier';
import type { Organization } from '../kernel/organization';
import { DeliveryList } from './delivery-list.repository';

const NOW = new Date('2026-11-21T12:00:00Z');
const LATER = new Date('2026-11-21T12:10:00Z');

describe('what is not done, found apart from the deliveries', () => {
  const organization = { id: newId() } as Organization;
  let database: Database;

  beforeAll(async () => {
    database = await openTestDatabase();
  });

  afterAll(() => database.close());

  beforeEach(() => database.prisma.delivery.deleteMany());

  function arrive(...lanes: string[]): Promise<string[]> {
    return storeArrivals(database, lanes, { organizationId: organization.id, receivedAt: NOW });
  }

  async function change(ids: string[], state: DeliveryState, data: object = {}): Promise<void> {
    const settled = { reason: 'a reason', finishedAt: NOW };
    await database.prisma.delivery.updateMany({
      where: { id: { in: ids } },
      data: { state, ...settled, ...data },
    });
  }

  /** Both tables say the same of every delivery that is not done. */
  async function expectOpen(ids: string[]): Promise<void> {
    const select = {
      ...{ id: true, organizationId: true, sourceId: true, topic: true, lane: true, seq: true },
      ...{ state: true, receivedAt: true, readyAt: true, leaseId: true },
    };
    const orderBy = { id: 'asc' } as const;
    const open = await database.prisma.openDelivery.findMany({ select, orderBy });
    const where = { state: { not: 'done' } } as const;
    expect(open).toEqual(await database.prisma.delivery.findMany({ select, orderBy, where }));
    expect(open.map(({ id }) => id)).toEqual([...ids].sort());
  }

  it('follows them from their arrival to their end, and back to work', async () => {
    const [one, two, three, four] = (await arrive('a', 'a', 'b', 'c')) as [string, string, string, string];
    await expectOpen([one, two, three, four]);
    await change([one], 'done');
    await change([two], 'dead');
    await change([three], 'discarded');
    await expectOpen([two, three, four]);
    await change([four], 'waiting', { readyAt: LATER, leaseId: newId(), seq: 0n });
    await expectOpen([two, three, four]);
    await change([one, two], 'waiting');
    await expectOpen([one, two, three, four]);
    await database.prisma.delivery.delete({ where: { id: two } });
    await change([one, three, four], 'done');
    await expectOpen([]);
  });

  it('is as it was when a transaction fails', async () => {
    const ids = await arrive('a', 'b');
    const failed = database.transaction(async (tx) => {
      await tx.delivery.updateMany({ data: { state: 'done', finishedAt: NOW } });
      throw new Error('crash');
    });
    await expect(failed).rejects.toThrow('crash');
    await expectOpen(ids);
  });

  it('contains nothing that was there already when it arrived again', async () => {
    const [first] = (await arrive('a')) as [string];
    await change([first], 'done');
    const row = await database.prisma.delivery.findUniqueOrThrow({ where: { id: first } });
    const again = { ...row, id: newId(), attributes: {}, seq: undefined, state: 'waiting' as const };
    await database.prisma.delivery.createMany({ data: [again], skipDuplicates: true });
    await expectOpen([]);
  });

  it('is forgotten with them', async () => {
    await arrive('a');
    await database.prisma.$executeRaw`truncate delivery`;
    await expectOpen([]);
  });

  it('lists the deliveries of an entity, and no longer those that were found to speak of another', async () => {
    const [one, two] = (await arrive('a', 'b')) as [string, string];
    await change([one, two], 'done', { businessKey: 'shop/order/1' });
    const of = async (businessKey: string) =>
      (await new DeliveryList(database).list(organization, { businessKey }, { limit: 10 })).map(
        ({ id }) => id,
      );
    expect(await of('shop/order/1')).toEqual([two, one]);
    await change([one], 'done', { businessKey: 'shop/order/2' });
    expect([await of('shop/order/1'), await of('shop/order/2')]).toEqual([[two], [one]]);
    await change([one], 'done', { businessKey: 'shop/order/1' });
    expect([await of('shop/order/1'), await of('shop/order/2')]).toEqual([[two, one], []]);
  });
});
