import type { Client } from 'pg';

/*
 * Makes a database large out of a small one. What a few hundred orders left behind on their way through the real
 * service is the pattern; it is set down over and over, each time with identifiers, keys and times of its own, older
 * first. So whatever a later version stores for an order is stored here too, with the indexes that it has. What JSON
 * and bodies say is not changed: nothing that is measured reads it across rows.
 */

/** What there is of, however many orders there are; every other table grows with them. */
const UNCOPIED = [
  'organization',
  'api_key',
  'audit_entry',
  'source',
  'rule',
  'rule_version',
  'lookup_table',
  'catalog_revision',
  'bank',
  'category',
  'category_group',
  'cost_center',
  'account',
  'account_balance',
  'account_balance_delta',
  'feed_head',
  'feed_cursor',
  'feed_waiting',
  'record_count',
  'record_count_delta',
  '_prisma_migrations',
];
const UNCOPIED_PREFIXES = ['finance_', 'watch_', 'remote_'];
/** Rows that others refer to and that are not copied. */
const REFERRED_TO = ['organization', 'source', 'account', 'category', 'cost_center', 'rule'];
const NIL = '00000000-0000-0000-0000-000000000000';

/** Digits that begin the id of every order of the pattern: in each copy others stand in their place. */
export const PATTERN_DIGITS = '80000000';
/** Milliseconds over which the copies spread: shorter than any retention. */
const SPAN_MS = 20 * 86_400_000;

export interface Column {
  name: string;
  /** As `information_schema` calls it. */
  type: string;
}

/** What distinguishes one copy from the next. */
export interface Copying {
  copies: number;
  /** Beyond every number that the pattern counts with. */
  stride: bigint;
  /** Identifiers that stay. */
  shared: readonly string[];
}

/**
 * Multiplies the rows of the database.
 * @param copies how often everything is there afterwards, 1 or more
 * @param say called now and then with the progress
 */
export async function grow(client: Client, copies: number, say: (line: string) => void): Promise<void> {
  // Triggers guard what is written here against being written at all.
  await client.query(`set session_replication_role = 'replica'`);
  await client.query(`set synchronous_commit = off`);
  await client.query(`set maintenance_work_mem = '1GB'`);
  await client.query('create schema pattern');
  const tables = await growingTables(client);
  const copying = { copies, stride: await strideOf(client, tables), shared: await sharedOf(client) };
  const statements = [];
  for (const table of tables) {
    await client.query(`create table pattern."${table}" as table public."${table}"`);
    statements.push(copyStatement(table, await columnsOf(client, table), copying));
  }
  const dropped = await dropIndexes(client, tables);
  await client.query(`truncate ${tables.map((table) => `public."${table}"`).join(', ')} cascade`);
  for (let copy = 0; copy < copies; copy += 1) {
    for (const statement of statements) await client.query(statement, [copy]);
    if (copy % 100 === 99) say(`${copy + 1} of ${copies} copies`);
  }
  say('all copied');
  for (const statement of dropped) await client.query(statement);
  say('indexes made');
  await settle(client, copying);
  await client.query('drop schema pattern cascade');
  await client.query('vacuum (analyze)');
  await client.query(`set session_replication_role = 'origin'`);
}

