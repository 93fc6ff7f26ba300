import { EmbeddedEngine } from './embedded-engine';
import { EmbeddedPool } from './embedded-pool';
import { EmbeddedUpkeep } from './embedded-upkeep';
import { LocalEngine } from './local-engine';
import { openEmptyEngine } from '../../test/support/empty-database';

describe('EmbeddedUpkeep', () => {
  let engine: LocalEngine;
  let pool: EmbeddedPool;
  let upkeep: EmbeddedUpkeep;

  beforeAll(async () => {
    engine = new LocalEngine(new EmbeddedEngine(await openEmptyEngine()));
    pool = new EmbeddedPool(engine);
    upkeep = new EmbeddedUpkeep(pool);
    await pool.query(`
      CREATE TABLE "Busy table" (id int, filler text);
      CREATE TABLE quiet (id int);
      INSERT INTO quiet SELECT generate_series(1, 1000);`);
    await pool.query('VACUUM ANALYZE quiet');
  });

  afterAll(async () => {
    await pool.end();
    await engine.close();
  });

  async function row<Row>(sql: string): Promise<Row | undefined> {
    return (await pool.query(sql)).rows[0] as Row | undefined;
  }

  const estimate = async (table: string): Promise<number | undefined> =>
    (await row<{ reltuples: number }>(`SELECT reltuples FROM pg_class WHERE relname = '${table}'`))
      ?.reltuples;

  const lastRedo = async (): Promise<string | undefined> =>
    (await row<{ lsn: string }>('SELECT redo_lsn::text AS lsn FROM pg_control_checkpoint()'))?.lsn;

  it('analyzes a table that has grown, and leaves one alone that has not', async () => {
    await pool.query(`INSERT INTO "Busy table" SELECT g, repeat('x', 100) FROM generate_series(1, 5000) g`);
    await upkeep.round();
    expect(await estimate('Busy table')).toBe(5000);
    await pool.query('INSERT INTO quiet VALUES (1001)');
    await upkeep.round();
    expect(await estimate('quiet')).toBe(1000);
  });

  it('frees the space of deleted rows for new ones', async () => {
    const size = async (): Promise<unknown> => row(`SELECT pg_relation_size('"Busy table"')::int AS size`);
    const before = await size();
    for (let round = 0; round < 5; round++) {
      await pool.query(`UPDATE "Busy table" SET id = id + 1 WHERE id % 2 = 0`);
      await pool.query(`DELETE FROM "Busy table"`);
      await upkeep.round();
      await pool.query(`INSERT INTO "Busy table" SELECT g, repeat('x', 100) FROM generate_series(1, 5000) g`);
    }
    expect(await size()).toEqual(before);
  });

  it('writes a checkpoint once much has been written, and not before', async () => {
    await pool.query('CHECKPOINT');
    const before = await lastRedo();
    await upkeep.round();
    expect(await lastRedo()).toBe(before);
    // Into the log alone: as much of a table takes a hundred times longer.
    await pool.query(
      `SELECT pg_logical_emit_message(false, 'filler', repeat('x', 1048576)) FROM generate_series(1, 70)`,
    );
    await upkeep.round();
    expect(await lastRedo()).not.toBe(before);
  }, 120_000);

  it('can be stopped before it was started, and after', async () => {
    await upkeep.stop();
    upkeep.start();
    await upkeep.stop();
  });
});
