import { migrate, type MigrationTarget } from '../src/database/migrations';
import { migrateUpTo } from './support/earlier-migrations';
import { type EmptyDatabase, openEmptyDatabase } from './support/empty-database';

const MIGRATION = '20261125072710_shared_feed_data';

let database: EmptyDatabase;

beforeAll(async () => {
  database = await openEmptyDatabase();
  await migrateUpTo(database.target, MIGRATION);
});
afterAll(() => database.close());

type Rows = Awaited<ReturnType<typeof rows>>;

function rows(sql: string, values: unknown[] = []) {
  const { target }: { target: MigrationTarget } = database;
  return target.transaction((session) => session.rows(sql, values));
}

/** As the version before appends changes. */
function append(batch: number, ...data: string[]): Promise<Rows> {
  return rows(
    `insert into feed_change (batch_id, number, type, subject, business_key, delivery_id, data)
    select $1::bigint, c.number, 'schedule.paid', 'schedule/x', 'key', null, c.data::json
    from unnest($2::text[]) with ordinality as c(data, number)`,
    [batch, data],
  );
}

const read = (): Promise<Rows> =>
  rows(
    'select batch_id::int as batch, number, data::text as data from feed_change order by batch_id, number',
  );

it('the version before reads and appends changes as it did, beside those that have the data of another', async () => {
  await append(1, '{"a":1}', '{"b": 2.50}');
  expect(await migrate(database.target)).toContain(MIGRATION);
  await append(2, '{"c":3}');
  await rows(`insert into feed_stored_change (batch_id, number, type, subject, data, data_of)
    values (3, 1, 'credit-schedule.created', 'credit-schedule/x', '{"d":4}', null),
      (3, 2, 'schedule.paid', 'schedule/x', null, 1)`);
  expect(await read()).toEqual([
    { batch: 1, number: 1, data: '{"a":1}' },
    { batch: 1, number: 2, data: '{"b": 2.50}' },
    { batch: 2, number: 1, data: '{"c":3}' },
    { batch: 3, number: 1, data: '{"d":4}' },
    { batch: 3, number: 2, data: '{"d":4}' },
  ]);
});

it('a change has data of its own or that of another, and not both or neither', async () => {
  const store = (data: string, dataOf: string) =>
    rows(`insert into feed_stored_change (batch_id, number, type, subject, data, data_of)
      values (9, 1, 'schedule.paid', 'schedule/x', ${data}, ${dataOf})`);
  await expect(store('null', 'null')).rejects.toThrow('feed_stored_change_data_once');
  await expect(store(`'{}'`, '1')).rejects.toThrow('feed_stored_change_data_once');
});