async function growingTables(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
       and relname <> all($1) and not exists (select from unnest($2::text[]) p where starts_with(relname, p))
     order by relname`,
    [UNCOPIED, UNCOPIED_PREFIXES],
  );
  const names = [];
  for (const { name } of rows) {
    const { rowCount } = await client.query(`select from public."${name}" limit 1`);
    if (rowCount) names.push(name);
  }
  return names;
}

async function columnsOf(client: Client, table: string): Promise<Column[]> {
  const { rows } = await client.query<Column>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  return rows;
}

async function sharedOf(client: Client): Promise<string[]> {
  const shared = [NIL];
  for (const table of REFERRED_TO) {
    if ((await columnsOf(client, table)).every(({ name }) => name !== 'id')) continue;
    const { rows } = await client.query<{ id: string }>(`select id::text as id from ${table}`);
    shared.push(...rows.map(({ id }) => id));
  }
  return shared;
}

async function strideOf(client: Client, tables: readonly string[]): Promise<bigint> {
  let most = 0n;
  for (const table of tables) {
    for (const column of (await columnsOf(client, table)).filter(isCounter)) {
      const { rows } = await client.query<{ most: string }>(
        `select coalesce(max("${column.name}"), 0)::text as most from public."${table}"`,
      );
      const found = BigInt(rows[0]?.most ?? 0);
      if (found > most) most = found;
    }
  }
  return most;
}

/**
 * Indexes cost least when they are made at the end, those of primary keys and what refers to them included; only what is
 * kept by month has its own meanwhile. @returns what makes them again
 */
async function dropIndexes(client: Client, tables: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; make: string }>(
    `with growing as (
       select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and not relispartition
         and relname = any($1)
     )
     select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
       format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as make,
       case contype when 'f' then 0 else 1 end as turn
     from pg_constraint
     where contype in ('p', 'u') and conrelid in (select oid from growing)
       or contype = 'f' and confrelid in (select oid from growing)
     union all
     select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid), 1
     from pg_index i
     where indrelid in (select oid from growing)
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
     order by turn`,
    [tables],
  );
  for (const { drop } of rows) await client.query(drop);
  return rows.reverse().map(({ make }) => make);
}

/** Brings what stands beside the copies in line with them: balances, counts, the feed's head, sequences. */
async function settle(client: Client, { copies }: Copying): Promise<void> {
  await client.query('update account_balance set balance_minor = balance_minor * $1', [copies]);
  await client.query('truncate record_count, record_count_delta');
  await client.query('insert into record_count select * from recounted_records()');
  await client.query('update feed_head set position = (select coalesce(max(position), 0) from feed_batch)');
  const { rows } = await client.query<{ sequence: string; table: string; column: string }>(
    `select s.oid::regclass::text as sequence, d.refobjid::regclass::text as table, a.attname as column
     from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i') and d.refobjsubid > 0
     join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
     where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace`,
  );
  // One number for all: what counts the waiting goes on counting when it has its place.
  const most = [];
  for (const { table, column } of rows) {
    const { rows: found } = await client.query<{ most: string }>(
      `select coalesce(max("${column}"), 0)::text as most from ${table}`,
    );
    most.push(BigInt(found[0]?.most ?? 0));
  }
  const { rows: placed } = await client.query<{ most: string }>(
    'select coalesce(max(id), 0)::text as most from feed_batch',
  );
  most.push(BigInt(placed[0]?.most ?? 0));
  const highest = most.reduce((one, other) => (one > other ? one : other), 1n);
  for (const { sequence } of rows) await client.query('select setval($1, $2)', [sequence, String(highest)]);
}

/** A number that distinguishes rows or orders them; money is in minor units and stays. */
function isCounter({ name, type }: Column): boolean {
  return type === 'bigint' && !name.endsWith('_minor');
}

/** SQL that sets down the pattern of one table once; its one parameter is the copy, from 0. */
export function copyStatement(table: string, columns: readonly Column[], copying: Copying): string {
  const names = columns.map(({ name }) => `"${name}"`);
  const values = columns.map((column) => valueOf(column, copying));
  return `insert into public."${table}" (${names.join(', ')})
    overriding system value
    select ${values.join(', ')} from pattern."${table}" cross join (select $1::int as n) as copy`;
}

function valueOf(column: Column, { copies, stride, shared }: Copying): string {
  const name = `"${column.name}"`;
  const stepMs = Math.floor(SPAN_MS / copies);
  const earlierMs = `((${copies - 1} - n)::bigint * ${stepMs})`;
  if (column.type === 'uuid') return identifierOf(name, earlierMs, shared);
  if (isCounter(column)) return `${name} + n * ${stride}::bigint`;
  if (column.type === 'timestamp with time zone') return `${name} - ${earlierMs} * interval '1 millisecond'`;
  if (column.type === 'date') return `${name} - (${earlierMs} / 86400000)::int`;
  if (column.type === 'text') return textOf(column.name, earlierMs, shared);
  return name;
}

/** Version 7 keeps its order in time; of any other version nothing but the difference is kept. */
function identifierOf(sql: string, earlierMs: string, shared: readonly string[]): string {
  const hex = `replace((${sql})::text, '-', '')`;
  const moved = `lpad(to_hex(('x' || left(${hex}, 12))::bit(48)::bigint - ${earlierMs}), 12, '0') || substr(${hex}, 13)`;
  const kept = shared.map((id) => `'${id}'`).join(', ');
  return `case when ${sql} in (${kept}) then ${sql}
    when substr(${hex}, 13, 1) = '7' then (${moved})::uuid
    else md5(${hex} || n)::uuid end`;
}

function textOf(column: string, earlierMs: string, shared: readonly string[]): string {
  const name = `"${column}"`;
  // Eleven digits stay eleven: documents of the pattern differ in their last five.
  if (column === 'document')
    return `case when length(${name}) = 11 then lpad((${name}::bigint + n * 100000::bigint)::text, 11, '0') else ${name} end`;
  if (column === 'subject') {
    const id = `split_part(${name}, '/', 2)::uuid`;
    return `split_part(${name}, '/', 1) || '/' || (${identifierOf(id, earlierMs, shared)})::text`;
  }
  return `case when ${name} like 'customer/document/%' then 'customer/document/' || md5(${name} || n) || md5(n || ${name})
    else replace(${name}, '${PATTERN_DIGITS}', 'c' || lpad(n::text, ${PATTERN_DIGITS.length - 1}, '0')) end`;
}
