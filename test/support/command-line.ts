import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { runCommandLine } from '../../src/cli/run';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  env?: Record<string, string>;
  /** What stands on the standard input. */
  input?: string;
  /** What is typed on a terminal. */
  typed?: string;
  /** Whether the output is a terminal, and how wide. */
  columns?: number;
}

/** Runs `ponte` as a process would, in this one. */
export async function ponte(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const { env = {}, input = '', typed, columns } = options;
  const stdin = Object.assign(new PassThrough(), { isTTY: typed !== undefined });
  const stdout = Object.assign(new PassThrough(), columns === undefined ? {} : { isTTY: true, columns });
  const stderr = new PassThrough();
  if (typed === undefined) stdin.end(input);
  else stdin.write(typed);
  const written = Promise.all([buffer(stdout), buffer(stderr)]);
  try {
    const code = await runCommandLine(args, { env, stdin, stdout, stderr });
    stdout.end();
    stderr.end();
    const [out, err] = await written;
    return { code, stdout: out.toString('utf8'), stderr: err.toString('utf8') };
  } finally {
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
  }
}
