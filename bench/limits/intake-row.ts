import { withClient } from '../frame/postgres-server';

/** Where the limits insert. */
const TABLE = 'bench_row';

/** Single inserts of the row that Ponte's intake writes, one a transaction. */
export interface IntakeRow {
  /** For `pgbench`, with the body as the variable `body`. */
  script: string;
  /** With the parameters identifier, dedupe key, lane and body. */
  statement: string;
}

/** Columns that differ from row to row, as `pgbench` fills them. Identifiers ascend, as Ponte's do. */
const BY_SEQUENCE: Readonly<Record<string, string>> = {
  id: `('01900000-0000-7000-8000-' || lpad(to_hex(nextval('${TABLE}_number')), 12, '0'))::uuid`,
  dedupe_key: `'bench-' || currval('${TABLE}_number')`,
  lane: `'order/' || currval('${TABLE}_number')`,
  body: `convert_to(:body::text, 'UTF8')`,
};

const BY_PARAMETER: Readonly<Record<string, string>> = {
  id: '$1::uuid',
  dedupe_key: '$2::text',
  lane: '$3::text',
  body: '$4::bytea',
};

/** Beside those: when it came. */
const NOW = ['received_at', 'ready_at'];

/** Packed and in the row, as Ponte's are. */
const AS_BODIES_ARE_STORED = `
  alter table ${TABLE} alter column body set storage main;
  do $$ begin
    alter table ${TABLE} alter column body set compression lz4;
  exception when feature_not_supported then null;
  end $$`;

/**
 * Makes a table with the columns and indexes of Ponte's deliveries, in the same database, and the statements that
 * insert a copy of the first delivery there. Bodies are in this one table, wherever Ponte keeps them.
 */
export async function copyIntakeRow(url: string): Promise<IntakeRow> {
  return withClient(url, async (client) => {
    await client.query(`create table ${TABLE} (like delivery including all)`);
    await client.query(`alter table ${TABLE} add column if not exists body bytea`);
    await client.query(AS_BODIES_ARE_STORED);
    await client.query(`create sequence ${TABLE}_number cache 100`);
    const { rows: columns } = await client.query<{ name: string; type: string }>(
      `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
       where attrelid = 'delivery'::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''
         and attname not in ('seq', 'body') order by attnum`,
    );
    const list = columns.map(({ name }) => `"${name}"::text`).join(', ');
    const { rows } = await client.query<Record<string, string | null>>(
      `select ${list} from delivery limit 1`,
    );
    const [row] = rows;
    if (!row) throw new Error('there is no delivery whose row could be copied');
    const constants = columns.flatMap(({ name, type }): [string, string][] => {
      const value = row[name];
      if (value == null) return [];
      return [[name, NOW.includes(name) ? 'now()' : `${client.escapeLiteral(value)}::${type}`]];
    });
    const insert = (own: Readonly<Record<string, string>>): string => {
      const values = { ...Object.fromEntries(constants), ...own };
      return `insert into ${TABLE} (${Object.keys(values).join(', ')}) values (${Object.values(values).join(', ')})`;
    };
    return { script: `${insert(BY_SEQUENCE)};\n`, statement: insert(BY_PARAMETER) };
  });
}
