import { hasMemberTwice } from './json-members';
import { parseJsonBytes } from './lossless-json';

function isTwice(text: string): boolean {
  const bytes = Buffer.from(text);
  return hasMemberTwice(bytes, parseJsonBytes(bytes));
}

describe('a member that is there twice', () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":2,"a":{}}',
    '{"a":{"b":1,"c":[]},"a":2}',
    '[1,[{"b":"x:","b":"y"}]]',
    '{"a":1,"\\u0061":2}',
    '{"\\"":1,"\\"":2}',
    '{"__proto__":1,"__proto__":2}',
    '{"\x7f":1,"\x7f":2}',
  ])('is found in %s', (text) => {
    expect(isTwice(text)).toBe(true);
  });

  it.each([
    '{}',
    '[]',
    '"a:a:"',
    '7.50',
    '\ufeff{"a":1}',
    '{"a":1,"A":2}',
    '{"a":{"a":{"a":1.10}},"b":[{"a":1},{"a":null}]}',
    '{"a:":":","b\\":\\\\":"\\\\","c":":\\""}',
    '{"__proto__":{"a":1},"constructor":2}',
    '{"\x7f":1.10,"\x7f\x7f":"ção: ✓"}',
  ])('is not found in %s', (text) => {
    expect(isTwice(text)).toBe(false);
  });
});
