import fc from 'fast-check';
import { Payload, UnreadablePayload } from './payload';

function of(json: string): Payload {
  return Payload.parse(Buffer.from(json));
}

function complaint(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof UnreadablePayload) return error.message;
    throw error;
  }
  return 'none';
}

describe('Payload', () => {
  it('takes blank, null and absent for one and the same', () => {
    for (const json of ['{}', '{"a": null}', '{"a": ""}']) {
      const payload = of(json);
      const readings = [
        payload.text('a'),
        payload.word('a'),
        payload.identifier('a'),
        payload.money('a', 'BRL'),
        payload.currency('a'),
        payload.instant('a', 'UTC'),
        payload.at('a').text('b'),
      ];
      expect(readings).toEqual(readings.map(() => undefined));
      expect([payload.items('a'), payload.texts('a'), payload.flag('a')]).toEqual([[], [], false]);
    }
  });

  it('takes the empty list that PHP writes for an empty object', () => {
    expect(of('{"a": []}').at('a').text('b')).toBeUndefined();
    expect(complaint(() => of('{"a": [1]}').at('a'))).toBe('$.a is not an object');
  });

  it('names the path of what is wrong', () => {
    const refund = of('{"refunds": [{}, {"transactions": [{"amount": true}]}]}').items('refunds')[1];
    const [transaction] = refund?.items('transactions') ?? [];
    expect(complaint(() => transaction?.money('amount', 'BRL'))).toBe(
      '$.refunds[1].transactions[0].amount is not text',
    );
  });

  it.each([
    ['text', '{"a": true}', '$.a is not text'],
    ['word', '{"a": "two words"}', '$.a is not a word'],
    ['identifier', '{"a": "x/y"}', '$.a is not an identifier'],
    ['identifier', '{"a": 1.5}', '$.a is not an identifier'],
    ['identifier', '{"a": 1e3}', '$.a is not an identifier'],
    ['currency', '{"a": "reais"}', '$.a is not an ISO 4217 code'],
    ['items', '{"a": {}}', '$.a is not a list'],
    ['items', '{"a": ["x"]}', '$.a[0] is not an object'],
    ['texts', '{"a": [["x"]]}', '$.a[0] is not text'],
    ['flag', '{"a": "true"}', '$.a is neither true nor false'],
    ['at', '{"a": "x"}', '$.a is not an object'],
    ['missing', '{}', '$.a is missing'],
  ] as const)('%s of %s: %s', (method, json, message) => {
    expect(complaint(() => of(json)[method]('a'))).toBe(message);
  });

  it('reads identifiers to the last digit, from numbers and text', () => {
    expect(of('{"a": 9223372036854775807}').identifier('a')).toBe('9223372036854775807');
    expect(of('{"a": "9223372036854775807"}').identifier('a')).toBe('9223372036854775807');
  });

  it('reads money exactly, from numbers and text', () => {
    expect(of('{"a": 90071992547.93}').money('a', 'BRL')?.minor).toBe(9007199254793n);
    expect(of('{"a": "0.10"}').money('a', 'BRL')?.minor).toBe(10n);
    expect(of('{"a": -0.1}').money('a', 'BRL')?.minor).toBe(-10n);
  });

  it.each(['1e2', '0.001', '10.799999999999999', '"1,50"', '"R$ 5"', '9999999999999999'])(
    'refuses the money %s instead of rounding or guessing',
    (value) => {
      expect(complaint(() => of(`{"a": ${value}}`).money('a', 'BRL'))).toMatch(
        /^\$\.a is not an amount of BRL: /,
      );
    },
  );

  it('reads the money of a float that was printed with all its digits, and no such text', () => {
    expect(of('{"a": 29.949999999999999}').money('a', 'BRL')?.minor).toBe(2995n);
    expect(of('{"a": -1234567.9499999999}').money('a', 'BRL')?.minor).toBe(-123456795n);
    expect(complaint(() => of('{"a": "29.949999999999999"}').money('a', 'BRL'))).toContain('more than 2');
    expect(complaint(() => of('{"a": 29.949999999999999}').money('a', 'JPY'))).toContain('more than 0');
  });

  it('reads every amount of cents as it was written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 99_999_999_999_999n }), fc.boolean(), (minor, quoted) => {
        const text = `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
        const payload = of(`{"a": ${quoted ? `"${text}"` : text}}`);
        expect(payload.amount('a', 'BRL')?.minor).toBe(minor);
      }),
    );
  });

  it('refuses an amount below zero', () => {
    expect(complaint(() => of('{"a": "-0.01"}').amount('a', 'BRL'))).toBe('$.a is negative');
  });

  it('takes out what a database would refuse', () => {
    const payload = of('{"a": " A\\u0000B\\ud800C\\n", "b": "x\\u0000\\udfff", "c": "Ç 😀"}');
    expect(payload.text('a')).toBe('A B C');
    expect(payload.text('c')).toBe('Ç 😀');
    expect(payload.raw()).toEqual({ a: ' A\ufffdB\ufffdC\n', b: 'x\ufffd\ufffd', c: 'Ç 😀' });
  });

  it('does not reach what objects inherit', () => {
    const payload = of('{"__proto__": {"total": "5.00"}}');
    expect([payload.text('total'), payload.textIfAny('constructor'), payload.text('toString')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('passes over what others put where they like', () => {
    const payload = of('{"a": "text", "b": {"c": {"d": 1}}}');
    expect(payload.loosely('a').textIfAny('c')).toBeUndefined();
    expect(payload.loosely('b').textIfAny('c')).toBeUndefined();
    expect(payload.loosely('b').loosely('c').textIfAny('d')).toBe('1');
  });

  it('says why a body is none', () => {
    expect(complaint(() => of('[1]'))).toBe('the body is not a JSON object');
    expect(complaint(() => of('{"a": "x'))).toMatch(/^the body is not valid JSON/);
    expect(complaint(() => Payload.parse(Uint8Array.from([0x22, 0xff, 0x22])))).toBe(
      'the body is not valid UTF-8',
    );
    expect(complaint(() => of('{"a":'.repeat(70) + '1' + '}'.repeat(70)))).toBe(
      'the body is nested deeper than 64 levels',
    );
  });
});

describe('a list of payloads', () => {
  const listOf = (json: string, most = 3) => Payload.parseList(Buffer.from(json), most);

  it('is its objects, each at its place', () => {
    const [first, second] = listOf('[{"a": 1}, {}]');
    expect(first?.text('a')).toBe('1');
    expect(complaint(() => second?.missing('a'))).toBe('$[1].a is missing');
  });

  it.each(['[]', '{}', '[{}, {}, {}, {}]', '[{}, 1]', '[null]', '7', '[{}'])('is not %s', (json) => {
    expect(complaint(() => listOf(json))).not.toBe('none');
  });

  it('has elements that are counted together', () => {
    const many = `{"a": [${Array.from({ length: 2_000 }, () => '{}').join()}]}`;
    const payloads = listOf(`[${[many, many, many].join()}]`);
    expect(complaint(() => payloads.map((payload) => payload.items('a')))).toContain('more than 5000');
  });
});
