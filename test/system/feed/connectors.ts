import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';

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
  /** What it has, in the order in which it took it in. */
  kept(folder: string): KeptChange[];
}

const PYTHON_READ = `
import json, sqlite3, sys
try:
    rows = sqlite3.connect(sys.argv[1]).execute("select id, data from change order by number").fetchall()
except sqlite3.OperationalError:
    rows = []
json.dump([{"id": id, "data": json.loads(data)} for id, data in rows], sys.stdout)`;

export const EXAMPLES_OF_CONNECTORS: readonly Example[] = [
  {
    name: 'connector.py',
    command: (folder) => ['python3', join(EXAMPLES, 'connector.py'), join(folder, 'erp.sqlite')],
    kept(folder) {
      const file = join(folder, 'erp.sqlite');
      if (!existsSync(file)) return [];
      const options = { maxBuffer: 1 << 28, encoding: 'utf8' } as const;
      return JSON.parse(execFileSync('python3', ['-c', PYTHON_READ, file], options)) as KeptChange[];
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
    kept(folder) {
      const file = join(folder, 'erp.jsonl');
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      const whole = text.slice(0, text.lastIndexOf('\n') + 1);
      return whole
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as KeptChange);
    },
  },
];

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
