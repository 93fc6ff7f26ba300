import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { transformFileSync } from '@swc/core';

/** Longest that a connector may take to catch up. */
const MOST_MS = 540_000;
const EXAMPLES = join(__dirname, '../../../examples');

/** What a connector keeps of a change. */
export interface KeptChange {
  id: string;
  data: unknown;
}

/** One of the examples: how it is run, and what it has in the end. */
export interface Example {
  readonly name: string;
  command(folder: string): [program: string, ...args: string[]];
  /**
   * Waits until it has at least so many changes. Nothing here keeps this process busy meanwhile: the service that the
   * connector asks runs in it.
   * @returns what it has, in the order in which it took it in
   */
  kept(folder: string, atLeast: number): Promise<KeptChange[]>;
}

const PYTHON_READ = `
import json, sqlite3, sys, time
file, at_least = sys.argv[1], int(sys.argv[2])
while True:
    try:
        books = sqlite3.connect(file)
        if books.execute("select count(*) from change").fetchone()[0] >= at_least:
            break
    except sqlite3.OperationalError:
        pass
    time.sleep(0.1)
rows = books.execute("select id, data from change order by number")
json.dump([{"id": id, "data": json.loads(data)} for id, data in rows], sys.stdout)`;

export const EXAMPLES_OF_CONNECTORS: readonly Example[] = [
  {
    name: 'connector.py',
    command: (folder) => ['python3', join(EXAMPLES, 'connector.py'), join(folder, 'erp.sqlite')],
    async kept(folder, atLeast) {
      const args = ['-c', PYTHON_READ, join(folder, 'erp.sqlite'), String(atLeast)];
      const { stdout } = await promisify(execFile)('python3', args, { maxBuffer: 1 << 28, timeout: MOST_MS });
      return JSON.parse(stdout) as KeptChange[];
    },
  },
  {
    name: 'connector.ts',
    command(folder) {
      const compiled = join(folder, 'connector.js');
      if (!existsSync(compiled)) {
        const options = { module: { type: 'commonjs' }, sourceMaps: false } as const;
        writeFileSync(compiled, transformFileSync(join(EXAMPLES, 'connector.ts'), options).code);
      }
      return [process.execPath, compiled, join(folder, 'erp.jsonl')];
    },
    async kept(folder, atLeast) {
      const file = join(folder, 'erp.jsonl');
      for (const end = Date.now() + MOST_MS; Date.now() < end; await sleep(100)) {
        const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
        const lines = text
          .slice(0, text.lastIndexOf('\n') + 1)
          .split('\n')
          .filter(Boolean);
        if (lines.length >= atLeast) return lines.map((line) => JSON.parse(line) as KeptChange);
      }
      throw new Error(`fewer than ${atLeast} changes came`);
    },
  },
];

/** @throws Error when there is no such example */
export function connectorNamed(name: string): Example {
  const found = EXAMPLES_OF_CONNECTORS.find((example) => example.name === name);
  if (!found) throw new Error(`there is no example ${name}`);
  return found;
}

/** A connector in a process of its own. */
export class RunningConnector {
  private said = '';

  private constructor(private readonly child: ChildProcess) {
    child.stderr?.on('data', (chunk: Buffer) => (this.said += chunk.toString()));
  }

  static start(example: Example, folder: string, env: Record<string, string>): RunningConnector {
    const [program, ...args] = example.command(folder);
    const own = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env };
    return new RunningConnector(spawn(program, args, { env: own, stdio: ['ignore', 'ignore', 'pipe'] }));
  }

  /** @throws Error when it ended by itself: a connector goes on until it is stopped */
  async kill(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`it ended: ${this.said}`);
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
}
