import { IsOptional, Min } from 'class-validator';
import fc from 'fast-check';
import { CalendarDate } from '../kernel/calendar-date';
import { parseJsonBytes } from '../kernel/lossless-json';
import { Money } from '../kernel/money';
import type { Organization } from '../kernel/organization';
import { readDto, type ReadDto } from './read-dto';
import {
  IsFlag,
  IsInteger32,
  IsMoneyValue,
  IsNested,
  IsNestedList,
  IsOneOf,
  IsText,
  IsUuidText,
  IsWireDate,
  IsWordList,
} from './validation';

class Part {
  @IsMoneyValue()
  value!: Money;

  @IsOptional()
  @IsText()
  note?: string | null;
}

class Whole {
  @IsUuidText()
  id!: string;

  @IsText({ max: 5 })
  name!: string;

  @IsMoneyValue({ positive: true })
  value!: Money;

  @IsWireDate()
  date!: CalendarDate;

  @IsOptional()
  @IsInteger32()
  count?: number | null;

  @IsOptional()
  @IsFlag()
  flag?: boolean | null;

  @IsOptional()
  @IsOneOf(['Day', 'Week'])
  every?: string | null;

  @IsOptional()
  @IsWordList(['read', 'write'])
  scopes?: string[] | null;

  @IsOptional()
  @IsNested(() => Part)
  part?: Part | null;

  @IsOptional()
  @IsNestedList(() => Part, { max: 2 })
  parts?: Part[] | null;

  @IsOptional()
  @Min(3)
  plain?: unknown;
}

const organization: Organization = {
  id: '0198c0de-0000-7000-8000-000000000001',
  slug: 'main',
  name: 'Main',
  timeZone: 'America/Sao_Paulo',
  currency: 'BRL',
};
const UUID = '0198C0DE-0000-7000-8000-00000000000A';
const GOOD = { id: UUID, name: 'ok', value: 1, date: '2026-01-31' };

function read(body: unknown, of: Organization = organization): ReadDto<Whole> {
  return readText(JSON.stringify(body), of);
}

function readText(text: string, of: Organization = organization): ReadDto<Whole> {
  return readDto(Whole, parseJsonBytes(Buffer.from(text)), { organization: of });
}

function errorsOf(body: unknown): string[] {
  return read(body).errors.map(({ pointer, code }) => `${pointer} ${code}`);
}

