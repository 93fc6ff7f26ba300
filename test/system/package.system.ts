import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { VERSION } from '../../src/kernel/version';
import { ROOT } from './pages';

const run = promisify(execFile);
/** Bytes: what somebody downloads, beside the packages that Ponte depends on. */
const LARGEST = 3_000_000;

interface Packed {
  filename: string;
  size: number;
  unpackedSize: number;
  files: { path: string }[];
}

describe('the package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-package-'));
  /** Where somebody installs it: nothing is there before. */
  const project = join(folder, 'project');
  let packed: Packed;

  /** Of this process's environment only what npm needs reaches the commands. */
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? folder };

  beforeAll(async () => {
    mkdirSync(project);
    const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', folder], { cwd: ROOT });
    [packed] = JSON.parse(stdout) as [Packed];
    const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
    await run('npm', ['install', ...quiet, join(folder, packed.filename)], { cwd: project, env });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('holds what runs and nothing else', () => {
    const paths = packed.files.map(({ path }) => path);
    expect(paths).toEqual(
      expect.arrayContaining([
        ...['LICENSE', 'README.md', 'dist/src/cli/main.js', 'dist/src/main.js'],
        ...['dist/src/database/client/client.js', 'config/organizations.yaml'],
        'dist/src/database/client/internal/query_compiler.wasm',
      ]),
    );
    const migrations = paths.filter((path) => path.endsWith('/migration.sql'));
    expect(migrations).toHaveLength(
      readdirSync(join(ROOT, 'prisma/migrations'), { withFileTypes: true }).filter((entry) =>
        entry.isDirectory(),
      ).length,
    );
    expect(paths.filter((path) => /\.(map|ts)$|^(test|bench|src)\//.test(path))).toEqual([]);
    expect(packed.size).toBeLessThan(LARGEST);
    process.stdout.write(
      `the package has ${packed.size} bytes, ${packed.unpackedSize} unpacked, ${paths.length} files\n`,
    );
  });

  it('offers ponte, which explains itself', async () => {
    const { stdout } = await run('npx', ['ponte', '--help'], { cwd: project, env });
    expect(stdout).toContain('ponte doctor');
    expect((await run('npx', ['ponte', '--version'], { cwd: project, env })).stdout).toBe(`${VERSION}\n`);
  });

  it('starts the service in an empty folder, on the embedded database, and says before what it would do', async () => {
    const before = await run('npx', ['ponte', 'doctor'], { cwd: project, env });
    expect(before.stdout).toContain('the first start makes it');
    expect(before.stdout).toMatch(/^ok {4}configuration: .*node_modules\/ponte\/config is right$/m);

    const service = spawn('npx', ['ponte', 'start'], {
      cwd: project,
      env: { ...env, PORT: '0', LOG_FORMAT: 'json', SHUTDOWN_GRACE_SECONDS: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true, // in a group of its own, with what npx starts
    });
    try {
      const { url, key } = await started(service);
      const authorization = `Bearer ${key}`;
      const ready = await fetch(`${url}/health/ready`);
      expect([ready.status, await ready.json()]).toEqual([200, { status: 'ok' }]);
      const rules = await fetch(`${url}/admin/organizations/main/rules`, { headers: { authorization } });
      const { items } = (await rules.json()) as { items: unknown[] };
      expect([rules.status, items.length > 5]).toEqual([200, true]);
      // The client of the same package.
      const clientEnv = { ...env, PONTE_URL: url, PONTE_KEY: key };
      const { stdout } = await run('npx', ['ponte', 'organizations', 'list'], {
        cwd: project,
        env: clientEnv,
      });
      expect(stdout).toContain('main');
    } finally {
      await endGroup(service);
    }
    const after = await run('npx', ['ponte', 'doctor'], { cwd: project, env });
    expect(after.stdout).toContain('none would run');
  });
});

/** @returns where it listens, and the operators' key that it made. @throws Error when it ends before */
async function started(service: ChildProcess): Promise<{ url: string; key: string }> {
  const lines: string[] = [];
  let url: string | undefined;
  let key: string | undefined;
  return new Promise((resolve, reject) => {
    service.once('exit', (code) => reject(new Error(`it ended with ${code}:\n${lines.join('\n')}`)));
    for (const stream of [service.stdout, service.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        url ??= /"listening":"([^"]+)"/.exec(line)?.[1];
        key ??= /^ {2}(\S{24,})$/.exec(line)?.[1];
        if (url !== undefined && key !== undefined) resolve({ url, key });
      });
    }
  });
}

async function endGroup(service: ChildProcess): Promise<void> {
  if (service.exitCode !== null || service.pid === undefined) return;
  const exited = once(service, 'exit');
  process.kill(-service.pid, 'SIGTERM');
  await exited;
}
