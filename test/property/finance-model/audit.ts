import { verifyCounts } from '../../../src/finance/embedded/counts/counts.repository';
import { verifyLedger } from '../../../src/finance/embedded/ledger/verify';
import type { Book, Totals } from './books';
import { listsOf, readAll } from './lists';
import type { World } from './world';

/** Compares everything the interface shows with the model, and the books themselves with both. */
export async function audit(world: World): Promise<void> {
  for (const [name, list] of Object.entries(listsOf(world))) {
    const { found, expected } = await readAll(list, world.books.today);
    expect({ [name]: found }).toEqual({ [name]: expected });
  }
  const totals = await totalsOf(world);
  expect(totals).toEqual(world.books.totals);
  expect(Object.values(totals).reduce((sum, total) => sum + total, 0)).toBe(0);
}

/** Every number of the database follows from its entries and records. It reads all of them, of every company. */
export async function verify({ database }: World): Promise<void> {
  expect((await verifyLedger(database.prisma)).difference).toBeUndefined();
  expect(await verifyCounts(database.prisma)).toBeUndefined();
}

/** What the entries alone come to. */
async function totalsOf({ database, organization }: World): Promise<Totals> {
  const rows = await database.prisma.$queryRaw<{ book: Book; minor: bigint }[]>`
    select book, sum(minor)::bigint as minor from (
      select debit_book as book, amount_minor as minor from entry where organization_id = ${organization.id}::uuid
      union all
      select credit_book, -amount_minor from entry where organization_id = ${organization.id}::uuid
    ) as sides group by book`;
  const totals: Totals = { account: 0, receivable: 0, payable: 0, income: 0, expense: 0, equity: 0 };
  for (const { book, minor } of rows) totals[book] = Number(minor);
  return totals;
}
