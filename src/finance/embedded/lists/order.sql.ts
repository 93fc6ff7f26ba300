import { Prisma } from '../../../database/client/client';
import type { OrderKey } from '../../../http/filter/expression';
import { badSkipToken } from '../../../http/skip-token';
import { CalendarDate, CalendarDateError } from '../../../kernel/calendar-date';
import { isUuid } from '../../../kernel/identifier';
import { allOf, type Column, type Columns } from './columns.sql';

/** One term of `order by`. It is never null, so that rows can be compared by it. */
export interface SortTerm {
  readonly sql: Prisma.Sql;
  readonly type: Column['type'];
  readonly descending: boolean;
}

/** What stands for a missing value beside a term that says it is missing. */
const MINIMAL: Readonly<Record<Column['type'], string>> = {
  guid: '00000000-0000-0000-0000-000000000000',
  text: '',
  integer: '0',
  money: '0',
  date: '1900-01-01',
  instant: '1900-01-01T00:00:00Z',
  boolean: 'false',
};

/**
 * The terms that the keys become. A key that may be missing becomes two: whether it is there, which puts what
 * is missing first going up and last going down, and its value. The identifier comes last and makes the order
 * total; it goes the way of the last key, unless it is one of them.
 * @param identifier column that is another in every record
 */
export function sortTerms(keys: readonly OrderKey[], columns: Columns, identifier: Prisma.Sql): SortTerm[] {
  const terms = keys.flatMap(({ path, descending }) => termsOf(columns, path, descending));
  // Whoever orders by the identifier needs it no second time.
  if (terms.some(({ sql }) => sql.sql === identifier.sql)) return terms;
  const last = keys.at(-1)?.descending ?? false;
  return [...terms, { sql: identifier, type: 'guid', descending: last }];
}

function termsOf(columns: Columns, path: string, descending: boolean): SortTerm[] {
  const found = columns[path];
  if (!found) throw new Error('an order names a column that is not there');
  const { type, nullable, sql } = found;
  if (!nullable) return [{ sql: sortable(type, sql), type, descending }];
  const filled = Prisma.sql`coalesce(${sql}, ${parameter(type, MINIMAL[type])})`;
  return [
    { sql: Prisma.sql`((${sql}) is not null)`, type: 'boolean', descending },
    { sql: sortable(type, filled), type, descending },
  ];
}

function sortable(type: Column['type'], sql: Prisma.Sql): Prisma.Sql {
  if (type === 'text') return Prisma.sql`(${sql}) collate "C"`;
  // A constant may not be ordered by, and some flags are the same for every record.
  return type === 'boolean' ? Prisma.sql`((${sql}) is true)` : sql;
}

/** `a desc, b desc` */
export function orderBy(terms: readonly SortTerm[]): Prisma.Sql {
  return Prisma.join(
    terms.map(({ sql, descending }) => (descending ? Prisma.sql`${sql} desc` : Prisma.sql`${sql} asc`)),
  );
}

/**
 * The condition that a row comes after the one with these keys.
 * @throws Problem malformed-request when the keys are not of the terms' number and types
 */
export function comesAfter(terms: readonly SortTerm[], keys: readonly string[]): Prisma.Sql {
  if (keys.length !== terms.length) throw badSkipToken('the token does not fit the order');
  const values = terms.map(({ type }, index) => checkedParameter(type, keys[index] ?? ''));
  // All one way: one comparison of rows, which an index answers.
  if (terms.every(({ descending }) => descending === terms[0]?.descending)) {
    const row = Prisma.join(terms.map(({ sql }) => sql));
    const sign = terms[0]?.descending ? Prisma.sql`<` : Prisma.sql`>`;
    return Prisma.sql`(${row}) ${sign} (${Prisma.join(values)})`;
  }
  const alternatives = terms.map(({ sql, descending }, index) => {
    const equal = terms.slice(0, index).map((term, before) => Prisma.sql`${term.sql} = ${values[before]}`);
    const sign = descending ? Prisma.sql`<` : Prisma.sql`>`;
    return allOf([...equal, Prisma.sql`${sql} ${sign} ${values[index]}`]);
  });
  return Prisma.join(
    alternatives.map((alternative) => Prisma.sql`(${alternative})`),
    ' or ',
  );
}

function checkedParameter(type: Column['type'], key: string): Prisma.Sql {
  if (!fits(type, key)) throw badSkipToken('the token does not fit the order');
  return parameter(type, key);
}

function fits(type: Column['type'], key: string): boolean {
  switch (type) {
    case 'guid':
      return isUuid(key);
    case 'text':
      return true;
    case 'integer':
      return /^-?\d{1,9}$|^-?[12]\d{9}$/.test(key) && Math.abs(Number(key)) < 2 ** 31;
    case 'money':
      return /^-?\d{1,18}$/.test(key);
    case 'boolean':
      return key === 'true' || key === 'false';
    case 'date':
      return isDay(key);
    case 'instant':
      return INSTANT.test(key) && isDay(key.slice(0, 10));
  }
}

/** As the database writes it where its session is in some zone: `2026-03-10 14:05:06.789+00`. */
const INSTANT =
  /^\d{4}-\d\d-\d\d[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)$/;

function isDay(key: string): boolean {
  try {
    CalendarDate.parse(key);
    return true;
  } catch (error) {
    if (error instanceof CalendarDateError) return false;
    throw error;
  }
}

function parameter(type: Column['type'], value: string): Prisma.Sql {
  switch (type) {
    case 'guid':
      return Prisma.sql`${value}::uuid`;
    case 'text':
      return Prisma.sql`${value}::text`;
    case 'integer':
      return Prisma.sql`${Number(value)}::int`;
    case 'money':
      return Prisma.sql`${BigInt(value)}::bigint`;
    case 'date':
      return Prisma.sql`${value}::date`;
    case 'instant':
      return Prisma.sql`${value}::timestamptz`;
    case 'boolean':
      return value === 'true' ? Prisma.sql`true` : Prisma.sql`false`;
  }
}
