import type { PGlite, Transaction as Session } from '@electric-sql/pglite';
import { columnParser } from './column-types';
import type { HotStatement } from './database';

type Parsers = Record<number, (text: string) => unknown>;

const parsersOf = new WeakMap<PGlite, Parsers>();

/** A hot statement on PGlite itself, or in a transaction of it. */
export async function runOnPglite<Row>(
  pglite: PGlite,
  session: PGlite | Session,
  statement: Pick<HotStatement, 'text'>,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await session.query<Row>(statement.text, [...values], { parsers: sameParsers(pglite) });
  return rows;
}

/** PGlite has parsers of its own for some types; where ours say "text", theirs must not step in. */
function sameParsers(pglite: PGlite): Parsers {
  const known = parsersOf.get(pglite);
  if (known) return known;
  const parsers = Object.fromEntries(
    Object.keys(pglite.parsers).map((oid) => [oid, columnParser(Number(oid))]),
  );
  parsersOf.set(pglite, parsers);
  return parsers;
}
