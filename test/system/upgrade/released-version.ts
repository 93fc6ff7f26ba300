import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const LOCK_FILE = 'package-lock.json';
/** Milliseconds for which a repository's history is asked for. */
const GIT_MS = 60_000;

/** The commit of the version that is in use: what the file `released` names. Each release writes its own there. */
export const RELEASED = readFileSync(join(__dirname, 'released'), 'utf8').trim();

/** A version of Ponte out of this repository's history, built in a folder of its own. */
export class ReleasedVersion {
  private constructor(private readonly folder: string) {}

  /**
   * Takes the version out of the repository and builds it. Its packages are this version's where both ask for the
   * same, else they are installed. Where the history of the repository is not there and cannot be fetched, this version
   * is upgraded to itself: that tries how replicas take over from each other, and says that it is no more.
   * @throws Error when the commit is not in a repository whose history is there, or does not build
   */
  static build(commit: string): ReleasedVersion {
    const isThere = isKnown(commit) || (lacksHistory() && fetched(commit));
    if (!isThere && !lacksHistory())
      throw new Error(`the repository has no commit ${commit}: see test/system/upgrade/released, or --from`);
    const folder = mkdtempSync(join(tmpdir(), 'ponte-released-'));
    const version = new ReleasedVersion(folder);
    try {
      if (isThere) unpack(commit, folder);
      else copyThis(folder, commit);
      if (readFileSync(join(folder, LOCK_FILE), 'utf8') === readFileSync(join(ROOT, LOCK_FILE), 'utf8'))
        symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      else run(folder, 'npm', 'ci', '--no-audit', '--no-fund');
      run(folder, 'npm', 'run', 'build');
      return version;
    } catch (error) {
      version.remove();
      throw error;
    }
  }

  /** Its built `main.js`. */
  get main(): string {
    return join(this.folder, 'dist/src/main.js');
  }

  /** Its `config/`. */
  get configuration(): string {
    return join(this.folder, 'config');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

function run(folder: string, program: string, ...parameters: string[]): void {
  execFileSync(program, parameters, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
}

function unpack(commit: string, folder: string): void {
  const archive = execFileSync('git', ['archive', commit], { cwd: ROOT, maxBuffer: 1024 ** 3 });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
}

function copyThis(folder: string, commit: string): void {
  process.stderr.write(`no history: ${commit} is not there, and this version is upgraded to itself\n`);
  const made = ['node_modules', 'dist', 'data', 'coverage', '.git', '.cache'].map((name) => join(ROOT, name));
  cpSync(ROOT, folder, { recursive: true, filter: (path) => !made.includes(path) });
}

function isKnown(commit: string): boolean {
  return succeeds('cat-file', '-e', `${commit}^{commit}`);
}

/** Whether this is no repository, or one that was cloned without its whole history. */
function lacksHistory(): boolean {
  if (!succeeds('rev-parse', '--git-dir')) return true;
  const answer = execFileSync('git', ['rev-parse', '--is-shallow-repository'], { cwd: ROOT });
  return answer.toString().trim() === 'true';
}

function fetched(commit: string): boolean {
  return succeeds('fetch', '--quiet', '--depth=1', 'origin', commit) && isKnown(commit);
}

function succeeds(...parameters: string[]): boolean {
  const { status } = spawnSync('git', parameters, { cwd: ROOT, stdio: 'ignore', timeout: GIT_MS });
  return status === 0;
}
