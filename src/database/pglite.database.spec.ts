import { chmod, cp, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedDataDir } from '../../test/support/database';
import { EMPTY_CLUSTER, templateIn } from '../../test/support/database-template';
import { newId } from '../kernel/identifier';
import { DataDirectory, EMBEDDED_POSTGRESQL } from './data-directory';
import { PgliteDatabase } from './pglite.database';
import { DatabaseStartError } from './start-error';

const organization = { slug: 'shop', name: 'Shop', timeZone: 'UTC', currency: 'BRL' };

async function permissions(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8);
}

describe('PgliteDatabase.open', () => {
  let dataDir: string;
  let drop: () => Promise<void>;

  beforeEach(async () => {
    ({ dataDir, drop } = await embeddedDataDir());
  });

  afterEach(() => drop());

  async function refusal(): Promise<string> {
    const error: unknown = await PgliteDatabase.open(dataDir).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseStartError);
    return (error as DatabaseStartError).message;
  }

  it('finds what was stored before it was closed', async () => {
    const first = await PgliteDatabase.open(dataDir);
    await first.prisma.organization.create({ data: { id: newId(), ...organization } });
    await first.close();
    const second = await PgliteDatabase.open(dataDir);
    expect(await second.prisma.organization.count()).toBe(1);
    await second.close();
  });

  it('runs the major version of PostgreSQL that EMBEDDED_POSTGRESQL names', async () => {
    const database = await PgliteDatabase.open(dataDir);
    const version = { name: 'version', text: `SELECT current_setting('server_version_num')::int AS number` };
    const [engine] = await database.query<{ number: number }>(version, []);
    await database.close();
    expect(Math.floor((engine?.number ?? 0) / 10_000)).toBe(EMBEDDED_POSTGRESQL);
  });

  it('refuses a directory that is open already, and leaves it usable', async () => {
    const first = await PgliteDatabase.open(dataDir);
    expect(await refusal()).toContain(`${dataDir} is in use by another process`);
    expect(await first.prisma.organization.count()).toBe(0);
    await first.close();
    await (await PgliteDatabase.open(dataDir)).close();
  });

  it('refuses files of another major version, says which made them and how to move, and gives the directory free', async () => {
    const marker = join(dataDir, 'pglite-version.json');
    const original = await readFile(marker, 'utf8');
    await writeFile(marker, JSON.stringify({ postgresql: 17, madeBy: 'PostgreSQL 17.5 (PGlite 0.3.7)' }));
    const message = await refusal();
    expect(message).toContain(`was made by PostgreSQL 17.5 (PGlite 0.3.7)`);
    expect(message).toContain('dump');
    expect(message).not.toContain('\n');
    await writeFile(marker, original);
    await (await PgliteDatabase.open(dataDir)).close();
  });

  it("goes by PostgreSQL's own word when the marker is missing", async () => {
    await rm(join(dataDir, 'pglite-version.json'));
    await (await PgliteDatabase.open(dataDir)).close();
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '16\n');
    expect(await refusal()).toContain('was made by PostgreSQL 16');
  });

  it('keeps its files to their owner, even those of a directory that was open to all', async () => {
    await chmod(join(dataDir, 'postgres'), 0o755);
    await (await PgliteDatabase.open(dataDir)).close();
    expect(await permissions(join(dataDir, 'postgres'))).toBe('700');
  });

  it('copies its files between two transactions, and removes the copy of a process that was killed over it', async () => {
    const { copy: left } = new DataDirectory(dataDir);
    await mkdir(left);
    await writeFile(join(left, 'PG_VERSION'), '18');
    const database = await PgliteDatabase.open(dataDir);
    expect(await readdir(dataDir)).not.toContain('postgres.backup');

    const order: string[] = [];
    let [begin, end] = [(): void => undefined, (): void => undefined];
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const held = new Promise<void>((resolve) => (end = resolve));
    const transaction = database.transaction(async (tx) => {
      await tx.organization.create({ data: { id: newId(), ...organization } });
      begin();
      await held;
      order.push('the transaction ends');
    });
    await begun;
    const copying = database.copyFiles().finally(() => order.push('copied'));
    await expect(database.copyFiles()).rejects.toThrow('another backup is being made');
    end();
    await transaction;
    const copy = await copying;
    expect(order).toEqual(['the transaction ends', 'copied']);
    expect(await readFile(join(copy!.folder, 'PG_VERSION'), 'utf8')).toBe('18\n');
    await copy!.remove();
    await database.close();
    expect(await readdir(dataDir)).not.toContain('postgres.backup');
  });

  it('is not open inside when its migrations do not fit', async () => {
    const first = await PgliteDatabase.open(dataDir);
    await first.query({ name: 'x', text: `UPDATE _prisma_migrations SET checksum = 'other'` }, []);
    await first.close();
    expect(await refusal()).toContain('was changed after it was applied');
    expect(await refusal()).toContain('was changed after it was applied');
  });
});

describe('a first start', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ponte-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('makes everything, for its owner only, also over the remains of one that was killed half-way', async () => {
    const dataDir = join(folder, 'deep', 'data');
    const directory = new DataDirectory(dataDir);
    directory.make();
    // As a kill would leave it: the files are there in part, and not yet under their name.
    await cp(templateIn(EMPTY_CLUSTER), `${directory.cluster}.partial`, { recursive: true });
    await rm(join(`${directory.cluster}.partial`, 'global'), { recursive: true });

    const database = await PgliteDatabase.open(dataDir);
    expect(await database.prisma.organization.count()).toBe(0);
    const states = { name: 'states', text: 'SELECT ($1::delivery_state[])[2] AS second' };
    expect(await database.query(states, [['dead', 'done']])).toEqual([{ second: 'done' }]);
    await database.close();
    expect((await readdir(dataDir)).sort()).toEqual(['lock', 'pglite-version.json', 'postgres']);
    expect(await permissions(dataDir)).toBe('700');
    expect(await permissions(directory.cluster)).toBe('700');
    expect(JSON.parse(await readFile(join(dataDir, 'pglite-version.json'), 'utf8'))).toEqual({
      postgresql: EMBEDDED_POSTGRESQL,
      madeBy: expect.stringMatching(/^PostgreSQL \d+\.\d+ \(PGlite \d+\.\d+\.\d+\)$/),
    });
  }, 120_000);

  it('says in one line that the directory cannot be made', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    await expect(PgliteDatabase.open(join(file, 'data'))).rejects.toThrow(
      /^DATA_DIR cannot be made: ENOTDIR.*$/,
    );
  });

  it('says in one line that the system lets nobody make it', async () => {
    await expect(PgliteDatabase.open('/proc/ponte/data')).rejects.toThrow(
      /^DATA_DIR cannot be made: EN.*'\/proc\/ponte'; set DATA_DIR to a folder that Ponte may write to$/,
    );
  });
});
