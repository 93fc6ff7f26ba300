import { plainArray } from './plain-array';

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
