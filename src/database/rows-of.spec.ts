import { openTestDatabase } from '../../test/support/database';
import { intArray, textArray } from './binary-array';
import type { Database } from './database';
import { rowsOf } from './rows-of';

describe('rows out of arrays', () => {
  const rows = rowsOf('number int, name text');
  let database: Database;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  function read(numbers: (number | null)[], names: (string | null)[]): Promise<object[]> {
    const statement = { name: 'rows-of', text: `select r.number, r.name from ${rows} r` };
    return database.query(statement, [intArray(numbers), textArray(names)]);
  }

  it('have the elements of one place side by side, in the order of the arrays', async () => {
    await expect(read([3, 1, null, 2], ['c', 'a', 'b', null])).resolves.toEqual([
      { number: 3, name: 'c' },
      { number: 1, name: 'a' },
      { number: null, name: 'b' },
      { number: 2, name: null },
    ]);
  });

  it('are none where there are no elements', async () => {
    await expect(read([], [])).resolves.toEqual([]);
  });

  it('have NULL where an array has ended', async () => {
    await expect(read([1, 2], ['a'])).resolves.toEqual([
      { number: 1, name: 'a' },
      { number: 2, name: null },
    ]);
  });

  it('are read from the arrays, and not from tables into which these were copied', async () => {
    const statement = { name: 'plan-of-rows', text: `explain select r.number, r.name from ${rows} r` };
    const plan = JSON.stringify(await database.query(statement, [intArray([1]), textArray(['a'])]));
    expect(plan).toContain('ProjectSet');
    expect(plan).not.toContain('Function Scan');
  });
});
