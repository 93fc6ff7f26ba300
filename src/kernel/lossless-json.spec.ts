import fc from 'fast-check';
import {
  isLosslessNumber,
  JsonError,
  type LosslessJson,
  MAX_JSON_DEPTH,
  parseJsonBytes,
} from './lossless-json';

function parse(text: string): LosslessJson {
  return parseJsonBytes(Buffer.from(text));
}

/** Back to what JSON.parse would give. */
function ordinary(value: LosslessJson): unknown {
  if (isLosslessNumber(value)) return Number(value.toString());
  if (Array.isArray(value)) return value.map(ordinary);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, ordinary(child)]));
}

/** The numbers in a value, as text. */
function numbersIn(value: LosslessJson): string[] {
  if (isLosslessNumber(value)) return [value.toString()];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

describe('parseJsonBytes', () => {
  it.each(['9223372036854775807', '-0', '1e400', '1E-7', '10.10', '0.1000000000000000055511151231257827'])(
    'keeps the number %s as it was sent',
    (text) => {
      const [value] = numbersIn(parse(`{"n": ${text}}`));
      expect(value).toBe(text);
    },
  );

  it('agrees with JSON.parse on everything JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        expect(ordinary(parse(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('refuses what JSON.parse refuses', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', '"', '{', '}', ',', '\\', '0', 'x'),
        (text, at, insert) => {
          const index = at % (text.length + 1);
          const broken = text.slice(0, index) + insert + text.slice(index + (insert === '' ? 1 : 0));
          let fine = true;
          try {
            JSON.parse(broken);
          } catch {
            fine = false;
          }
          if (!fine) expect(() => parse(broken)).toThrow(JsonError);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('takes a key __proto__ for an ordinary one', () => {
    const value = parse('{"__proto__": {"admin": true}}') as Record<string, LosslessJson>;
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(value.admin).toBeUndefined();
  });

  it('lets the last of several equal keys count, as JSON.parse does', () => {
    expect(ordinary(parse('{"a": 1, "a": 2}'))).toEqual({ a: 2 });
  });

  it('takes a byte order mark', () => {
    expect(ordinary(parse('\ufeff{"a": 1}'))).toEqual({ a: 1 });
  });

  it.each([
    ['[', ']'],
    ['{"a":', '}'],
  ])('reads nesting of %j up to the limit and not beyond', (open, close) => {
    const nested = (depth: number): string => `${open.repeat(depth)}1${close.repeat(depth)}`;
    expect(() => parse(nested(MAX_JSON_DEPTH))).not.toThrow();
    expect(() => parse(nested(MAX_JSON_DEPTH + 1))).toThrow('nested deeper than 64 levels');
    expect(() => parse(nested(100_000))).toThrow(JsonError);
    expect(() => parse(open.repeat(100_000))).toThrow(JsonError);
  });

  it('does not count brackets inside of text', () => {
    const text = `"\\"${'['.repeat(100)}\\\\"`;
    expect(ordinary(parse(`[${text}]`))).toEqual(JSON.parse(`[${text}]`));
  });

  it.each([
    ['an overlong encoding', [0x22, 0xc0, 0x80, 0x22]],
    ['half a character', [0x22, 0xc3, 0x22]],
    ['a surrogate', [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]],
  ])('refuses %s as not UTF-8', (_what, bytes) => {
    expect(() => parseJsonBytes(Uint8Array.from(bytes))).toThrow('not valid UTF-8');
  });

  it('says where it broke and never what it read', () => {
    expect(() => parse('{"cpf": 52998224725x}')).toThrow(new JsonError('not valid JSON (at character 19)'));
    for (const text of [
      '{"secret": secret}',
      '{"secret',
      'secret',
      '{"a": "\\q secret"}',
      '{"secret": 1 "secret": 2}',
    ]) {
      expect(() => parse(text)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('secret') }),
      );
    }
  });
});
