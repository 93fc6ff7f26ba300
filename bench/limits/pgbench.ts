import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Run } from '../frame/contest';
import { ProcessWatch, type Watched } from '../frame/processes';

const INSTALLED = '/usr/lib/postgresql';
const CLIENTS = 32;

export interface PgbenchRun {
  /** Of the database. */
  url: string;
  /** In pgbench's language; every statement is one round trip. */
  script: string;
  /** Named `:name` in the script. */
  variables?: Readonly<Record<string, string>>;
  seconds: number;
  /** Watched meanwhile, beside pgbench itself. */
  watched: readonly Watched[];
}

/** 32 clients with prepared statements. @throws Error when pgbench is missing or a transaction fails */
export async function runPgbench(run: PgbenchRun): Promise<Run> {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-bench-'));
  try {
    const script = join(folder, 'script.sql');
    writeFileSync(script, run.script);
    const variables = Object.entries(run.variables ?? {}).map(([name, value]) => `--define=${name}=${value}`);
    const child = spawn(
      findPgbench(),
      [
        '--no-vacuum',
        '--protocol=prepared',
        `--client=${CLIENTS}`,
        '--jobs=2',
        `--time=${run.seconds}`,
        `--file=${script}`,
        ...variables,
        run.url,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const watch = ProcessWatch.start([...run.watched, { name: 'pgbench', pid: child.pid ?? NaN }]);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)));
    const [code] = (await once(child, 'close')) as [number | null];
    const use = watch.stop();
    if (code !== 0) throw new Error(`pgbench ended with ${code}: ${said}`);
    return { ...readReport(said), use };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws Error when the report lacks a number, or counts failed transactions */
export function readReport(text: string): { perSecond: number; count: number } {
  const number = (pattern: RegExp): number => Number(pattern.exec(text)?.[1]);
  const result = {
    perSecond: number(/^tps = ([\d.]+)/m),
    count: number(/^number of transactions actually processed: (\d+)/m),
  };
  if (!(result.perSecond > 0 && result.count > 0) || number(/^number of failed transactions: (\d+)/m) > 0)
    throw new Error(`pgbench measured nothing: ${text}`);
  return result;
}

/** In PATH, else of the newest installed server. @throws Error when it is in neither */
export function findPgbench(): string {
  const installed = listed(INSTALLED)
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => join(INSTALLED, version, 'bin'));
  const found = [...(process.env['PATH'] ?? '').split(delimiter), ...installed]
    .map((folder) => join(folder, 'pgbench'))
    .find(isProgram);
  if (found === undefined)
    throw new Error(
      `pgbench is neither in PATH nor below ${INSTALLED}: install PostgreSQL's own programs (postgresql, postgresql-contrib)`,
    );
  return found;
}

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
