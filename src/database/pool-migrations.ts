import type { Pool } from 'pg';
import type { MigrationTarget } from './migrations';

/** Applies migrations through a pool, each on a connection of its own. */
export function poolMigrationTarget(pool: Pool): MigrationTarget {
  return {
    async transaction(work) {
      const client = await pool.connect();
      let broken: Error | undefined;
      const onError = (error: Error): void => void (broken = error);
      client.on('error', onError);
      try {
        await client.query('BEGIN');
        const result = await work({
          script: async (sql) => void (await client.query(sql)),
          rows: async <Row>(sql: string, values: readonly unknown[] = []) =>
            (await client.query(sql, [...values])).rows as Row[],
        });
        await client.query('COMMIT');
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((failure: Error) => void (broken = failure));
        throw error;
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    },
  };
}
