import { Prisma } from './client/client';

/*
 * Letters are changed by the rules of Unicode and not by those of the database, which may have been made with the
 * locale C: that one knows no letter beyond `a` to `z`, so that nobody would find "Ávila" by "ávila".
 */

/** An expression of SQL for `text` in small letters, as `toLowerCase` makes them. */
export function inLowerCase(text: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`lower(${text} collate "und-x-icu")`;
}

/** An expression of SQL for `text` in capital letters, as `toUpperCase` makes them. */
export function inUpperCase(text: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`upper(${text} collate "und-x-icu")`;
}
