import fc from 'fast-check';
import { Problem } from '../../kernel/problem';
import type { ListFields } from './fields';
import { parseFilter } from './filter';
import { parseOrderBy } from './orderby';
import { propertyRuns } from '../../../test/support/property-runs';
import { anyText } from '../../../test/support/any-text';

const FIELDS: ListFields = {
  id: { type: 'guid', nullable: false },
  name: { type: 'text', nullable: false },
  email: { type: 'text', nullable: true },
  value: { type: 'money', nullable: false },
  lines: { type: 'integer', nullable: true },
  dueDate: { type: 'date', nullable: false },
  isPaid: { type: 'boolean', nullable: false },
  'stakeholder/name': { type: 'text', nullable: false },
};

function refusal(read: () => unknown): Record<string, unknown> & { detail: string } {
  try {
    read();
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    expect(error.code).toBe('malformed-request');
    return { detail: error.detail, ...error.extras.members };
  }
  throw new Error('it was read');
}

const refused = (source: string) => refusal(() => parseFilter(source, FIELDS));

describe('a $filter', () => {
  it('becomes an expression with every name spelled as the list spells it', () => {
    expect(parseFilter("NOT (Stakeholder/NAME EQ 'O''Hara' Or value Gt 1.50)", FIELDS)).toEqual({
      kind: 'not',
      type: 'boolean',
      position: 1,
      operand: {
        kind: 'or',
        type: 'boolean',
        position: 6,
        operands: [
          {
            kind: 'compare',
            operator: 'eq',
            type: 'boolean',
            position: 6,
            left: { kind: 'field', path: 'stakeholder/name', type: 'text', position: 6 },
            right: { kind: 'literal', type: 'text', value: "O'Hara", position: 26 },
          },
          {
            kind: 'compare',
            operator: 'gt',
            type: 'boolean',
            position: 39,
            left: { kind: 'field', path: 'value', type: 'money', position: 39 },
            right: { kind: 'literal', type: 'number', value: '1.50', position: 48 },
          },
        ],
      },
    });
  });

  it('binds and closer than or, and not closer than both', () => {
    expect(parseFilter('not isPaid and isPaid or isPaid', FIELDS)).toMatchObject({
      kind: 'or',
      operands: [{ kind: 'and', operands: [{ kind: 'not' }, { kind: 'field' }] }, { kind: 'field' }],
    });
  });

  it.each([
    ['value eq -1', 'number'],
    ['value eq 1e2', 'number'],
    ["name eq ''", 'text'],
    ['isPaid eq TRUE', 'boolean'],
    ['email eq Null', 'null'],
    ['dueDate eq 2026-03-10', 'date'],
    ['dueDate eq 2026-03-10T00:00:00', 'date-time'],
    ['dueDate eq 2026-03-10T00:00:00.000Z', 'date-time'],
    ['dueDate eq 2026-03-10t00:00-03:00', 'date-time'],
    ['id eq 01234567-89AB-cdef-0123-456789abcdef', 'guid'],
    ['id eq abcdef01-89ab-cdef-0123-456789abcdef', 'guid'],
  ])('reads the literal of %s as a %s', (source, type) => {
    expect(parseFilter(source, FIELDS)).toMatchObject({ right: { kind: 'literal', type } });
  });

  it.each([
    ["id eq '01234567-89AB-cdef-0123-456789abcdef'", 'guid', '01234567-89ab-cdef-0123-456789abcdef'],
    ["id eq guid'01234567-89AB-cdef-0123-456789abcdef'", 'guid', '01234567-89ab-cdef-0123-456789abcdef'],
    ["value ge '12.50'", 'number', '12.50'],
    ["isPaid eq 'True'", 'boolean', 'true'],
    ["dueDate eq '2026-03-10'", 'date', '2026-03-10'],
    ["dueDate eq datetime'2026-03-10'", 'date', '2026-03-10'],
    ["dueDate eq DateTime'2026-03-10T00:00:00'", 'date-time', '2026-03-10T00:00:00'],
    ["dueDate eq datetimeoffset'2026-03-10T00:00:00Z'", 'date-time', '2026-03-10T00:00:00Z'],
    ["name eq '12.50'", 'text', '12.50'],
  ])('reads a value that clients quote: %s', (source, type, value) => {
    expect(parseFilter(source, FIELDS)).toMatchObject({ right: { kind: 'literal', type, value } });
  });

  it.each([
    ['nme eq 1', 1, 'name'],
    ["name eq 'x' and Stakeholder/Nam eq 'y'", 17, 'stakeholder/name'],
    ["contain(name, 'x')", 1, 'contains'],
    ["name eqq 'x'", 6, 'eq'],
    ['isPaid andd isPaid', 8, 'and'],
    ['stakeholder/ name/x eq 1', 1, 'stakeholder/name'],
  ])('names the place and the nearest name: %s', (source, position, nearest) => {
    const found = refused(source);
    expect(found).toMatchObject({ position, nearest, parameter: '$filter' });
    expect(found.detail).toContain(`character ${position}:`);
    expect(found.detail).toContain(`did you mean "${nearest}"?`);
  });

  it.each([
    ['', 1],
    ['   ', 4],
    ['name', 1],
    ['name eq', 8],
    ['name eq 5', 9],
    ["value eq 'five'", 10],
    ["value eq ''", 10],
    ['isPaid eq 1', 11],
    ["id eq 'x'", 7],
    ['dueDate eq 5', 12],
    ["dueDate eq 'soon'", 12],
    ["dueDate eq '2026-02-30'", 12],
    ["dueDate eq datetime'2026-02-30'", 12],
    ["dueDate eq datetime'soon'", 12],
    ["id eq guid'x'", 7],
    ["id eq guid '01234567-89ab-cdef-0123-456789abcdef'", 7],
    ["isPaid eq 'yes'", 11],
    ["value in ('1', 'x')", 16],
    ['date(name) eq 2026-03-10', 6],
    ['now(1) gt dueDate', 5],
    ["substringof('x')", 16],
    ['dueDate eq 2026-02-30', 12],
    ['dueDate eq 0001-01-01T00:00:00Z', 12],
    ["name eq 'x", 9],
    ["name eq 'x\0'", 11],
    ['name eq "x"', 9],
    ["(name eq 'x'", 13],
    ["name eq 'x')", 12],
    ["name eq 'x' name", 13],
    ['contains(name)', 14],
    ["contains(name, 'a', 'b')", 19],
    ['contains(name, null)', 16],
    ['contains(value, 1)', 10],
    ['year(name) eq 1', 6],
    ['name in ()', 10],
    ['name in name', 9],
    ["name in ('a', name)", 15],
    ["name in ('a', 5)", 15],
    ["name eq 'x' or value", 16],
    ['not value', 5],
    ['name/first eq 1', 1],
    ['value eq 1 eq 2', 12],
    ['2026-01-01T00:00:00Z eq 2026-01-01T00:00:00Z', 25],
    ['1=1', 2],
    ["name eq 'x'; drop table schedule", 12],
    ['value eq 1.', 10],
    ['value eq 12abc', 10],
    ['value eq 1e999', 10],
    ['value eq NaN', 10],
  ])('is refused at the place that is wrong: %j', (source, position) => {
    expect(refused(source)).toMatchObject({ position });
  });

  it('is bounded in length, depth and values', () => {
    const deep = (depth: number) => `${'('.repeat(depth)}isPaid${')'.repeat(depth)}`;
    expect(() => parseFilter(deep(24), FIELDS)).not.toThrow();
    expect(refused(deep(25)).detail).toContain('24 levels');
    expect(refused(`${'not '.repeat(25)}isPaid`).detail).toContain('24 levels');
    expect(refused(`${'trim('.repeat(25)}name${')'.repeat(25)} eq 'x'`).detail).toContain('24 levels');
    const values = (count: number) => `value in (${Array.from({ length: count }, () => '1').join(',')})`;
    expect(() => parseFilter(values(200), FIELDS)).not.toThrow();
    expect(refused(values(201)).detail).toContain('200 values');
    const long = `name eq '${'x'.repeat(1990)}'`;
    expect(() => parseFilter(long, FIELDS)).not.toThrow();
    expect(refused(`${long} `)).toMatchObject({ position: 2001 });
  });

  it('takes any text as a literal, whatever it looks like', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
        fc.pre(!text.includes('\0'));
        const parsed = parseFilter(`name eq '${text.replaceAll("'", "''")}'`, FIELDS);
        expect(parsed).toMatchObject({ right: { value: text } });
      }),
    );
  });

  it('is read or refused with a place within it, whatever it is', () => {
    const words = fc.constantFrom(
      ...'( ) , / eq ne gt in and or not null true name value isPaid dueDate contains trim year'.split(' '),
      ...["'x'", "''", "'", '1', '-1.5', '2026-03-10', '2026-03-10T10:00:00Z', '€', '"', '--', ';', '\\'],
    );
    const sources = fc.oneof(
      fc.string({ maxLength: 300 }),
      anyText({ maxLength: 60 }),
      fc.array(words, { maxLength: 40 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(sources, (source) => {
        for (const parse of [parseFilter, parseOrderBy]) {
          try {
            parse(source, FIELDS);
          } catch (error) {
            if (!(error instanceof Problem)) throw error;
            const position = Number(error.extras.members?.['position']);
            expect(position).toBeGreaterThanOrEqual(1);
            expect(position).toBeLessThanOrEqual(source.length + 1);
          }
        }
      }),
      { numRuns: propertyRuns(400) },
    );
  });
});

describe('an $orderby', () => {
  it('is a list of properties, each up or down', () => {
    expect(parseOrderBy('DUEDATE DESC, stakeholder/name,value Asc', FIELDS)).toEqual([
      { path: 'dueDate', descending: true },
      { path: 'stakeholder/name', descending: false },
      { path: 'value', descending: false },
    ]);
  });

  it.each([
    ['', 1],
    ['dueDat', 1],
    ['dueDate down', 9],
    ['dueDate,', 9],
    ['dueDate desc asc', 14],
    ['length(name)', 1],
    ['id,id,id,id,id,id', 16],
    ["'x'", 1],
    ['1', 1],
  ])('is refused at the place that is wrong: %j', (source, position) => {
    expect(refusal(() => parseOrderBy(source, FIELDS))).toMatchObject({ position, parameter: '$orderby' });
  });
});
