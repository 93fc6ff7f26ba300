import type { Database, HotStatement } from '../database/database';

/** A setting of the server, as `pg_settings` shows it. */
export interface ServerSetting {
  readonly name: string;
  /** What connections begin with, whatever this one was set to; numbers in {@link unit}. */
  readonly begins: string;
  readonly unit: string | null;
}

/** What a PostgreSQL server and a database of it say of themselves. */
export interface ServerFacts {
  /** As `server_version_num`: 150014. */
  readonly version: number;
  readonly versionText: string;
  readonly encoding: string;
  /** Whether it was built with ICU, by which letters are made small and capital. */
  readonly hasIcu: boolean;
  readonly inRecovery: boolean;
  /** Bytes of all tables and indexes. */
  readonly bytes: bigint;
  /** Milliseconds since 1970 by its clock. */
  readonly nowMs: number;
  readonly mayCreate: boolean;
  /** Connections that it takes, all in all and for this user, and those of others that are open. */
  readonly maxConnections: number;
  readonly reservedConnections: number;
  /** The lower one of the user's limit and the database's; undefined: none is set. */
  readonly limit: number | null;
  readonly othersConnected: number;
}

export async function serverFacts(database: Database): Promise<ServerFacts> {
  const [facts] = await database.query<ServerFacts>(FACTS, []);
  if (!facts) throw new Error('a statement that always returns one row returned none');
  return facts;
}

/** @param names of which only those are returned that the server knows */
export function serverSettings(database: Database, names: readonly string[]): Promise<ServerSetting[]> {
  return database.query<ServerSetting>(SETTINGS, [names]);
}

/** Tables by name, with an estimate of their rows and all their bytes, indexes included. */
export async function tableSizes(
  database: Database,
): Promise<ReadonlyMap<string, { rows: number; bytes: bigint }>> {
  const found = await database.query<{ name: string; rows: number; bytes: bigint }>(TABLES, []);
  return new Map(found.map(({ name, rows, bytes }) => [name, { rows, bytes }]));
}

const FACTS: HotStatement = {
  name: 'doctor_facts',
  text: `
    select current_setting('server_version_num')::int as "version",
           current_setting('server_version') as "versionText",
           current_setting('server_encoding') as "encoding",
           exists (select from pg_collation where collname = 'und-x-icu') as "hasIcu",
           pg_is_in_recovery() as "inRecovery",
           pg_database_size(current_database()) as "bytes",
           (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs",
           has_schema_privilege(current_schema(), 'CREATE') as "mayCreate",
           current_setting('max_connections')::int as "maxConnections",
           current_setting('superuser_reserved_connections')::int
             + coalesce(current_setting('reserved_connections', true), '0')::int as "reservedConnections",
           (select min(l) from (
              select rolconnlimit as l from pg_roles where rolname = current_user
              union all select datconnlimit from pg_database where datname = current_database()
            ) limits where l >= 0)::int as "limit",
           (select count(*) from pg_stat_activity
             where backend_type = 'client backend' and application_name not like 'ponte%')::int as "othersConnected"`,
};

const SETTINGS: HotStatement = {
  name: 'doctor_settings',
  text: `select name, reset_val as "begins", unit from pg_settings where name = any($1::text[])`,
};

/** The months of a table that is divided are counted with it. */
const TABLES: HotStatement = {
  name: 'doctor_tables',
  text: `
    select coalesce(parent.relname, own.relname)::text as name, sum(greatest(own.reltuples, 0))::float8 as rows,
           sum(pg_total_relation_size(own.oid))::bigint as bytes
      from pg_class own
      left join pg_inherits i on i.inhrelid = own.oid
      left join pg_class parent on parent.oid = i.inhparent
     where own.relkind in ('r', 'p') and own.relnamespace = current_schema()::regnamespace
     group by 1`,
};
