import { withClient } from '../frame/postgres-server';
import type { ResultTable } from '../part';

const MEBIBYTE = 1024 * 1024;
/** Smaller ones are left out of the tables. */
const LEAST_MEBIBYTES = 1;

interface Measured {
  /** How many deliveries it had in the beginning. */
  size: number;
  url: string;
}

/** What tables and indexes take on disk at each size. */
export async function sizesOf(databases: readonly Measured[]): Promise<ResultTable[]> {
  const tables = await inColumns(
    databases,
    `select relname as name, pg_table_size(oid) as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const indexes = await inColumns(
    databases,
    `select relname as name, pg_relation_size(oid) as bytes from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'i'`,
  );
  const columns = ['MiB', ...databases.map(({ size }) => String(size))];
  return [
    { title: 'Tables, with what is stored out of line', columns, rows: tables },
    { title: 'Indexes', columns, rows: indexes },
  ];
}

/** A row for each name, largest at the largest size first. */
async function inColumns(databases: readonly Measured[], sql: string): Promise<(string | number)[][]> {
  const names = new Map<string, number[]>();
  for (const [column, { url }] of databases.entries()) {
    const { rows } = await withClient(url, (client) => client.query<{ name: string; bytes: string }>(sql));
    for (const { name, bytes } of rows) {
      const sizes = names.get(name) ?? databases.map(() => 0);
      sizes[column] = Math.round(Number(bytes) / MEBIBYTE);
      names.set(name, sizes);
    }
  }
  return [...names]
    .filter(([, sizes]) => Math.max(...sizes) >= LEAST_MEBIBYTES)
    .sort(([, left], [, right]) => (right.at(-1) ?? 0) - (left.at(-1) ?? 0))
    .map(([name, sizes]) => [name, ...sizes]);
}
