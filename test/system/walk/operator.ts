import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { type Block, blocksOf, ROOT, run } from '../pages';

const PAGE = 'docs/production-walk.md';
/** Lines of a service that are kept, to be shown when it fails. */
const KEPT_LINES = 30;

/**
 * Whoever types the commands of docs/production-walk.md, in a folder that has `ponte` and the scripts of a production install.
 */
export class Operator {
  private readonly blocks = blocksOf(PAGE);

  /** @param settings the environment of the operator's shell; it may change */
  constructor(
    private readonly folder: string,
    readonly settings: Record<string, string>,
  ) {
    for (const name of ['package.json', 'scripts', 'dist', 'node_modules'])
      symlinkSync(join(ROOT, name), join(folder, name));
    mkdirSync(join(folder, 'bin'));
    const program = join(folder, 'bin/ponte');
    writeFileSync(
      program,
      `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'dist/src/cli/main.js')}" "$@"\n`,
    );
    chmodSync(program, 0o755);
  }

  /** Names of the blocks that are run. */
  get names(): string[] {
    return this.blocks.flatMap(({ before }) => nameIn(before) ?? []);
  }

  /** The block of that name. @throws Error when the page has none */
  block(name: string): Block {
    const found = this.blocks.find(({ before }) => nameIn(before) === name);
    if (!found) throw new Error(`${PAGE} has no block that is called ${name}`);
    return found;
  }

  /** The statements of a block of SQL. */
  statements(name: string): string[] {
    return this.block(name)
      .text.split(';\n')
      .filter((statement) => statement.trim() !== '');
  }

  /** Types a block. @returns what it printed on its standard output @throws Error with all it said when a command fails */
  async types(name: string, more: Record<string, string> = {}): Promise<string> {
    const [printed = ''] = await run([this.block(name)], this.environment(more), {
      cwd: this.folder,
      talkative: true,
    });
    return printed;
  }

  /** Runs `ponte` for this test's own questions. @returns what it printed as JSON */
  async asks<Answer>(...args: string[]): Promise<Answer> {
    const program = join(this.folder, 'bin/ponte');
    const { stdout } = await promisify(execFile)(program, [...args, '--json'], { env: this.environment({}) });
    return JSON.parse(stdout) as Answer;
  }

  /** Starts a service with the command of the page, in a terminal of its own. */
  startService(more: Record<string, string> = {}, without: readonly string[] = []): ServiceTerminal {
    const environment = this.environment(more);
    for (const name of without) delete environment[name];
    return new ServiceTerminal(this.block('a service').text, this.folder, environment);
  }

  private environment(more: Record<string, string>): Record<string, string> {
    const { PATH = '', HOME = '' } = process.env;
    return { HOME, ...this.settings, ...more, PATH: `${join(this.folder, 'bin')}:${PATH}` };
  }
}

/** A service that runs in a terminal. */
export class ServiceTerminal {
  private readonly child: ChildProcess;
  private readonly lines: string[] = [];
  private readonly ended: Promise<number | null>;
  private address?: string;
  private onAddress?: (url: string) => void;

  constructor(command: string, cwd: string, env: Record<string, string>) {
    // In a group of its own, which is ended as one.
    this.child = spawn('bash', ['--norc', '-c', `exec ${command}`], {
      ...{ cwd, env, detached: true },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.ended = once(this.child, 'close').then(() => this.child.exitCode);
    for (const stream of [this.child.stdout, this.child.stderr])
      if (stream) createInterface({ input: stream }).on('line', (line) => this.read(line));
  }

  /** Waits until it listens. @returns its address @throws Error with what it said when it ends before */
  async listening(): Promise<string> {
    return Promise.race([
      new Promise<string>((resolve) => {
        this.onAddress = resolve;
        if (this.address !== undefined) resolve(this.address);
      }),
      this.ended.then((code): string => {
        throw new Error(`the service ended with ${code}:\n${this.said}`);
      }),
    ]);
  }

  /** The last lines it printed. */
  get said(): string {
    return this.lines.join('\n');
  }

  get running(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Waits until it has ended by itself. @returns its exit code */
  async end(): Promise<number | null> {
    return this.ended;
  }

  /** As Ctrl+C or systemd would. @returns its exit code */
  async stop(): Promise<number | null> {
    return this.signal('SIGTERM');
  }

  /** As a crash would. */
  async kill(): Promise<void> {
    await this.signal('SIGKILL');
  }

  private async signal(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    if (this.running && this.child.pid !== undefined) process.kill(-this.child.pid, signal);
    return this.ended;
  }

  private read(line: string): void {
    this.lines.push(line);
    if (this.lines.length > KEPT_LINES) this.lines.shift();
    const address = /"listening":"([^"]+)"/.exec(line)?.[1];
    if (address === undefined) return;
    this.address = address;
    this.onAddress?.(address);
  }
}

function nameIn(before: string): string | undefined {
  return /<!-- run: ([^>]+) -->$/.exec(before)?.[1];
}
