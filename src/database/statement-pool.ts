import { type ClientBase, Pool, type PoolClient } from 'pg';
import { columnParser } from './column-types';
import type { HotStatement } from './database';
import type { RunStatement } from './transaction-statements';

const TYPES = { getTypeParser: (oid: number) => columnParser(oid) };

/** A pool that Prisma and the hot statements share. */
export class StatementPool extends Pool {
  /** A statement in a transaction of its own. @throws Error of the driver, also where it takes longer than it may */
  async run<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    const { answerWithinMs } = statement;
    if (answerWithinMs === undefined) return runOn<Row>(this, statement, values);
    const client = await this.connectWithin(answerWithinMs);
    try {
      return await runOn<Row>(client, statement, values);
    } finally {
      client.release();
    }
  }

  private async connectWithin(milliseconds: number): Promise<PoolClient> {
    const connecting = this.connect();
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
    const client = await Promise.race([connecting, late]).finally(() => clearTimeout(timer));
    if (client) return client;
    connecting.then((unused) => unused.release()).catch(() => undefined);
    throw new Error('timeout exceeded when trying to connect');
  }
}

/** Runs a statement on a connection, or on any of a pool; columns come back as `Database.query` says. */
export async function runOn<Row>(
  connection: Pool | ClientBase,
  statement: RunStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  const { rows } = await connection.query({ ...statement, values: [...values], types: TYPES });
  return rows as Row[];
}

/** What is asked of a connection in one go is written in one go: writing costs more than what is written. */
export function writeAtOnce({ connection: { stream } }: PoolClient): void {
  stream.cork();
  process.nextTick(() => stream.uncork());
}
