import type { Client } from 'pg';

/*
 * What PostgreSQL alone needs for the rows that Ponte wrote: they are put aside without an index, the tables are emptied,
 * and the rows are written into them again, with every index, trigger and check, by one statement a batch. Nothing is
 * sent, parsed, looked up or computed, so that it is a floor for whoever writes these rows.
 */

/** Rows of each table of an order, in an order in which one statement can write them, and what they were made in. */
const TABLES: readonly { name: string; order: string }[] = [
  { name: 'delivery', order: 'id' },
  { name: 'delivery_body', order: 'id' },
  { name: 'stakeholder', order: 'id' },
  { name: 'effect', order: 'run_id, step' },
  { name: 'run', order: 'delivery_id' },
  { name: 'schedule', order: 'id' },
  { name: 'entry', order: 'id' },
  { name: 'feed_stored_change', order: 'batch_id, number' },
];

/** Written by triggers of these tables. */
const BY_TRIGGERS = ['open_delivery', 'entity_delivery'];

/** Rows that were put aside, to be written again. */
export class RecordedRows {
  private constructor(
    private readonly client: Client,
    /** How many statements write all of them. */
    readonly batches: number,
    private readonly columns: ReadonlyMap<string, string>,
  ) {}

  /**
   * Puts the rows of a database aside. It has to be one of its own, which nobody else uses.
   * @param batches in how many equal parts
   */
  static async putAside(client: Client, batches: number): Promise<RecordedRows> {
    await client.query('create schema recorded');
    const columns = new Map<string, string>();
    for (const { name, order } of TABLES) {
      await client.query(
        `create table recorded.${name} as select *, ntile(${batches}) over (order by ${order}) as batch from ${name}`,
      );
      await client.query(`create index on recorded.${name} (batch)`);
      columns.set(name, await columnsOf(client, name));
    }
    await client.query('vacuum analyze');
    return new RecordedRows(client, batches, columns);
  }

  /** Empties the tables. Books refuse it, unless triggers are off. */
  async empty(): Promise<void> {
    const names = [...TABLES.map(({ name }) => name), ...BY_TRIGGERS];
    await this.client.query(`set session_replication_role = replica`);
    await this.client.query(`truncate ${names.join()} cascade`);
    await this.client.query(`set session_replication_role = origin`);
  }

  /** Writes the rows again, each batch in a transaction of its own, with a plan that is made once. */
  async writeAgain(): Promise<void> {
    const inserts = TABLES.map(({ name }) => {
      const columns = this.columns.get(name) ?? '';
      return `insert into ${name} (${columns}) select ${columns} from recorded.${name} where batch = $1`;
    });
    const [last, ...others] = inserts.reverse();
    const written = others.reverse().map((insert, index) => `written_${index} as (${insert})`);
    const text = `with ${written.join()} ${last}`;
    for (let batch = 1; batch <= this.batches; batch += 1)
      await this.client.query({ name: 'write-again', text, values: [batch] });
  }

  /** How many rows of a table there are now, and how many were put aside. */
  async counts(): Promise<readonly { name: string; now: number; recorded: number }[]> {
    const counts = [];
    for (const { name } of TABLES) {
      const { rows } = await this.client.query<{ now: number; recorded: number }>(
        `select (select count(*)::int from ${name}) as now, (select count(*)::int from recorded.${name}) as recorded`,
      );
      counts.push({ name, now: rows[0]?.now ?? NaN, recorded: rows[0]?.recorded ?? NaN });
    }
    return counts;
  }
}

/** All that a table takes, but what it computes. */
async function columnsOf(client: Client, table: string): Promise<string> {
  const { rows } = await client.query<{ columns: string }>(
    `select string_agg(format('%I', attname), ', ' order by attnum) as columns from pg_attribute
    where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  return rows[0]?.columns ?? '';
}
