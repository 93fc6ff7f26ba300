import type { ClientBase } from 'pg';
import { EmbeddedEngine } from './embedded-engine';
import { EmbeddedPool } from './embedded-pool';
import { LocalEngine } from './local-engine';
import { openEmptyEngine } from '../../test/support/empty-database';

describe('EmbeddedPool', () => {
  let engine: LocalEngine;
  let pool: EmbeddedPool;

  beforeAll(async () => {
    engine = new LocalEngine(new EmbeddedEngine(await openEmptyEngine()));
    pool = new EmbeddedPool(engine);
  });

  afterAll(async () => {
    await pool.end();
    await engine.close();
  });

  async function value(connection: EmbeddedPool | ClientBase, text: string): Promise<unknown> {
    return (await connection.query<{ value: unknown }>(`select ${text} as value`)).rows[0]?.value;
  }

  it('gives each of the statements that are asked together its own answer, those after a failed one too', async () => {
    const answers = await Promise.allSettled([
      value(pool, '1'),
      value(pool, '1 / 0'),
      pool.query({ name: 'twice', text: 'select 2 * $1::int as value', values: [21] }),
      value(pool, "repeat('x', 3000000)"),
      pool.query('select wrong syntax here'),
      value(pool, "'last'"),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    expect(answers[0]).toMatchObject({ value: 1 });
    expect(answers[1]).toMatchObject({ reason: { code: '22012' } });
    expect(answers[2]).toMatchObject({ value: { rows: [{ value: 42 }] } });
    expect(answers[3]).toMatchObject({ value: 'x'.repeat(3_000_000) });
    expect(answers[4]).toMatchObject({ reason: { code: '42601' } });
    expect(answers[5]).toMatchObject({ value: 'last' });
  });

  it('asks in one go on one connection, and a failed statement fails those behind it in its transaction', async () => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const asked = [value(client, '1'), value(client, '1 / 0'), value(client, '2')];
      expect(await Promise.allSettled(asked)).toMatchObject([
        { value: 1 },
        { reason: { code: '22012' } },
        { reason: { code: '25P02' } },
      ]);
      await client.query('ROLLBACK');
      expect(await value(client, '3')).toBe(3);
    } finally {
      client.release();
    }
  });

  it('makes whoever wants the one connection wait for it', async () => {
    const client = await pool.connect();
    await client.query('CREATE TABLE seen (number int)');
    await client.query('BEGIN');
    await client.query('INSERT INTO seen VALUES (1)');
    const outside = value(pool, '(select count(*)::int from seen)');
    await client.query('INSERT INTO seen VALUES (2)');
    await client.query('COMMIT');
    client.release();
    expect(await outside).toBe(2);
  });

  it('begins with a clean session after a connection that was given up in the midst of a transaction', async () => {
    await pool.query('CREATE TABLE kept (number int)');
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('INSERT INTO kept VALUES (1)');
    await client.query({ name: 'mine', text: 'select 1 as value' });
    // Asked and not waited for: its answer comes to nobody.
    const late = client.query("select 'late' as value").catch((error: unknown) => error);
    client.connection.stream.destroy();
    client.release(true);
    expect(await value(pool, "'mine'")).toBe('mine');
    expect(await late).toBeInstanceOf(Error);
    expect(await value(pool, '(select count(*)::int from kept)')).toBe(0);
    const { rows } = await pool.query({ name: 'mine', text: 'select 2 as value' });
    expect(rows).toEqual([{ value: 2 }]);
  });

  it('gives up waiting for the connection where a statement says so, and is none the worse', async () => {
    const client = await pool.connect();
    const hurried = { name: 'hurried', text: 'select 1 as value', answerWithinMs: 1 };
    await expect(pool.run(hurried, [])).rejects.toThrow('timeout exceeded when trying to connect');
    client.release();
    expect(await pool.run({ ...hurried, answerWithinMs: 600_000 }, [])).toEqual([{ value: 1 }]);
  });

  it('gives the connection to all who wait for it before it ends', async () => {
    const other = new LocalEngine(new EmbeddedEngine(await openEmptyEngine()));
    const ending = new EmbeddedPool(other);
    const asked = ['1', '2', '3'].map((text) => value(ending, text));
    await ending.end();
    expect(await Promise.all(asked)).toEqual([1, 2, 3]);
    await expect(value(ending, '4')).rejects.toThrow('Cannot use a pool after calling end');
    await other.close();
  });

  it('refuses a value that cannot be sent, and goes on', async () => {
    const circle: Record<string, unknown> = {};
    circle['itself'] = circle;
    await expect(pool.query('select $1::jsonb', [circle])).rejects.toThrow(/circular/i);
    expect(await value(pool, '4')).toBe(4);
  });
});
