/** A table that is copied. */
export interface MovedTable {
  /** Quoted. */
  readonly name: string;
  /** Quoted, all but those that PostgreSQL computes. */
  readonly columns: readonly string[];
}

/** What a database has of the progress of a move to it. */
export const PROGRESS = 'ponte_move_progress';

/** Not copied: each database has its own. */
const OWN = `'_prisma_migrations', '${PROGRESS}'`;

/** Every table with rows of its own, parts of others included; a part as the command that attaches it needs it. */
export const TABLES = `
  SELECT c.relname::text AS name, i.inhparent::regclass::text AS parent,
    pg_get_expr(c.relpartbound, c.oid) AS bound
  FROM pg_class c LEFT JOIN pg_inherits i ON i.inhrelid = c.oid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname NOT IN (${OWN})
  ORDER BY c.relname`;

export const COLUMNS = `
  SELECT c.relname::text AS "table", quote_ident(a.attname) AS "column"
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname NOT IN (${OWN})
    AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  ORDER BY c.relname, a.attname`;

/** Which table names rows of which other one. */
export const REFERENCES = `
  SELECT r.relname::text AS "table", t.relname::text AS referenced
  FROM pg_constraint f JOIN pg_class r ON r.oid = f.conrelid JOIN pg_class t ON t.oid = f.confrelid
  WHERE f.contype = 'f' AND r.relnamespace = current_schema()::regnamespace AND f.conparentid = 0`;

/** Every trigger of migrations, and whether it acts; PostgreSQL's own, of foreign keys, are left out. */
export const TRIGGERS = `
  SELECT c.relname::text AS "table", t.tgname::text AS name, t.tgenabled::text AS enabled
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::regnamespace ORDER BY 1, 2`;

export const SEQUENCES = `
  SELECT quote_ident(sequencename) AS name FROM pg_sequences WHERE schemaname = current_schema() ORDER BY 1`;

export const MIGRATIONS = `
  SELECT migration_name AS name, checksum FROM _prisma_migrations
  WHERE rolled_back_at IS NULL AND migration_name <> 'ponte_move_to' ORDER BY 1`;

export interface TableRow {
  name: string;
  parent: string | null;
  bound: string | null;
}

export interface TriggerRow {
  table: string;
  name: string;
  /** As PostgreSQL has it: `O` acts, `D` is switched off. */
  enabled: string;
}

/** How the triggers of two databases differ: the first of those that act in one and not in the other; undefined: they do not. */
export function triggerDifference(
  here: readonly TriggerRow[],
  there: readonly TriggerRow[],
): string | undefined {
  const states = new Map(there.map(({ table, name, enabled }) => [`${name} of ${table}`, enabled]));
  for (const { table, name, enabled } of here) {
    const trigger = `${name} of ${table}`;
    const found = states.get(trigger);
    states.delete(trigger);
    if (found === undefined) return `the trigger ${trigger} is missing`;
    if (found !== enabled) return `the trigger ${trigger} is switched ${found === 'D' ? 'off' : 'otherwise'}`;
  }
  const [extra] = states.keys();
  return extra === undefined ? undefined : `the trigger ${extra} is not one of Ponte's`;
}

export interface ReferenceRow {
  table: string;
  referenced: string;
}

/** The tables so that each comes after those that its rows name. @throws Error when they name each other */
export function inOrder(names: readonly string[], references: readonly ReferenceRow[]): string[] {
  const ordered: string[] = [];
  const left = new Set(names);
  while (left.size > 0) {
    const free = [...left].filter(
      (name) =>
        !references.some(
          ({ table, referenced }) => table === name && table !== referenced && left.has(referenced),
        ),
    );
    if (free.length === 0) throw new Error(`these tables name each other: ${[...left].join(', ')}`);
    for (const name of free) left.delete(name);
    ordered.push(...free);
  }
  return ordered;
}

/** How many rows a table has, and a number that is another where one of them is. The same in both databases. */
export function digestOf({ name, columns }: MovedTable): string {
  return `SELECT count(*)::text AS rows,
    coalesce(sum(hashtextextended(ROW(${columns.join()})::text COLLATE "C", 0)), 0)::text AS digest FROM ${name}`;
}

export interface TableDigest {
  rows: string;
  digest: string;
}
