import type { Client } from 'pg';

/** What PostgreSQL has stored and counted, of a database or of one order. */
export interface Stored {
  tables: readonly StoredTable[];
  indexes: readonly StoredIndex[];
  /** Of the write-ahead log, whoever wrote it. */
  walBytes: number;
}

export interface StoredTable {
  name: string;
  /** Inserted, whether they are there still or not. */
  rows: number;
  updated: number;
  /** Updates that needed no entry in any index. */
  hot: number;
  /** With what is stored out of line. */
  bytes: number;
}

export interface StoredIndex {
  name: string;
  entries: number;
  bytes: number;
}

interface IndexRow {
  name: string;
  table: string;
  condition: string | null;
  entries: number;
  bytes: number;
}

/** Every table and index of Ponte's. To be called when nobody writes. */
export async function readStored(client: Client): Promise<Stored> {
  const tables = await client.query<StoredTable>(
    `select relname as name, n_tup_ins::float8 as rows, n_tup_upd::float8 as updated, n_tup_hot_upd::float8 as hot,
      pg_table_size(relid)::float8 as bytes
    from pg_stat_user_tables order by relname`,
  );
  const { rows: indexes } = await client.query<IndexRow>(
    `select s.indexrelname as name, format('%I', s.relname) as table, pg_get_expr(i.indpred, i.indrelid) as condition,
      (t.n_tup_ins + t.n_tup_upd - t.n_tup_hot_upd)::float8 as entries,
      pg_relation_size(s.indexrelid)::float8 as bytes
    from pg_stat_user_indexes s join pg_index i on i.indexrelid = s.indexrelid
      join pg_stat_user_tables t on t.relid = s.relid
    order by s.indexrelname`,
  );
  const counted: StoredIndex[] = [];
  for (const { name, table, condition, entries, bytes } of indexes)
    counted.push({
      name,
      bytes,
      entries: condition === null ? entries : await matching(client, table, condition),
    });
  const wal = await client.query<{ bytes: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as bytes`,
  );
  return { tables: tables.rows, indexes: counted, walBytes: wal.rows[0]?.bytes ?? NaN };
}

async function matching(client: Client, table: string, condition: string): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::float8 as count from ${table} where ${condition}`,
  );
  return rows[0]?.count ?? NaN;
}

/** What was added from one reading to the next, divided by the number of orders that were booked between. */
export function differenceOf(before: Stored, after: Stored, orders: number): Stored {
  const table = byName(before.tables);
  const index = byName(before.indexes);
  return {
    tables: after.tables.map(({ name, rows, updated, hot, bytes }) => {
      const earlier = table.get(name);
      return {
        name,
        rows: (rows - (earlier?.rows ?? 0)) / orders,
        updated: (updated - (earlier?.updated ?? 0)) / orders,
        hot: (hot - (earlier?.hot ?? 0)) / orders,
        bytes: (bytes - (earlier?.bytes ?? 0)) / orders,
      };
    }),
    indexes: after.indexes.map(({ name, entries, bytes }) => {
      const earlier = index.get(name);
      return {
        name,
        entries: (entries - (earlier?.entries ?? 0)) / orders,
        bytes: (bytes - (earlier?.bytes ?? 0)) / orders,
      };
    }),
    walBytes: (after.walBytes - before.walBytes) / orders,
  };
}

function byName<T extends { name: string }>(named: readonly T[]): Map<string, T> {
  return new Map(named.map((one) => [one.name, one]));
}
