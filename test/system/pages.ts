import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

export const ROOT = join(__dirname, '../..');

/** A fenced block of a page. */
export interface Block {
  /** Page and line, for whoever has to mend it: `docs/rules.md:12`. */
  at: string;
  language: string;
  text: string;
  /** What stands between the block before and this one, trimmed. */
  before: string;
}

const FENCED = /^```(\S*)[^\n]*\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a page, in order. @param page its path from the root: `docs/rules.md` */
export function blocksOf(page: string): Block[] {
  const source = readFileSync(join(ROOT, page), 'utf8');
  let end = 0;
  return [...source.matchAll(FENCED)].map((match) => {
    const before = source.slice(end, match.index).trim();
    end = match.index + match[0].length;
    const line = source.slice(0, match.index).split('\n').length;
    return { at: `${page}:${line}`, language: match[1] ?? '', text: match[2] ?? '', before };
  });
}

/** Written after each block to both streams: a character that no command of a page prints. */
const SEPARATOR = '\x1e';
const SEPARATE = `printf '\\036'; printf '\\036' >&2`;

/**
 * Runs the blocks in one bash, so that a variable stays for those that follow.
 * @param settings variables of the environment, beside this process's
 * @param options.cwd where they run; absent: the root
 * @param options.talkative whether commands may speak on their standard error without having failed
 * @returns what each block printed
 * @throws Error that names the block when one ends the shell or complains on its standard error
 */
export async function run(
  blocks: readonly Block[],
  settings: Record<string, string>,
  { talkative = false, cwd = ROOT }: { talkative?: boolean; cwd?: string } = {},
): Promise<string[]> {
  const script = blocks.map((block) => `${block.text}\n${SEPARATE}\n`).join('');
  const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [printed, complaints, [status]] = await Promise.all([
    text(shell.stdout),
    text(shell.stderr),
    once(shell, 'close') as Promise<[number | null]>,
  ]);
  const outputs = printed.split(SEPARATOR);
  for (const [index, complaint] of complaints.split(SEPARATOR).entries()) {
    const block = blocks[index];
    const endedHere = index === outputs.length - 1;
    if (block && ((complaint !== '' && !talkative) || endedHere))
      throw new Error(
        `${block.at} ${endedHere ? `ended with ${status}` : 'complained'}: ${complaint}\n${block.text}\n${outputs[index]}`,
      );
  }
  return outputs.slice(0, blocks.length);
}
