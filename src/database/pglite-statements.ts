import type { PGlite, Transaction as Session } from '@electric-sql/pglite';
import { columnParser } from './column-types';
import type { HotStatement } from './database';

type Parsers = Record<number, (text: string) => unknown>;

const parsersOf = new WeakMap<PGlite, Parsers>();

/** Of `bytea`, in pg_type.dat. */
const BYTEA = 17;
/** PGlite's own makes an array with a text for each byte: a batch of 2 MiB took a second, in which nothing else ran. */
const SERIALIZERS = { [BYTEA]: hex };

/** A hot statement on PGlite itself, or in a transaction of it. */
export async function runOnPglite<Row>(
  pglite: PGlite,
  session: PGlite | Session,
  statement: Pick<HotStatement, 'text'>,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await session.query<Row>(statement.text, [...values], {
    parsers: sameParsers(pglite),
    serializers: SERIALIZERS,
  });
  return rows;
}

/** Bytes as PostgreSQL reads them in a text. */
function hex(bytes: unknown): string {
  if (!(bytes instanceof Uint8Array)) throw new TypeError('a bytea column takes bytes');
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
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
