import { openTestDatabase } from '../../test/support/database';
import { CalendarDate } from '../kernel/calendar-date';
import { newId } from '../kernel/identifier';
import {
  bigintArray,
  booleanArray,
  dateArray,
  instantArray,
  intArray,
  textArray,
  uuidArray,
} from './binary-array';
import type { Database } from './database';

const NOTHING = [null, undefined] as const;

describe('arrays in their binary form', () => {
  let database: Database;

  beforeAll(async () => {
    database = await openTestDatabase();
  });
  afterAll(() => database.close());

  /** What the database reads, as text: `text[]`. */
  async function read(type: string, array: Buffer): Promise<(string | null)[]> {
    const text = `select array(select v::text from unnest($1::${type}[]) with ordinality as u(v, at) order by at) as values`;
    const [row] = await database.query<{ values: (string | null)[] }>({ name: `read-${type}`, text }, [
      array,
    ]);
    return row?.values ?? [];
  }

  it('are identifiers, in any letter case', async () => {
    const ids = [
      newId(),
      newId(),
      '00000000-0000-0000-0000-000000000000',
      'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    ];
    const expected = ids.map((id) => id.toLowerCase());
    expect(await read('uuid', uuidArray([...ids, ...NOTHING]))).toEqual([...expected, null, null]);
  });

  it.each([
    '',
    'main',
    '01890000-0000-7000-8000-00000000000',
    '01890000-0000-7000-8000-0000000000011',
    '0189000000000-7000-8000-00000000000g',
    '01890000-0000-7000-8000-00000000000g',
    'g1890000-0000-7000-8000-000000000001',
    '01890000-0000-7000-8000-0000000000ç1',
    '{1890000-0000-7000-8000-000000000001',
    '01890000x0000-7000-8000-000000000001',
  ])('refuse %j as an identifier', (text) => {
    expect(() => uuidArray([newId(), text])).toThrow(
      expect.objectContaining({ message: 'not a UUID', code: '22P02' }),
    );
  });

  it('are whole numbers', async () => {
    const ints = [0, 1, -1, 255, 256, 65_536, 2 ** 31 - 1, -(2 ** 31)];
    expect(await read('int', intArray([...ints, ...NOTHING]))).toEqual([...ints.map(String), null, null]);
    const bigints = [
      0n,
      1n,
      -1n,
      2n ** 32n,
      -(2n ** 32n),
      2n ** 32n - 1n,
      -(2n ** 32n) - 1n,
      99_999_999_999_999n,
    ];
    const widest = [2n ** 53n - 1n, 2n ** 53n + 1n, -(2n ** 53n) - 1n, 2n ** 63n - 1n, -(2n ** 63n)];
    const all = [...bigints, ...widest];
    expect(await read('bigint', bigintArray([...all, ...NOTHING]))).toEqual([...all.map(String), null, null]);
  });

  it('are days', async () => {
    const days = ['1900-01-01', '1999-12-31', '2000-01-01', '2024-02-29', '2026-11-25', '9999-12-31'];
    const dates = days.map((day) => CalendarDate.parse(day));
    expect(await read('date', dateArray([...dates, ...NOTHING]))).toEqual([...days, null, null]);
  });

  it('are points in time', async () => {
    const instants = ['1999-12-31T23:59:59.999Z', '2000-01-01T00:00:00.000Z', '2026-11-25T19:30:01.007Z'];
    const dates = instants.map((instant) => new Date(instant));
    const text =
      'select $1::timestamptz[]::text[] as texts, array(select unnest($1::timestamptz[])) = $2::timestamptz[] as same';
    const values = [instantArray([...dates, ...NOTHING]), [...instants, null, null]];
    const [row] = await database.query<{ texts: (string | null)[]; same: boolean }>(
      { name: 'read-instants', text },
      values,
    );
    expect(row?.same).toBe(true);
    expect(row?.texts.map((read) => read && new Date(read).toISOString())).toEqual([...instants, null, null]);
  });

  it('are true and false', async () => {
    expect(await read('boolean', booleanArray([true, false, ...NOTHING]))).toEqual([
      'true',
      'false',
      null,
      null,
    ]);
  });

  it('are texts of any letters', async () => {
    const long = 'ç'.repeat(100);
    const texts = ['', 'Lia', 'null', '{"a"}', 'a\\"b', 'ç\n🏦', `${'x'.repeat(64)}ç`, long, '🏦'.repeat(40)];
    expect(await read('text', textArray([...texts, ...NOTHING]))).toEqual([...texts, null, null]);
  });

  it('repeat what stands side by side', async () => {
    const [id, other] = [newId(), newId()];
    const ids = [id, id, null, id, other, other, id];
    expect(await read('uuid', uuidArray(ids))).toEqual(ids);
    expect(await read('int', intArray([7, 7, null, 7]))).toEqual(['7', '7', null, '7']);
  });

  it('may be empty', async () => {
    for (const [type, array] of [
      ['uuid', uuidArray([])],
      ['int', intArray([])],
      ['text', textArray([])],
    ] as const)
      expect(await read(type, array)).toEqual([]);
  });
});
