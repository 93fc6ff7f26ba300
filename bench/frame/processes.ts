import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessUse } from '../part';

/** Clock ticks a second in /proc; fixed by Linux for all programs. */
const TICKS = 100;
const SAMPLE_EVERY_MS = 250;
const MEBIBYTE_IN_KIB = 1024;

/** A process to sample, with the processes it started when it is a server of many. */
export interface Watched {
  name: string;
  pid: number;
  family?: boolean;
}

/** Samples processor time and memory of processes from /proc while something is measured. */
export class ProcessWatch {
  private readonly before: number[];
  /** The latest sample: a process that has ended gives none any more. */
  private readonly latest: number[];
  private readonly peak: number[];
  private readonly timer: NodeJS.Timeout;

  private constructor(private readonly watched: readonly Watched[]) {
    this.before = watched.map(cpuSeconds);
    this.latest = [...this.before];
    this.peak = watched.map(megabytes);
    this.timer = setInterval(() => this.sample(), SAMPLE_EVERY_MS);
    this.timer.unref();
  }

  static start(watched: readonly Watched[]): ProcessWatch {
    return new ProcessWatch(watched);
  }

  /** @returns what each process used since the start, in the order given */
  stop(): ProcessUse[] {
    clearInterval(this.timer);
    this.sample();
    return this.watched.map((one, index) => ({
      name: one.name,
      cpuSeconds: (this.latest[index] ?? 0) - (this.before[index] ?? 0),
      peakMegabytes: this.peak[index] ?? 0,
    }));
  }

  private sample(): void {
    this.watched.forEach((one, index) => {
      this.latest[index] = Math.max(this.latest[index] ?? 0, cpuSeconds(one));
      this.peak[index] = Math.max(this.peak[index] ?? 0, megabytes(one));
    });
  }
}

/** This very process, which makes the load. */
export const GENERATOR: Watched = { name: 'generator', pid: process.pid };

/** User and system time since the process began, with that of its children, in seconds; 0 when it is gone. */
export function cpuSeconds({ pid, family = false }: Watched): number {
  const living = family ? childrenOf(pid) : [];
  // Of ended children only what their parent has waited for is counted, and theirs likewise.
  return [pid, ...living].reduce((sum, one) => sum + ticksOf(one), 0) / TICKS;
}

/** Resident memory in mebibytes; 0 when the process is gone. */
export function megabytes({ pid, family = false }: Watched): number {
  if (!family) return memoryOf(pid).resident / MEBIBYTE_IN_KIB;
  // Each process that has touched the shared memory counts it as its own; here it counts once.
  const all = [pid, ...childrenOf(pid)].map(memoryOf);
  const own = all.reduce((sum, { anonymous }) => sum + anonymous, 0);
  return (own + Math.max(...all.map(({ shared }) => shared))) / MEBIBYTE_IN_KIB;
}

/** Fields of /proc/PID/stat from the third on; the second is a name that may contain spaces. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

function ticksOf(pid: number): number {
  // utime, stime, cutime, cstime
  return statOf(pid)
    .slice(11, 15)
    .reduce((sum, ticks) => sum + Number(ticks), 0);
}

/** The identifier of the process that started this one; undefined when it is gone. */
export function parentOf(pid: number): number | undefined {
  const [, parent] = statOf(pid);
  return parent === undefined ? undefined : Number(parent);
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

/** What of a process's resident memory is its own, in mebibytes: without the program, which its processes share. */
export function ownMegabytes({ pid }: Watched): number {
  return memoryOf(pid).anonymous / MEBIBYTE_IN_KIB;
}

function memoryOf(pid: number): { resident: number; anonymous: number; shared: number } {
  let status = '';
  try {
    status = readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    // It has ended meanwhile.
  }
  const kib = (field: string): number =>
    Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1] ?? 0);
  return { resident: kib('VmRSS'), anonymous: kib('RssAnon'), shared: kib('RssShmem') };
}
