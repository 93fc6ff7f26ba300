import type { PGlite } from '@electric-sql/pglite';
import type { Migration } from '../../src/database/migrations';

/**
 * Tables in the order in which work comes to them: a delivery is claimed, its effects are booked, what changed is
 * announced and given its place in the feed. A migration that locks several locks them in this order; what is not
 * named comes after, by name.
 */
export const LOCK_ORDER = [
  'retention_progress',
  'notification_subscription',
  'notification_told',
  'source_health',
  'source_switch_off',
  'delivery',
  'open_delivery',
  'delivery_body',
  'approval',
  'effect',
  'deferred_effect',
  'stakeholder',
  'followed_field',
  'schedule',
  'record_count_delta',
  'entry',
  'account_balance_delta',
  'feed_waiting',
  'feed_change',
  'feed_stored_change',
  'run',
  'attention',
  'entity_delivery',
  'money_facts',
  'feed_head',
  'feed_batch',
  'feed_removal',
];

/** Locks that some statement of work has to wait for, or that wait for work, the weakest first. */
const MODES = [
  'RowShareLock',
  'RowExclusiveLock',
  'ShareLock',
  'ShareRowExclusiveLock',
  'ExclusiveLock',
  'AccessExclusiveLock',
];

/** Its first statement, comments before it aside: `LOCK TABLE a, b IN … MODE`. */
const LOCKS_FIRST = /^(?:\s|--.*\n)*LOCK\s+TABLE\s+([^;]+?)\s+IN\s+[A-Z ]+\s+MODE\s*;/i;
/** A line that says why something that the version before may not bear is safe all the same. */
const CONTRACT = /^-- contract: \S.*$/m;
const INDEX = /^-- index: \S.*$/m;

/** The strongest lock on each table that was there before, as an index of `MODES`. */
type Locks = Map<string, number>;

interface Column {
  type: string;
  nullable: boolean;
  filled: boolean;
}

interface Schema {
  /** By `table` and by `table.column`. */
  columns: Map<string, Column>;
  /** Names of indexes with their tables. */
  indexes: Map<string, string>;
}

/**
 * Applies a migration in a transaction and says what in it the version before, at work meanwhile and afterwards, would
 * not bear: see CONTRIBUTING.md, "A new migration".
 * @param pglite has the schema before it, and afterwards the one with it
 */
export async function faultsOf(pglite: PGlite, { sql }: Pick<Migration, 'sql'>): Promise<string[]> {
  const before = await schemaOf(pglite);
  const first = LOCKS_FIRST.exec(sql);
  let atFirst: Locks = new Map();
  let atLast: Locks = new Map();
  await pglite.transaction(async (tx) => {
    const locks = async (): Promise<Locks> => locksOn(tables(before), await heldLocks(tx));
    if (first) await tx.exec(first[0]);
    atFirst = await locks();
    await tx.exec(first ? sql.slice(first[0].length) : sql);
    atLast = await locks();
  });
  return [
    ...lockFaults(first ? namesIn(first[1] ?? '') : [], atFirst, atLast),
    ...(CONTRACT.test(sql) ? [] : columnFaults(before, await schemaOf(pglite))),
    ...(INDEX.test(sql) ? [] : indexFaults(before, await schemaOf(pglite))),
  ];
}

function lockFaults(listed: readonly string[], atFirst: Locks, atLast: Locks): string[] {
  const faults: string[] = [];
  const inOrder = [...listed].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  if (inOrder.join() !== listed.join()) faults.push(`locks ${listed.join(', ')}: lock ${inOrder.join(', ')}`);
  if (atLast.size < 2) return faults;
  const later = [...atLast].filter(([table, mode]) => mode > (atFirst.get(table) ?? -1));
  const wanted = later.map(([table, mode]) => `${table} (${MODES[mode]})`).sort();
  if (later.length > 0)
    faults.push(`locks ${wanted.join(', ')} on the way: begin with LOCK TABLE for all of them`);
  return faults;
}

function columnFaults(before: Schema, after: Schema): string[] {
  const faults: string[] = [];
  for (const [name, old] of before.columns) {
    const column = after.columns.get(name);
    if (!column) faults.push(`${name} is dropped or renamed`);
    else if (column.type !== old.type) faults.push(`${name} becomes ${column.type}, was ${old.type}`);
    else if (old.nullable && !column.nullable) faults.push(`${name} becomes NOT NULL`);
    else if (old.filled && !column.filled && !column.nullable) faults.push(`${name} loses its default`);
  }
  const known = tables(before);
  for (const [name, { nullable, filled }] of after.columns) {
    const added = !before.columns.has(name) && known.has(name.split('.')[0] ?? '');
    if (added && !nullable && !filled) faults.push(`${name} is new, NOT NULL and without a default`);
  }
  return faults;
}

function indexFaults(before: Schema, after: Schema): string[] {
  const known = tables(before);
  return [...after.indexes]
    .filter(([name, table]) => !before.indexes.has(name) && known.has(table))
    .map(([name, table]) => `${name} is built while nobody can write to ${table}`);
}

function tables({ columns }: Schema): Set<string> {
  return new Set([...columns.keys()].map((name) => name.split('.')[0] ?? ''));
}

function namesIn(list: string): string[] {
  return list.split(',').map((name) => name.replace(/"|\bONLY\b/gi, '').trim());
}

function rank(table: string): number {
  const index = LOCK_ORDER.indexOf(table);
  return index < 0 ? LOCK_ORDER.length : index;
}

interface HeldLock {
  name: string;
  mode: string;
}

async function heldLocks(session: Pick<PGlite, 'query'>): Promise<HeldLock[]> {
  const { rows } = await session.query<HeldLock>(`
    select c.relname as name, l.mode from pg_locks l join pg_class c on c.oid = l.relation
    where l.locktype = 'relation' and c.relkind in ('r', 'p')`);
  return rows;
}

function locksOn(known: ReadonlySet<string>, held: readonly HeldLock[]): Locks {
  const strongest: Locks = new Map();
  for (const { name, mode } of held) {
    const strength = MODES.indexOf(mode);
    if (known.has(name) && strength >= 0)
      strongest.set(name, Math.max(strength, strongest.get(name) ?? strength));
  }
  return strongest;
}

async function schemaOf(pglite: PGlite): Promise<Schema> {
  const columns = await pglite.query<Column & { name: string }>(`
    select c.relname || '.' || a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull as nullable, a.atthasdef or a.attidentity <> '' as filled
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`);
  const indexes = await pglite.query<{ name: string; table: string }>(`
    select i.relname as name, t.relname as table
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class t on t.oid = x.indrelid
    where t.relnamespace = 'public'::regnamespace`);
  return {
    columns: new Map(columns.rows.map(({ name, ...column }) => [name, column])),
    indexes: new Map(indexes.rows.map(({ name, table }) => [name, table])),
  };
}
