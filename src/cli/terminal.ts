import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import type { TableStyle } from './output/table';

/** All that a command may know of the process it runs in. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { isTTY?: boolean };
  readonly stdout: Writable & { isTTY?: boolean; columns?: number };
  readonly stderr: Writable;
}

/** Data goes to the standard output, everything said about it to the standard error. */
export class Terminal {
  private readonly pending = new Set<Promise<void>>();
  private readerGone = false;

  constructor(private readonly surroundings: Surroundings) {
    // A reader such as `head` may leave early. That is no failure: what was begun is finished, unread.
    surroundings.stdout.on('error', () => (this.readerGone = true));
    surroundings.stderr.on('error', () => undefined);
  }

  get env(): Surroundings['env'] {
    return this.surroundings.env;
  }

  /** False once nobody reads the data any more: whoever writes much may stop. */
  get isRead(): boolean {
    return !this.readerGone;
  }

  get style(): TableStyle {
    const { stdout, env } = this.surroundings;
    const coloured = stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
    return {
      columns: stdout.isTTY ? stdout.columns : undefined,
      heading: (line) => (coloured ? `\u001b[1m${line}\u001b[22m` : line),
    };
  }

  /** Data, as it stands. */
  print(data: string): Promise<void> {
    return this.readerGone ? Promise.resolve() : this.write(this.surroundings.stdout, data);
  }

  printLines(lines: readonly string[]): Promise<void> {
    return this.print(lines.map((line) => `${line}\n`).join(''));
  }

  /** A line, or several, for whoever watches. */
  say(message: string): Promise<void> {
    return this.write(this.surroundings.stderr, `${message}\n`);
  }

  /** As it stands, to the standard error. */
  mutter(words: string): Promise<void> {
    return this.write(this.surroundings.stderr, words);
  }

  /** @returns undefined where nobody is there to be asked */
  async confirm(question: string): Promise<boolean | undefined> {
    const { stdin, stderr } = this.surroundings;
    if (!stdin.isTTY) return undefined;
    const asking = createInterface({ input: stdin, output: stderr });
    const ended = new Promise<string>((resolve) => asking.once('close', () => resolve('')));
    try {
      return /^y(es)?$/i.test((await Promise.race([asking.question(`${question} [y/N] `), ended])).trim());
    } finally {
      asking.close();
    }
  }

  /** The standard input, to be read once. */
  get input(): Readable {
    return this.surroundings.stdin;
  }

  /** Waits until everything is written, or nobody reads it. */
  async flushed(): Promise<void> {
    await Promise.all(this.pending);
  }

  private write(stream: Writable, data: string): Promise<void> {
    const written = new Promise<void>((resolve) => stream.write(data, () => resolve()));
    this.pending.add(written);
    return written.finally(() => this.pending.delete(written));
  }
}