describe('reading a body', () => {
  it('reads every kind of field into the type the code works with', () => {
    const { value, errors, ignored } = read({
      id: UUID,
      name: '  Joa\u0303o ',
      value: 12.3,
      date: '2026-02-01T01:00:00Z',
      count: 7,
      flag: false,
      every: 'week',
      scopes: ['WRITE', 'read'],
      part: { value: -1 },
      parts: [{ value: 1, note: null }, { value: 2 }],
      plain: 3.5,
    });
    expect({ errors, ignored }).toEqual({ errors: [], ignored: [] });
    expect(value).toBeInstanceOf(Whole);
    expect(value).toMatchObject({
      id: UUID.toLowerCase(),
      name: 'João',
      value: Money.parse('12.30', 'BRL'),
      // 22:00 of the day before in São Paulo.
      date: CalendarDate.parse('2026-01-31'),
      count: 7,
      flag: false,
      every: 'Week',
      scopes: ['write', 'read'],
      part: { value: Money.parse('-1', 'BRL') },
      parts: [{ note: null }, { value: Money.parse('2', 'BRL') }],
      plain: 3.5,
    });
    expect(value.parts?.[0]).toBeInstanceOf(Part);
  });

  it('names every bad field at once by JSON pointer, once each', () => {
    expect(
      errorsOf({
        id: 'x',
        name: 'too long',
        value: 0,
        date: '2026-02-30',
        count: 2 ** 31,
        flag: 'true',
        every: 'Month',
        scopes: ['read', 'read'],
        part: 'x',
        parts: [{ value: 'x' }, { note: '\u0007' }],
        plain: 2,
      }).sort(),
    ).toEqual([
      '/count integer',
      '/date date',
      '/every one-of',
      '/flag boolean',
      '/id uuid',
      '/name text',
      '/part object',
      '/parts/0/value money',
      '/parts/1/note text',
      '/parts/1/value required',
      '/plain min',
      '/scopes word-list',
      '/value money',
    ]);
  });

  it('asks for what is missing, null or blank, unless it is optional', () => {
    const required = ['/date required', '/id required', '/name required', '/value required'];
    expect(errorsOf({}).sort()).toEqual(required);
    expect(errorsOf({ id: null, name: '  ', value: null, date: null }).sort()).toEqual(required);
  });

  it('distinguishes a field that is left out from one that is sent as null', () => {
    const { value } = read({ ...GOOD, count: null, part: null });
    expect(value).toMatchObject({ count: null, part: null });
    expect(value.flag).toBeUndefined();
  });

  it.each(['[]', '1', '"x"', 'null', 'true'])('takes no %s in place of an object', (text) => {
    expect(readText(text).errors).toEqual([{ pointer: '', code: 'object', message: 'must be an object' }]);
  });

  it('refuses a list that is too long without reading it', () => {
    expect(errorsOf({ ...GOOD, parts: Array.from({ length: 3 }, () => 'x') })).toEqual(['/parts list']);
  });

  it('stops counting errors where nobody would read on', () => {
    class Long {
      @IsNestedList(() => Part, { max: 1000 })
      parts!: Part[];
    }
    const json = parseJsonBytes(
      Buffer.from(JSON.stringify({ parts: Array.from({ length: 1000 }, () => 1) })),
    );
    expect(readDto(Long, json, {}).errors).toHaveLength(100);
  });

  it('names unknown fields by their path and leaves them out', () => {
    const { value, ignored } = read({ ...GOOD, type: 'x', part: { value: 1, other: 1 }, constructor: 1 });
    expect(ignored).toEqual(['type', 'constructor', 'part.other']);
    expect(value).not.toHaveProperty('type');
    expect(value.constructor).toBe(Whole);
  });

  it('lets no key reach a prototype', () => {
    const text = `{"__proto__":{"polluted":1},"id":"${UUID}","name":"ok","value":1,"date":"2026-01-31",
      "part":{"value":1,"__proto__":{"note":"x"}},"plain":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}`;
    const { value, ignored } = readText(text);
    expect(ignored).toEqual(['__proto__', 'part.__proto__']);
    expect(value.part?.note).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Whole.prototype);
    expect(Object.getOwnPropertyNames(value.plain)).toEqual(['constructor']);
    expect((value as unknown as Record<string, unknown>)['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  describe('money', () => {
    const moneyOf = (literal: string, currency = 'BRL'): unknown => {
      const { value, errors } = readText(JSON.stringify(GOOD).replace('"value":1', `"value":${literal}`), {
        ...organization,
        currency,
      });
      return errors[0]?.message ?? value.value.toString();
    };

    it.each([
      ['0.1', '0.10'],
      ['999999999999.99', '999999999999.99'],
      ['1.10000', '1.10'],
      ['1e3', '1000.00'],
    ])('takes %s as exactly %s', (literal, text) => expect(moneyOf(literal)).toBe(text));

    it.each([
      ['0.001', 'more than 2 decimals for BRL'],
      ['1e-3', 'more than 2 decimals for BRL'],
      ['1000000000000', 'amount is out of range'],
      ['1e30', 'has more digits than an amount can have'],
      ['1e-19', 'has more digits than an amount can have'],
      ['1e99999', 'has more digits than an amount can have'],
      ['"12.34"', 'must be a number'],
      ['true', 'must be a number'],
      ['-1', 'must be more than 0'],
    ])('refuses %s: %s', (literal, message) => expect(moneyOf(literal)).toBe(message));

    it('knows the decimals of the currency', () => {
      expect(moneyOf('1.5', 'JPY')).toBe('more than 0 decimals for JPY');
      expect(moneyOf('1.125', 'KWD')).toBe('1.125');
    });

    it('is never rounded: every number of cents arrives as it was written', () => {
      fc.assert(
        fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999_999n }), (cents) => {
          const text = Money.ofMinor(cents, 'BRL').toString();
          expect(moneyOf(text)).toBe(text);
        }),
      );
    });
  });

  it.each(['2026-01-31', '2026-01-31T23:59:59', '2026-01-31T23:59:59-03:00', '2026-02-01T02:59:59Z'])(
    'reads %s as the day it is in the organization',
    (date) => expect(read({ ...GOOD, date }).value.date.toString()).toBe('2026-01-31'),
  );

  it.each(['', '31/01/2026', '2026-1-31', '2026-01-31T99:00:00Z', '9999-12-31T23:59:59-12:00', 20260131])(
    'refuses %j as a date',
    (date) => expect(read({ ...GOOD, date }).errors).toMatchObject([{ pointer: '/date' }]),
  );

  it('survives any JSON at all with a value or errors, never an exception', () => {
    const field = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(...Object.values(GOOD)));
    const bodies = fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('id', 'name', 'value', 'date', 'part', 'parts', 'plain')),
      field,
    );
    fc.assert(
      fc.property(bodies, (body) => {
        const { value, errors } = read(body);
        if (errors.length > 0) return;
        expect(value.value.isPositive).toBe(true);
        expect(value.name.length).toBeGreaterThan(0);
      }),
    );
  });

  describe('leniently', () => {
    const lenient = (body: unknown): ReadDto<Whole> =>
      readDto(Whole, parseJsonBytes(Buffer.from(JSON.stringify(body))), { organization, lenient: true });
    const fault = (body: unknown): string[] =>
      lenient(body).errors.map(({ pointer, code }) => `${pointer} ${code}`);

    it('takes names in any letter case, deep down too, and points at them as they were sent', () => {
      const { value, errors, ignored } = lenient({
        ID: UUID,
        Name: 'ok',
        vALUE: 1,
        Date: '2026-01-31',
        Part: { Value: 2, NOTE: 'x' },
      });
      expect({ errors, ignored }).toEqual({ errors: [], ignored: [] });
      expect(value).toMatchObject({ name: 'ok', part: { note: 'x' } });
      expect(fault({ ...GOOD, Part: { Value: 'x' }, COUNT: 0.5 })).toEqual([
        '/COUNT integer',
        '/Part/Value money',
      ]);
      expect(fault({ ID: UUID, Value: 1, Date: '2026-01-31', NAME: ' ' })).toEqual(['/NAME required']);
    });

    it('refuses a field that is there in two spellings, even with the same value', () => {
      expect(fault({ ...GOOD, Name: 'ok' })).toEqual(['/Name twice']);
      expect(fault({ Name: 'ok', ...GOOD })).toEqual(['/name twice']);
    });

    it.each([
      ['value', '100', Money.parse('100', 'BRL')],
      ['value', ' 100.50 ', Money.parse('100.50', 'BRL')],
      ['count', '7', 7],
      ['count', '-7', -7],
      ['flag', 'true', true],
      ['flag', 'False', false],
      ['date', '31/01/2026', CalendarDate.parse('2026-01-31')],
      ['date', '2026-01-31T00:00:00Z', CalendarDate.parse('2026-01-31')],
    ])('takes %s %j', (name, text, value) => {
      const read = lenient({ ...GOOD, [name]: text });
      expect(read.errors).toEqual([]);
      expect(read.value[name as 'value']).toEqual(value);
    });

    it.each([
      [
        'value',
        [
          '1.000',
          '1,5',
          '1.234,56',
          '1e2',
          '+1',
          '007',
          '.5',
          '5.',
          '',
          'R$ 1',
          '0x1',
          'NaN',
          '9'.repeat(19),
        ],
      ],
      ['count', ['1.0', '1.000', '1e2', '07', '', 'S/N', '2147483648']],
      ['flag', ['1', '0', 'yes', 'sim', '']],
      ['date', ['12/31/2026', '31.01.2026']],
    ])('refuses %s as text where it could mean something else', (name, texts) => {
      for (const text of texts) expect(fault({ ...GOOD, [name]: text })).toHaveLength(1);
    });

    it('counts the fields that say something', () => {
      expect(lenient(GOOD).said).toBe(4);
      expect(lenient({ other: 1, part: { other: 1 } }).said).toBe(0);
      expect(lenient({ part: { note: null } }).said).toBe(1);
      expect(lenient({ part: null }).said).toBe(1);
    });
  });

  it('knows names and texts exactly unless it is to be lenient', () => {
    expect(read({ ...GOOD, Count: 1 }).ignored).toEqual(['Count']);
    expect(errorsOf({ ...GOOD, count: '7' })).toEqual(['/count integer']);
    expect(errorsOf({ ...GOOD, flag: 'true' })).toEqual(['/flag boolean']);
  });
});
