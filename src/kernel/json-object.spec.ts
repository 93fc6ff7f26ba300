import { isObject } from './json-object';
import { parseJsonBytes } from './lossless-json';

describe('isObject', () => {
  it.each([
    ['{}', true],
    ['{"a": 1}', true],
    ['{"isLosslessNumber": true}', true],
    ['[]', false],
    ['null', false],
    ['1', false],
    ['12345678901234567890.5', false],
    ['"text"', false],
    ['true', false],
  ])('of %s is %s', (json, object) => {
    expect(isObject(parseJsonBytes(Buffer.from(json)))).toBe(object);
  });

  it('of nothing is false', () => {
    expect(isObject(undefined)).toBe(false);
  });
});
