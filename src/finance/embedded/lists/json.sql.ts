import type { Column, Columns } from './columns.sql';

/** SQL for what an item needs to know of its organization. */
export interface JsonPlace {
  /** `numeric`: 0.01 where the currency has cents. */
  readonly unit: string;
  /** The offset of the midnight of a day, as text: `-03:00`; null where it is not known. @param day SQL for a `date` */
  readonly offsetOf: (day: string) => string;
}

/** An object: its properties, and objects within it, in order. */
type Tree = Map<string, Column | Tree>;

/**
 * SQL for an item of a list as text, the very one that `JSON.stringify` makes of `ListReading.itemOf`. Null where it
 * cannot be made here: a column is missing that is always there, the midnight of a day is not known, or an amount does not
 * fit a double exactly.
 * @param columns none of them with parameters
 */
export function jsonText(columns: Columns, place: JsonPlace): string {
  return new JsonWriter(place).object(treeOf(columns));
}

/** The first that is mentioned comes first, as in an object that is filled in their order. */
function treeOf(columns: Columns): Tree {
  const tree: Tree = new Map();
  for (const [path, column] of Object.entries(columns)) {
    const parents = path.split('/');
    const name = parents.pop() ?? path;
    let parent = tree;
    for (const part of parents) {
      const found = parent.get(part) ?? new Map<string, Column | Tree>();
      if (!(found instanceof Map)) throw new Error('a list shows a value and what is in it');
      parent.set(part, found);
      parent = found;
    }
    parent.set(name, column);
  }
  return tree;
}

/** From here on a double cannot tell two neighbouring amounts apart: `wireAmount` refuses it. */
const TOO_COARSE = '4000000000000000';

/** Text as it is, or SQL for some. */
type Piece = { readonly text: string } | { readonly sql: string };

class JsonWriter {
  constructor(private readonly place: JsonPlace) {}

  /** SQL for the object as text. */
  object(tree: Tree): string {
    return joined(this.pieces(tree));
  }

  private pieces(tree: Tree): Piece[] {
    const [first, ...others] = [...tree].map(([name, part]) => ({ name, part }));
    if (!first) return [text('{}')];
    const rest = others.flatMap(({ name, part }) => this.property(name, part, ','));
    if (!isOptional(first.part))
      return [text('{'), ...this.property(first.name, first.part, ''), ...rest, text('}')];
    // What may be missing in front leaves a comma that is one too many.
    const properties = joined([...this.property(first.name, first.part, ','), ...rest]);
    return [text('{'), { sql: `substr(${properties}, 2)` }, text('}')];
  }

  /** `,"name":value`, or nothing where it is missing. */
  private property(name: string, part: Column | Tree, comma: string): Piece[] {
    const start = text(`${comma}${JSON.stringify(name)}:`);
    if (part instanceof Map) return [start, ...this.pieces(part)];
    const sql = `(${statementOf(part)})`;
    const property = [start, ...this.value(part.type, sql)];
    if (!part.nullable) return property;
    // Not so of what comes out null although it is there.
    return part.type === 'money' || part.type === 'date'
      ? [{ sql: `case when ${sql} is null then '' else ${joined(property)} end` }]
      : [{ sql: `coalesce(${joined(property)}, '')` }];
  }

  private value(type: Column['type'], sql: string): Piece[] {
    switch (type) {
      case 'guid':
        return [text('"'), { sql: `${sql}::text` }, text('"')];
      case 'text':
        return [{ sql: `to_json(${sql}::text)::text` }];
      case 'money':
        return [
          {
            sql: `case when abs(${sql}) < ${TOO_COARSE} then trim_scale(${sql} * ${this.place.unit})::text end`,
          },
        ];
      case 'date':
        return [
          text('"'),
          { sql: `${sql}::text` },
          text('T00:00:00'),
          { sql: this.place.offsetOf(sql) },
          text('"'),
        ];
      case 'boolean':
        return [{ sql: `case ${sql} when true then 'true' when false then 'false' end` }];
      case 'integer':
        return [{ sql: `${sql}::text` }];
      case 'instant':
        throw new Error('no list that is announced shows a point in time');
    }
  }
}

function text(written: string): Piece {
  return { text: written };
}

/** One expression; texts that stand side by side are one. */
function joined(pieces: readonly Piece[]): string {
  const terms: string[] = [];
  let pending = '';
  const flush = (): void => {
    if (pending !== '') terms.push(`'${pending.replaceAll("'", "''")}'`);
    pending = '';
  };
  for (const piece of pieces) {
    if ('text' in piece) pending += piece.text;
    else {
      flush();
      terms.push(piece.sql);
    }
  }
  flush();
  return concatenated(terms);
}

/** In halves: each `||` copies what stands on both of its sides, and one after another that is nearly all of it each time. */
function concatenated(terms: readonly string[]): string {
  if (terms.length <= 2) return `(${terms.join(' || ')})`;
  const middle = Math.ceil(terms.length / 2);
  return `(${concatenated(terms.slice(0, middle))} || ${concatenated(terms.slice(middle))})`;
}

function isOptional(part: Column | Tree): boolean {
  return !(part instanceof Map) && part.nullable;
}

function statementOf({ sql }: Column): string {
  if (sql.values.length > 0) throw new Error('a list that is announced shows something of a request');
  return sql.sql;
}
