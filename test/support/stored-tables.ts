import { setTimeout as sleep } from 'node:timers/promises';
import { Prisma } from '../../src/database/client/client';
import type { Database } from '../../src/database/database';

/** Written by timers, for what was done before or as time passes, and by nothing else. */
const KEPT_BY_TIMERS = new RegExp(
  `^(${[
    'account_balance|account_balance_delta|record_count|record_count_delta|feed_\\w+',
    'overdue_run|overdue_announcement|source_health|source_switch_off|source_refusal_count',
  ].join('|')})$`,
);

/** A digest of all rows of every table, by the table's name. */
export async function storedTables({ prisma }: Database): Promise<Map<string, string>> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    select table_name::text as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by table_name`;
  const digests = new Map<string, string>();
  for (const { name } of tables.filter((table) => !KEPT_BY_TIMERS.test(table.name))) {
    const [row] = await prisma.$queryRaw<{ digest: string }[]>(
      Prisma.sql`select coalesce(md5(string_agg(t::text, '|' order by t::text)), '') || ' ' || count(*) as digest
        from ${Prisma.raw(`"${name}"`)} t`,
    );
    digests.set(name, row?.digest ?? '');
  }
  return digests;
}

/** As {@link storedTables}, once two in a row say the same: what was done before has been written. */
export async function settledTables(database: Database): Promise<Map<string, string>> {
  for (let before = await storedTables(database); ;) {
    await sleep(20);
    const now = await storedTables(database);
    if (JSON.stringify([...now]) === JSON.stringify([...before])) return now;
    before = now;
  }
}
