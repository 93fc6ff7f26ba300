import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schemaDiff } from '../scripts/schema-diff';
import { EMPTY_CLUSTER, templateIn } from './support/database-template';
import { openEmptyEngine } from './support/empty-database';

const ROOT = join(__dirname, '..');

const OVER_EMPTY_CLUSTER = join(ROOT, 'test/support/over-empty-cluster.ts');

/** Milliseconds; each run starts a process and a database, and the machine may be busy. */
const PATIENCE = 300_000;

interface Outcome {
  code: number | string;
  stdout: string;
  stderr: string;
}

/** Runs a script of the repository as npm does, but for the database that it would make. */
function run(script: string, ...options: string[]): Promise<Outcome> {
  const file = join(ROOT, 'scripts', `${script}.ts`);
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [join(ROOT, 'scripts/run-ts.cjs'), OVER_EMPTY_CLUSTER, templateIn(EMPTY_CLUSTER), file, ...options],
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });
}

describe('authoring migrations', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ponte-schema-'));
    await cp(join(ROOT, 'prisma'), folder, { recursive: true });
  });

  afterEach(() => rm(folder, { recursive: true }));

  async function changeSchema(): Promise<void> {
    const file = join(folder, 'schema.prisma');
    const schema = await readFile(file, 'utf8');
    await writeFile(file, schema.replace('model Organization {', 'model Organization {\n  motto String?'));
  }

  it("finds no drift in the repository's own schema and migrations", async () => {
    expect(await schemaDiff(folder, openEmptyEngine)).toBeUndefined();
  });

  it(
    'fails on a changed schema until the migration for it is written',
    async () => {
      await changeSchema();
      const before = await run('database-drift', folder);
      expect(before.code).toBe(1);
      expect(before.stdout).toContain('ALTER TABLE "organization" ADD COLUMN     "motto" TEXT');

      const written = await run('database-migration', 'motto', folder);
      expect(written).toMatchObject({ code: 0, stderr: '' });
      const name = (await readdir(join(folder, 'migrations'))).find((entry) => /^\d{14}_motto$/.test(entry));
      expect(name).toBeDefined();

      expect(await schemaDiff(folder, openEmptyEngine)).toBeUndefined();
    },
    PATIENCE,
  );

  it(
    'says which migration does not run',
    async () => {
      const [first = ''] = (await readdir(join(folder, 'migrations'))).sort();
      await writeFile(join(folder, 'migrations', first, 'migration.sql'), 'CREATE TABEL x ()');
      const drift = await run('database-drift', folder);
      expect(drift.code).toBe(1);
      expect(drift.stderr).toBe(
        `migration ${first} failed and was rolled back: syntax error at or near "TABEL"\n`,
      );
    },
    PATIENCE,
  );

  it(
    'takes only a plain word as the name of a migration',
    async () => {
      const refused = await run('database-migration', '../elsewhere', folder);
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('Usage:');
    },
    PATIENCE,
  );
});
