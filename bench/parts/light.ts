import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../context';
import { AS_SHIPPED } from '../frame/measured-service';
import { bytesOf, type LockedPackage, neededFolders } from '../frame/installed';
import type { Place } from '../frame/place';
import { cpuSeconds, megabytes, ownMegabytes } from '../frame/processes';
import { median } from '../frame/statistics';
import type { Figure, Part, PartResult } from '../part';

const ROOT = join(__dirname, '../..');
const MEBIBYTE = 1024 * 1024;
const SAMPLES = 5;

/** What Ponte takes when it has nothing to do, how soon it is there, and how much of a disk it fills. */
export const part: Part = {
  name: 'light',
  title: 'Idle memory, time to ready, size of the installation',
  order: 80,
  goals: [
    { figure: 'idle memory on PostgreSQL', atMost: 120 },
    { figure: 'idle memory on PostgreSQL', atMost: 90, moonshot: true },
    { figure: 'start to ready on PostgreSQL', atMost: 1 },
    { figure: 'start to ready on an existing embedded directory', atMost: 3 },
    { figure: 'first start to ready, embedded', atMost: 4 },
    { figure: 'production install', atMost: 250 },
  ],
  run,
};

async function run(context: BenchContext): Promise<PartResult> {
  const onServer = await measureStarts(context, await context.freshDatabase());
  const embedded = await measureStarts(context, await context.freshEmbedded());
  const install = context.short ? installedMegabytes() : await freshInstallMegabytes();
  const seconds = (name: string, runs: readonly number[]): Figure => ({
    name,
    unit: 's',
    value: median(runs),
    runs,
  });
  return {
    figures: [
      { name: 'idle memory on PostgreSQL', unit: 'MB', value: onServer.idle },
      { name: 'of it without the program of Node, on PostgreSQL', unit: 'MB', value: onServer.own },
      { name: 'idle memory, embedded', unit: 'MB', value: embedded.idle },
      seconds('start to ready on PostgreSQL', onServer.starts),
      seconds('processor time until ready on PostgreSQL', onServer.worked),
      seconds('start to ready on an existing embedded directory', embedded.starts),
      seconds('processor time until ready, embedded', embedded.worked),
      seconds('first start to ready, embedded', [embedded.firstStart]),
      { name: 'production install', unit: 'MB', value: install },
    ],
    notes: [
      context.short
        ? 'The production install is the sum of what is installed here of the packages that production needs.'
        : 'The production install was made with `npm ci --omit=dev --omit=optional` in an empty folder, as the container image is.',
      'Ready is when the service listens: by then its configuration is in the database and its worker works.',
      `Node is started as \`npm start\` starts it: \`${AS_SHIPPED.join(' ')}\`.`,
    ],
  };
}

/** Starts on a place that has been started on before, one after another; the last one stays idle for a while. */
async function measureStarts(
  context: BenchContext,
  place: Place,
): Promise<{ firstStart: number; starts: number[]; worked: number[]; idle: number; own: number }> {
  const first = await context.startService(place);
  const firstStart = first.startedInMs / 1000;
  await first.stop();
  const starts: number[] = [];
  const worked: number[] = [];
  const memory: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < context.rounds; round += 1) {
    const service = await context.startService(place);
    starts.push(service.startedInMs / 1000);
    worked.push(cpuSeconds(service.watched));
    if (round === context.rounds - 1) {
      // What starting took is given back by and by.
      await sleep(context.short ? 2_000 : 60_000);
      for (let sample = 0; sample < SAMPLES; sample += 1) {
        memory.push(megabytes(service.watched));
        own.push(ownMegabytes(service.watched));
        await sleep(200);
      }
    }
    await service.stop();
  }
  return { firstStart, starts, worked, idle: median(memory), own: median(own) };
}

/** Of the packages that production needs, as far as they are installed here, in mebibytes. */
function installedMegabytes(): number {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  return (
    neededFolders(packages)
      .map((folder) => join(ROOT, folder))
      .filter(existsSync)
      .reduce((sum, folder) => sum + bytesOf(folder), 0) / MEBIBYTE
  );
}

interface Lock {
  packages: Readonly<Record<string, LockedPackage>>;
}

async function freshInstallMegabytes(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-bench-'));
  try {
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      cpSync(join(ROOT, file), join(folder, file));
    execFileSync('npm', ['ci', '--omit=dev', '--omit=optional', '--no-audit', '--no-fund'], {
      cwd: folder,
      stdio: 'ignore',
    });
    return bytesOf(folder, { nested: true }) / MEBIBYTE;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
