import { Client } from 'pg';
import { RecordedRows } from '../../bench/limits/recorded-rows';
import { Settings } from '../../src/config/settings';
import { openDatabase } from '../../src/database/open-database';
import { Company, receiptEffect } from '../support/company';
import { testDatabasePlace, type TestDatabasePlace } from '../support/database';

const DIGEST = 'select md5(string_agg(e::text, $1 order by id)) as digest from entry e';

describe('rows that were put aside', () => {
  let place: TestDatabasePlace;
  let client: Client;

  beforeAll(async () => {
    place = await testDatabasePlace();
    const database = await openDatabase(new Settings({ ...place.environment, DATA_DIR: 'none' }));
    const company = await Company.found(database);
    for (let number = 1; number <= 5; number += 1) {
      const schedules = await company.schedules({ customer: await company.customer(), value: '100.00' });
      await company.apply(receiptEffect(`receipt/${number}`, { schedules, value: '60.00' }));
    }
    await database.close();
    client = new Client({ connectionString: place.environment['DATABASE_URL'] });
    await client.connect();
  });
  afterAll(async () => {
    await client.end();
    await place.drop();
  });

  it('are written again, all of them as they were, as often as is asked', async () => {
    const before = await client.query(DIGEST, [',']);
    const recorded = await RecordedRows.putAside(client, 2);
    const counts = await recorded.counts();
    expect(counts.find(({ name }) => name === 'entry')).toEqual({ name: 'entry', now: 10, recorded: 10 });
    for (let round = 1; round <= 2; round += 1) {
      await recorded.empty();
      expect((await recorded.counts()).every(({ now }) => now === 0)).toBe(true);
      await recorded.writeAgain();
      expect(await recorded.counts()).toEqual(counts);
    }
    expect((await client.query(DIGEST, [','])).rows).toEqual(before.rows);
  });

  it('leave the books with their triggers', async () => {
    await expect(client.query('delete from entry')).rejects.toThrow('append-only');
  });
});
