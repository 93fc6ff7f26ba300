import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..');
const SCRIPTS = ['run-ts.cjs', 'compile-on-load.cjs', 'build-where-possible.cjs', 'development-packages.cjs'];

interface Manifest {
  bin: Record<string, string>;
  scripts: Record<string, string>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;

describe('an install without the development packages', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'ponte-production-'));
    cpSync(join(ROOT, 'package.json'), join(folder, 'package.json'));
    for (const script of SCRIPTS)
      cpSync(join(ROOT, 'scripts', script), join(folder, 'scripts', script), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Stands for what was built: it says which file it is and what it was given. */
  function build(file: string): void {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), `console.log('${file}', ...process.argv.slice(2));`);
  }

  async function npmRun(script: string, ...args: string[]): Promise<[code: number, output: string]> {
    try {
      const { stdout } = await promisify(execFile)('npm', ['run', '--silent', script, '--', ...args], {
        cwd: folder,
      });
      return [0, stdout.trim()];
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string };
      return [code, stderr];
    }
  }

  it.each([
    ['ponte', 'dist/src/cli/main.js'],
    ['config:check', 'dist/scripts/config-check.js'],
    ['ledger:verify', 'dist/scripts/ledger-verify.js'],
    ['start', 'dist/src/main.js'],
  ])('npm run %s runs what was built', async (script, file) => {
    build('dist/src/main.js');
    build(file);
    expect(await npmRun(script, 'one', '--two')).toEqual([0, `${file} one --two`]);
  });

  it.each(['ponte', 'config:check', 'ledger:verify', 'start'])(
    'npm run %s says what to do where nothing was built',
    async (script) => {
      expect(await npmRun(script)).toEqual([1, expect.stringContaining('npm run build')]);
    },
  );
});

it('the command that the package offers is the client, for Node to run', () => {
  expect(manifest.bin).toEqual({ ponte: 'dist/src/cli/main.js' });
  expect(readFileSync(join(ROOT, 'src/cli/main.ts'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
});
