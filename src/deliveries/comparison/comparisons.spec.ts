import { openTestDatabase } from '../../../test/support/database';
import { Company } from '../../../test/support/company';
import type { Database } from '../../database/database';
import { newId } from '../../kernel/identifier';
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
 * Times are stored to the millisecond, and the database rounds to the nearest. Within one transaction its clock stands
 * still, so what was rounded up would be due in the future there.
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
