import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate as iteration } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { embeddedDataDir } from '../../test/support/database';
import { PgliteDatabase } from './pglite.database';

const ROOT = join(__dirname, '../..');

let dataDir: string;
let drop: () => Promise<void>;

beforeEach(async () => {
  ({ dataDir, drop } = await embeddedDataDir());
});

afterEach(() => drop());

const statement = (sql: string): { name: string; text: string } => ({ name: sql.slice(0, 60), text: sql });

describe('the embedded database, in its thread', () => {
  it('leaves this thread free while a statement runs', async () => {
    const database = await PgliteDatabase.open(dataDir);
    // It ends when this thread has written a file: in one thread with it, never.
    const waiting = database.query(
      statement(`do $$ begin while pg_stat_file('written', true) is null loop end loop; end $$`),
      [],
    );
    for (let count = 0; count < 100; count += 1) await iteration();
    await writeFile(join(dataDir, 'postgres', 'written'), '');
    expect(await waiting).toEqual([]);
    await database.close();
  });

  it('answers large statements and large results, byte for byte', async () => {
    const database = await PgliteDatabase.open(dataDir);
    const bytes = Buffer.alloc(5_000_001, 'every byte counts');
    const echo = statement('select $1::bytea as bytes, length($1::bytea) as length');
    const [answer] = await database.query<{ bytes: Buffer; length: number }>(echo, [bytes]);
    expect(answer?.length).toBe(bytes.length);
    expect(answer?.bytes.equals(bytes)).toBe(true);
    // What was sent is still there, though its copy went to the thread.
    expect(bytes.subarray(0, 16).toString()).toBe('every byte count');
    await database.close();
  });

  it('keeps transactions apart, and rolls back one whose work throws', async () => {
    const database = await PgliteDatabase.open(dataDir);
    await database.query(statement('create table numbers (number int)'), []);
    const add = (number: number, fail: boolean): Promise<void> =>
      database.transaction(async (tx) => {
        await tx.$executeRaw`insert into numbers values (${number})`;
        await iteration();
        if (fail) throw new Error('not this one');
      });
    const work = [1, 2, 3, 4].map((number) => add(number, number % 2 === 0));
    const states = (await Promise.allSettled(work)).map(({ status }) => status);
    expect(states).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    const stored = statement('select number from numbers order by number');
    expect(await database.query(stored, [])).toEqual([{ number: 1 }, { number: 3 }]);
    await database.close();
  });

  it('reports a COMMIT that fails', async () => {
    const database = await PgliteDatabase.open(dataDir);
    await database.query(
      statement('create table unique_later (number int unique deferrable initially deferred)'),
      [],
    );
    const twice = database.transaction(async (tx) => {
      await tx.$executeRaw`insert into unique_later values (1), (1)`;
    });
    await expect(twice).rejects.toThrow();
    expect(await database.query(statement('select number from unique_later'), [])).toEqual([]);
    await database.close();
  });
});

describe('a process over the embedded database', () => {
  /** See `end-while-asking.ts`. */
  async function run(how: string): Promise<{ exit: number; said: string; announced: string }> {
    const first = ['--require', join(ROOT, 'test/support/failing-thread.cjs')];
    const script = [join(ROOT, 'scripts/run-ts.cjs'), join(ROOT, 'test/support/end-while-asking.ts')];
    const child = spawn(process.execPath, [...first, ...script, dataDir, how], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [announced, said, [exit]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number]>,
    ]);
    return { exit, said, announced: announced };
  }

  async function stored(): Promise<number[]> {
    const database = await PgliteDatabase.open(dataDir);
    const rows = await database.query<{ number: number }>(
      statement('select number from stored order by number'),
      [],
    );
    await database.close();
    return rows.map(({ number }) => number);
  }

  it('ends with one line when the thread fails, and what was committed is there', async () => {
    const { exit, said, announced: announced } = await run('failure');
    expect(announced).toBe('committed\n');
    expect(exit).toBe(1);
    expect(said).toMatch(
      /^Ponte stops: the embedded database in \S+ cannot go on: its thread failed: a bug in the thread; start again: .*\n$/,
    );
    expect(await stored()).toEqual([1]);
  });

  it('can be ended while a statement runs that never ends', async () => {
    expect(await run('exit')).toEqual({ exit: 7, said: '', announced: 'committed\n' });
    expect(await stored()).toEqual([1]);
  });

  it('does what was asked before it was closed, and ends by itself afterwards', async () => {
    expect(await run('close')).toEqual({ exit: 0, said: '', announced: 'committed\nclosed\n' });
    expect(await stored()).toEqual(Array.from({ length: 51 }, (_, index) => index + 1));
  });
});
