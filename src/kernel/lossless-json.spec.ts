import fc from 'fast-check';
import { parse as parseByTheBook } from 'lossless-json';
import {
  type ExactJson,
  isLosslessNumber,
  JsonError,
  type LosslessJson,
  MAX_JSON_DEPTH,
  parseExactJson,
  parseJsonBytes,
} from './lossless-json';
import { propertyRuns } from '../../test/support/property-runs';
import { anyText } from '../../test/support/any-text';

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

/** What a parser that goes character by character makes of it; undefined when it is no JSON. */
function byTheBook(text: string): { json: unknown } | undefined {
  try {
    return { json: parseByTheBook(text, undefined, { onDuplicateKey: ({ newValue }) => newValue }) };
  } catch {
    return undefined;
  }
}

/** With every number as text in a wrapping of its own, so that its kind does not matter. */
function written(value: ExactJson): unknown {
  if (typeof value === 'number' || isLosslessNumber(value)) return { number: String(value) };
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value).map(([key, child]) => [key, written(child)]);
}

const digits = fc.stringMatching(/^[0-9]{1,20}$/);
const numbers = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.bigInt().map(String),
  fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.constantFrom('0', '1', '10', '12345678901234567890', '9007199254740993'),
      fc.oneof(
        fc.constant(''),
        digits.map((text) => `.${text}`),
      ),
      fc.constantFrom('', 'e5', 'E+21', 'e-7', 'e400', 'e0'),
    )
    .map((parts) => parts.join('')),
  // Some of these are no numbers: `007`.
  digits,
  fc.stringMatching(/^-?[0-9]{1,9}\.[0-9]{1,9}$/),
);
const strings = fc.oneof(
  anyText().map((text) => JSON.stringify(text)),
  fc.constantFrom(
    '"\\\\"',
    '"\\""',
    '"\x7f"',
    '"\\u007f"',
    '"{\\"a\\": 1.10}"',
    '"\\\\u007f"',
    '"__proto__"',
    '"a"',
    '"1"',
    '"12.30"',
  ),
);
const { texts } = fc.letrec<{ texts: string; list: string; object: string }>((tie) => ({
  texts: fc.oneof({ depthSize: 'small' }, numbers, strings, tie('list'), tie('object'), fc.constant('null')),
  list: fc.array(tie('texts'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
  object: fc
    .array(fc.tuple(strings, tie('texts')), { maxLength: 4 })
    .map((members) => `{${members.map(([key, value]) => `${key}:${value}`).join(',')}}`),
}));

describe.each([
  ['parseJsonBytes', parseJsonBytes],
  ['parseExactJson', parseExactJson],
])('%s against a parser that goes character by character', (_name, parseBytes) => {
  function agree(text: string): void {
    const bytes = Buffer.from(text);
    const expected = byTheBook(bytes.toString());
    if (expected === undefined) expect(() => parseBytes(bytes)).toThrow(JsonError);
    else {
      const json = parseBytes(bytes);
      expect(JSON.stringify(written(json))).toBe(JSON.stringify(written(expected.json as ExactJson)));
    }
  }

  it('agrees on any JSON, with any numbers and escapes', () => {
    fc.assert(fc.property(texts, agree), { numRuns: propertyRuns(400) });
  });

  it('agrees on what is broken', () => {
    const inserts = [
      '',
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '\\',
      '0',
      '1',
      '-',
      '.',
      'e',
      ' ',
      '\t',
      '\0',
      'x',
    ];
    fc.assert(
      fc.property(texts, fc.nat(), fc.constantFrom(...inserts), (text, at, insert) => {
        const index = at % (text.length + 1);
        agree(text.slice(0, index) + insert + text.slice(index + (insert === '' ? 1 : 0)));
      }),
      { numRuns: propertyRuns(400) },
    );
  });

  it.each([
    '[0, -0, 0.5, 0.0, -7, -1.5, -22.9056, 1.10, 1.1, 100, 1e2, 1E400, 12345678901234567890, 0.0000001, 1e-7, 1e+21, 999999999999999, 9007199254740993]',
    '{"a": 1.10, "a": 2, "2": 3.0, "1": [4.0]}',
    '{"__proto__": {"a": 1.10}, "constructor": 1.0}',
    '{"\x7f": "1.10", "a": 1.10}',
    '{"\x7f": "1.10"}',
    '{"\\u007f": "1.10", "a": 1.10}',
    '[007]',
    '[1.]',
    '[.5]',
    '[1.2.3]',
    '[-01]',
    '[-]',
    '[+1]',
    '[1-2]',
    '{1.10: 1}',
    '1.10',
    '1.10"',
    '"a" 1.10',
    '',
  ])('agrees on %s', agree);

  // Node 24's own parser takes such keys for one that it read before, whoever sent it.
  it.each([
    ['{"b":0,"\\\\":1}', '{"b":0,"\\"":1}'],
    ['{"b":0,"\\\\":1}', '{"b":0,"\\n" : 1}'],
    ['{"c":0,"x\\\\":1}', '{"c":0,"x\\n":1}'],
    ['{"\\\\":1}', '{"c": 1.10}'],
  ])('agrees, after native parsing of %s, on %s', (before, text) => {
    JSON.parse(before);
    agree(text);
  });
});

describe('parseExactJson', () => {
  it('keeps numbers that JavaScript writes as they were sent, and no others', () => {
    const json = parseExactJson(Buffer.from('[1, 12.5, 1.10, -0, 12345678901234567890]')) as ExactJson[];
    expect(json.map((number) => typeof number)).toEqual(['number', 'number', 'object', 'object', 'object']);
    expect(json.map(String)).toEqual(['1', '12.5', '1.10', '-0', '12345678901234567890']);
  });
});

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
      { numRuns: propertyRuns(100) },
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
    ['{"\\n":', '}'],
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

  it('decodes what follows bytes that are no UTF-8', () => {
    expect(() => parseJsonBytes(Uint8Array.of(0x22, 0xc3))).toThrow('not valid UTF-8');
    expect(parse('"\u00a9"')).toBe('\u00a9');
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
