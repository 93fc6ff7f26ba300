import { Injectable } from '@nestjs/common';
import { Prisma } from '../database/client/client';
import type { Transaction } from '../database/transaction';
import { parseJsonBytes, writeJson } from '../kernel/lossless-json';
import type { TextEraser } from './erase-texts';
import type { Person } from './person';
import type { KeyColumn, Place } from './places.sql';

/** Rows of a table that one transaction goes through, whosever they are: no statement takes long where one's own are few. */
const ROWS_AT_ONCE = 2_000;

/** What one part of a walk needs. */
export interface WalkOf {
  readonly organizationId: string;
  readonly erasureId: string;
  readonly person: Person;
  readonly eraser: TextEraser;
  /** See `certainPattern`. */
  readonly pattern: string | undefined;
}

/** What one part of a walk came to. */
export interface Walked {
  readonly changed: number;
  /** The last row gone through; null: the table is at its end. */
  readonly place: string[] | null;
  /** Rows about the person that may not be changed yet. */
  readonly unsettled: number;
}

/** A row: its key and its columns, as text. */
type Row = Record<string, string | null> & { theirs: string; settled: string };

/** Goes through a table part by part, and removes a person from the rows that name them. */
@Injectable()
export class PlaceWalk {
  /** @param place the last row gone through; null: begin */
  async part(tx: Transaction, place: Place, at: string[] | null, walk: WalkOf): Promise<Walked> {
    const last = await this.lastOfPart(tx, place, at, walk);
    const rows = await this.rowsOf(tx, place, { after: at, last }, walk);
    let changed = 0;
    let unsettled = 0;
    for (const row of rows) {
      const changes = this.changesOf(place, row, walk.eraser);
      if (changes.length === 0) continue;
      if (row.settled === 'false') unsettled += 1;
      else changed += await this.write(tx, place, row, changes);
    }
    return { changed, unsettled, place: last ?? null };
  }

  private async lastOfPart(
    tx: Transaction,
    place: Place,
    at: string[] | null,
    { organizationId }: WalkOf,
  ): Promise<string[] | undefined> {
    const [row] = await tx.$queryRaw<Record<string, string>[]>`
      select ${keysAsText(place)} from ${tableOf(place)}
      where ${place.byOrganization ? place.of(organizationId) : Prisma.sql`true`} and ${behind(place, at)}
      order by ${orderOf(place)} offset ${ROWS_AT_ONCE - 1} limit 1`;
    return row && place.keys.map(({ name }) => row[name] ?? '');
  }

  private rowsOf(
    tx: Transaction,
    place: Place,
    { after, last }: { after: string[] | null; last: string[] | undefined },
    { organizationId, erasureId, person, pattern }: WalkOf,
  ): Promise<Row[]> {
    const theirs = place.isTheirs?.(person, erasureId) ?? Prisma.sql`false`;
    const columns = columnsOf(place);
    const named = columns.map((name) =>
      pattern === undefined ? Prisma.sql`false` : Prisma.sql`${column(name)}::text ~* ${pattern}`,
    );
    const keys = person.customerEffects;
    const keyed = columns.map(
      (name) => Prisma.sql`${column(name)}::text like any(${keys.map((key) => `%${key}%`)}::text[])`,
    );
    return tx.$queryRaw<Row[]>`
      select ${keysAsText(place)}, ${Prisma.join(columns.map((name) => Prisma.sql`${column(name)}::text as ${quoted(name)}`))},
        (${theirs})::text as theirs, (${place.isSettled ?? Prisma.sql`true`})::text as settled
      from ${tableOf(place)}
      where ${place.of(organizationId)} and ${behind(place, after)} and ${last ? Prisma.sql`not ${behind(place, last)}` : Prisma.sql`true`}
        and (${theirs} or ${Prisma.join([...named, ...keyed], ' or ')})
      order by ${orderOf(place)} for update of t`;
  }

  private changesOf(place: Place, row: Row, eraser: TextEraser): Prisma.Sql[] {
    const isTheirs = row.theirs === 'true';
    const texts = (place.texts ?? []).flatMap((name) => {
      const before = row[name];
      const after = before == null ? before : eraser.text(before, isTheirs);
      if (before === after) return [];
      // Two rows that said the same of two persons are two still.
      const kept = name === place.unique ? `${after ?? ''} (${row['id'] ?? ''})` : after;
      return [Prisma.sql`${quoted(name)} = ${kept}`];
    });
    const json = Object.entries(place.json ?? {}).flatMap(([name, type]) => {
      const before = row[name];
      if (before == null) return [];
      const parsed = parseJsonBytes(Buffer.from(before, 'utf8'));
      const after = writeJson(eraser.json(parsed, isTheirs, place.missing ?? 'absent'));
      return after === writeJson(parsed) ? [] : [Prisma.sql`${quoted(name)} = ${after}::${Prisma.raw(type)}`];
    });
    return [...texts, ...json];
  }

  private async write(
    tx: Transaction,
    place: Place,
    row: Row,
    changes: readonly Prisma.Sql[],
  ): Promise<number> {
    const its = Prisma.join(
      place.keys.map(({ name, type }) => Prisma.sql`${quoted(name)} = ${row[name]}::${Prisma.raw(type)}`),
      ' and ',
    );
    const table = Prisma.raw(`"${place.table}"`);
    return tx.$executeRaw`update ${table} set ${Prisma.join([...changes])} where ${its}`;
  }
}

function tableOf({ table }: Place): Prisma.Sql {
  return Prisma.raw(`"${table}" t`);
}

function columnsOf({ texts = [], json = {} }: Place): string[] {
  return [...texts, ...Object.keys(json)];
}

function quoted(name: string): Prisma.Sql {
  return Prisma.raw(`"${name}"`);
}

function column(name: string): Prisma.Sql {
  return Prisma.raw(`t."${name}"`);
}

function keysAsText({ keys }: Place): Prisma.Sql {
  return Prisma.join(keys.map(({ name }) => Prisma.sql`${column(name)}::text as ${quoted(name)}`));
}

function orderOf({ keys }: Place): Prisma.Sql {
  return Prisma.join(keys.map(({ name }) => column(name)));
}

/** Rows that come after one in the order of the primary key. */
function behind({ keys }: Place, at: readonly string[] | null): Prisma.Sql {
  if (at === null) return Prisma.sql`true`;
  const names = Prisma.join(keys.map(({ name }) => column(name)));
  const values = keys.map(
    ({ type }: KeyColumn, index) => Prisma.sql`${at[index] ?? ''}::${Prisma.raw(type)}`,
  );
  return Prisma.sql`(${names}) > (${Prisma.join(values)})`;
}
