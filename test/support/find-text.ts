import type { Database } from '../../src/database/database';

/** How a column's values are searched: as text, or as the bytes that they are. */
interface Column {
  readonly table: string;
  readonly column: string;
  readonly isBytes: boolean;
}

/**
 * Where some texts stand in a database: every column with text, JSON or bytes of every table, whatever the case of the letters.
 * Bytes are read as UTF-8 and as Latin-1. What stands in a partition is found in its table.
 * @returns `table.column`, each once, in order
 */
export async function placesOf({ prisma }: Database, texts: readonly string[]): Promise<string[]> {
  const wanted = texts.flatMap(spellingsOf).map((text) => text.toLowerCase());
  const columns = await prisma.$queryRaw<Column[]>`
    select c.table_name as "table", c.column_name as "column", c.data_type = 'bytea' as "isBytes"
    from information_schema.columns c
    join pg_class t on t.relname = c.table_name and t.relnamespace = current_schema()::regnamespace
    where c.table_schema = current_schema() and t.relkind in ('r', 'p') and not t.relispartition
      and c.data_type in ('text', 'character varying', 'character', 'json', 'jsonb', 'bytea', 'ARRAY')
    order by 1, 2`;
  const found: string[] = [];
  for (const { table, column, isBytes } of columns) {
    const value = isBytes ? `"${column}"` : `"${column}"::text`;
    const rows = await prisma.$queryRawUnsafe<{ value: string | Uint8Array }[]>(
      `select ${value} as value from "${table}" where "${column}" is not null`,
    );
    const has = rows.some((row) => readingsOf(row.value).some((text) => includesAny(text, wanted)));
    if (has) found.push(`${table}.${column}`);
  }
  return found;
}

/** A text as it is, and as JSON may write it. */
function spellingsOf(text: string): string[] {
  const asJson = JSON.stringify(text).slice(1, -1);
  const escaped = asJson.replace(
    /[^\0-\x7f]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return [...new Set([text, asJson, escaped])];
}

function readingsOf(value: string | Uint8Array): string[] {
  if (typeof value === 'string') return [value.toLowerCase()];
  const bytes = Buffer.from(value);
  return [bytes.toString('utf8').toLowerCase(), bytes.toString('latin1').toLowerCase()];
}

function includesAny(text: string, wanted: readonly string[]): boolean {
  return wanted.some((one) => text.includes(one));
}
