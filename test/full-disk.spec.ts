import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { PgliteDatabase } from '../src/database/pglite.database';
import { DatabaseStartError } from '../src/database/start-error';
import { embeddedDataDir } from './support/database';

const ROOT = join(__dirname, '..');

let dataDir: string;
let drop: () => Promise<void>;

beforeEach(async () => {
  ({ dataDir, drop } = await embeddedDataDir());
});

afterEach(() => drop());

/** A process that writes until the system refuses, see `write-until-full.ts`. */
async function writeUntilFull(
  code: string,
  files: string,
): Promise<{ exit: number; said: string; acknowledged: number }> {
  const disk = ['--require', join(ROOT, 'test/support/refusing-disk.cjs')];
  const script = [join(ROOT, 'scripts/run-ts.cjs'), join(ROOT, 'test/support/write-until-full.ts')];
  const child = spawn(process.execPath, [...disk, ...script, dataDir, code, files], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [said, numbers, [exit]] = await Promise.all([
    text(child.stderr),
    text(child.stdout),
    once(child, 'exit') as Promise<[number]>,
  ]);
  return { exit, said, acknowledged: Number(numbers.trim().split('\n').at(-1)) };
}

describe('the embedded database, when the disk refuses', () => {
  it.each([
    ['a full disk, met by a table', 'ENOSPC', '/postgres/base/'],
    ['a full disk, met by the write-ahead log', 'ENOSPC', '/postgres/pg_wal/'],
    ['a broken disk', 'EIO', '/postgres/base/'],
    ['a quota', 'EDQUOT', '/postgres/base/'],
    ['a disk that became read-only', 'EROFS', '/postgres/base/'],
  ])('%s ends the process with one line, and what was committed is there', async (_, code, files) => {
    const { exit, said, acknowledged } = await writeUntilFull(code, files);
    expect(exit).toBe(1);
    expect(said).toMatch(/^Ponte stops: the embedded database in \S+ cannot go on: .*\n$/);
    expect(acknowledged).toBeGreaterThan(1);
    const database = await PgliteDatabase.open(dataDir);
    const count = { name: 'count', text: 'select count(*)::int as rows, max(number) as last from filled' };
    expect(await database.query(count, [])).toEqual([{ rows: acknowledged, last: acknowledged }]);
    await database.close();
  });
});

describe('a start on damaged files', () => {
  async function refusal(): Promise<string> {
    const error: unknown = await PgliteDatabase.open(dataDir).then(
      (database) => database.close(),
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(DatabaseStartError);
    expect((error as Error).message).not.toContain('\n');
    return (error as Error).message;
  }

  const file = (name: string): string => join(dataDir, 'postgres', name);

  it('is refused without PG_VERSION, and no new database is made over the old one', async () => {
    await cp(file('PG_VERSION'), join(dataDir, 'kept'));
    await rm(file('PG_VERSION'));
    const before = await readdir(file('base'), { recursive: true });
    expect(await refusal()).toContain('PG_VERSION is missing or damaged');
    expect(await readdir(file('base'), { recursive: true })).toEqual(before);
    await cp(join(dataDir, 'kept'), file('PG_VERSION'));
    await (await PgliteDatabase.open(dataDir)).close();
  });

  it('is refused when PG_VERSION is damaged', async () => {
    await writeFile(file('PG_VERSION'), 'garbage\n');
    expect(await refusal()).toContain('PG_VERSION is missing or damaged (garbage)');
  });

  it('is refused when the control file cannot be read', async () => {
    await rm(file('global/pg_control'));
    expect(await refusal()).toContain('could not open file "global/pg_control"');
  });

  it('is refused when the control file is of something else', async () => {
    await writeFile(file('global/pg_control'), Buffer.alloc(8192, 7));
    expect(await refusal()).toContain('database files are incompatible with server');
  });

  it('is refused when the write-ahead log is gone', async () => {
    await rm(file('pg_wal'), { recursive: true });
    expect(await refusal()).toContain('required WAL directory "pg_wal" does not exist');
  });

  it('is refused when the write-ahead log is damaged', async () => {
    for (const name of await readdir(file('pg_wal'))) {
      if (/^[0-9A-F]{24}$/.test(name)) await truncate(file(`pg_wal/${name}`), 0);
    }
    expect(await refusal()).toMatch(/cannot be opened: could not .*checkpoint record/);
  });

  it('is refused when the directory is a file', async () => {
    await rm(dataDir, { recursive: true });
    await writeFile(dataDir, '');
    expect(await refusal()).toContain('DATA_DIR cannot be made');
  });

  it('is refused when the folder of locks is a file', async () => {
    await rm(join(dataDir, 'lock'), { recursive: true, force: true });
    await writeFile(join(dataDir, 'lock'), '');
    expect(await refusal()).toContain(`DATA_DIR ${dataDir} cannot be used: EEXIST`);
  });
});
