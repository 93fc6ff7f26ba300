import { openTestDatabase } from '../../../test/support/database';
import { Company } from '../../../test/support/company';
import type { Database } from '../../database/database';
import { newId } from '../../kernel/identifier';
import type { Arrival } from '../inbox';
import { Comparisons } from './comparisons.repository';

let database: Database;
let organizationId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  organizationId = (await Company.found(database)).organization.id;
});
afterAll(() => database.close());

async function source(): Promise<string> {
  const id = newId();
  await database.prisma.source.create({
    data: { id, organizationId, slug: id, provider: 'woocommerce', settings: {} },
  });
  return id;
}

/*
 * Times are stored to the millisecond, and the database rounds to the nearest: what was rounded up would be due in the future for
 * the next half millisecond. Within one transaction the statements follow one another soon enough to see that.
 */
it('has a new source, and the next period of one that is behind, due at once and not a fraction of a millisecond later', async () => {
  for (let count = 0; count < 20; count += 1) {
    const id = await source();
    await database.transaction(async (tx) => {
      const comparisons = new Comparisons({ prisma: tx } as unknown as Database);
      await comparisons.ensure([id]);
      const lease = await comparisons.take([id]);
      expect(lease).toMatchObject({ id });
      if (lease) await comparisons.end(lease, { found: 0, againInSeconds: 0 });
      expect(await comparisons.take([id])).toMatchObject({ id });
    });
  }
});

describe('what came about an entity', () => {
  const CHANGED_AT = new Date('2026-11-20T10:00:00Z');
  const LATER = new Date('2026-11-20T10:01:00Z');

  /** A source of which one delivery came, done or waiting, and what a comparison would store about the same. */
  async function arrived(
    topic: string,
    { state, receivedAt = LATER }: { state: 'done' | 'waiting'; receivedAt?: Date },
  ): Promise<{ arrival: Arrival; businessKey: string }> {
    const sourceId = await source();
    const businessKey = `${sourceId}/order/7`;
    await database.prisma.delivery.create({
      data: {
        ...{ id: newId(), organizationId, sourceId, topic, dedupeKey: newId(), lane: `${sourceId}/order/7` },
        ...{ attributes: {}, receivedAt, readyAt: receivedAt, state },
        ...(state === 'done' && { businessKey, finishedAt: receivedAt }),
      },
    });
    const identity = { topic: 'any', dedupeKey: newId(), orderingKey: 'order/7', attributes: {} };
    return {
      businessKey,
      arrival: { organizationId, sourceId, identity, body: Buffer.alloc(0), receivedAt: LATER },
    };
  }

  it.each(['done', 'waiting'] as const)('counts once it came since, by its topic (%s)', async (state) => {
    const comparisons = new Comparisons(database);
    const { arrival, businessKey } = await arrived('receipt', { state });
    const isKnown = (topics?: string[]) => comparisons.isKnown(arrival, { businessKey, topics }, CHANGED_AT);
    expect(await isKnown()).toBe(true);
    expect(await isKnown(['order', 'receipt'])).toBe(true);
    expect(await isKnown(['order'])).toBe(false);
    expect(await isKnown([])).toBe(false);
  });

  it.each(['done', 'waiting'] as const)('does not count where it came before (%s)', async (state) => {
    const receivedAt = new Date('2026-11-20T09:59:59.999Z');
    const { arrival, businessKey } = await arrived('receipt', { state, receivedAt });
    const known = new Comparisons(database).isKnown(
      arrival,
      { businessKey, topics: ['receipt'] },
      CHANGED_AT,
    );
    expect(await known).toBe(false);
  });
});
