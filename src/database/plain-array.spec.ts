import { openTestDatabase } from '../../test/support/database';
import { plainArray, textArray } from './plain-array';

describe('plainArray', () => {
  it('writes identifiers, numbers, labels, dates and nothing', () => {
    const id = '01890000-0000-7000-8000-000000000001';
    expect(plainArray([id, null, undefined])).toBe(`{${id},NULL,NULL}`);
    expect(plainArray([1, -2n, true, '2026-03-01', 'receivable'])).toBe('{1,-2,true,2026-03-01,receivable}');
    expect(plainArray([])).toBe('{}');
  });

  it.each(['', 'a,b', 'a b', '{}', 'a"', 'a\\', 'null', 'NULL', 'ç', 'a\n'])('refuses %j', (text) => {
    expect(() => plainArray(['a', text])).toThrow('not a plain element');
  });
});

describe('textArray', () => {
  it('quotes every text, and writes nothing as NULL', () => {
    expect(textArray(['Lia', 'a,b', '', 'null', null, undefined])).toBe('{"Lia","a,b","","null",NULL,NULL}');
    expect(textArray([])).toBe('{}');
  });

  it('is read by the database as it was given', async () => {
    const database = await openTestDatabase();
    const texts = ['a"b', '\\', '{}', ' a ', 'ç\n🏦', '\\"', "'", 'NULL', null];
    const statement = { name: 'text-array', text: 'select $1::text[] as texts' };
    expect(await database.query(statement, [textArray(texts)])).toEqual([{ texts }]);
    await database.close();
  });
});
