import { Prisma } from '../../../database/client/client';
import type { FieldType } from '../../../http/filter/fields';

/** A property of a list and the SQL that gives it: money in minor units, a date as `date`. */
export interface Column {
  readonly type: Exclude<FieldType, 'number'>;
  readonly nullable: boolean;
  readonly sql: Prisma.Sql;
}

/** Properties by path, in the order in which an item shows them. */
export type Columns = Readonly<Record<string, Column>>;

/**
 * A column that is always there.
 * @param sql an expression of this program, never anything of a request; or SQL with its parameters
 */
export function column(type: Column['type'], sql: string | Prisma.Sql): Column {
  return { type, nullable: false, sql: typeof sql === 'string' ? Prisma.raw(sql) : sql };
}

/** A column that a record may be without. */
export function optional(type: Column['type'], sql: string | Prisma.Sql): Column {
  return { ...column(type, sql), nullable: true };
}

/** `a and b and c`, each in brackets; true when there is none. */
export function allOf(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  if (conditions.length === 0) return Prisma.sql`true`;
  return Prisma.join(
    conditions.map((condition) => Prisma.sql`(${condition})`),
    ' and ',
  );
}
