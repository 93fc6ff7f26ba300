import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchContext } from './context';
import { hammer } from './load/hammer';
import { sendAndBook } from './load/bounded-load';
import { endlessDeliveries, orderRequests } from './load/orders';
import type { MeasuredService } from './frame/measured-service';
import { cpuSeconds } from './frame/processes';
import { type CpuProfile, drawFlameGraph, foldProfile, topFunctions } from './report/flame-graph';
import { markdownTable } from './report/markdown';

const WARM_UP_ORDERS = 1_000;
const ORDERS = 4_000;
const WARM_UP_SECONDS = 3;
const INTAKE_SECONDS = 8;
const LEAST_SHARE = 0.002;
const TOP = 25;

/** What can be profiled: the role of the service, and its load. */
const LOADS: Record<string, { role: string; load: (service: MeasuredService) => Load }> = {
  intake: {
    role: 'api',
    load: ({ url, watched }) => {
      const target = { url, next: endlessDeliveries(url), watched: [watched] };
      return {
        warmUp: () => hammer({ ...target, seconds: WARM_UP_SECONDS }),
        run: async () => (await hammer({ ...target, seconds: INTAKE_SECONDS })).count,
      };
    },
  },
  'whole-way': {
    role: 'all',
    load: (service) => ({
      warmUp: () => sendAndBook([service], orderRequests(service.url, 0, WARM_UP_ORDERS)),
      run: async () =>
        (await sendAndBook([service], orderRequests(service.url, WARM_UP_ORDERS, ORDERS))).orders,
    }),
  },
};

interface Load {
  warmUp: () => Promise<unknown>;
  /** @returns how many orders it was */
  run: () => Promise<number>;
}

/** As the profile's clock has it. */
function microseconds(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/**
 * Runs a load on a service that profiles itself, and writes `flame-NAME.svg` and, as `flame-NAME.md`, the functions that
 * took the most time. The service's start and warm-up are not in the picture.
 * @param what `intake` or `whole-way`
 */
export async function drawProfile(
  context: BenchContext,
  what: string,
  { name, folder: target }: { name: string; folder: string },
): Promise<void> {
  const chosen = LOADS[what];
  if (!chosen) throw new Error(`--profile takes ${Object.keys(LOADS).join(' or ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'ponte-bench-'));
  try {
    const service = await context.startService(await context.freshDatabase(), {
      settings: { ROLE: chosen.role },
      nodeOptions: ['--cpu-prof', `--cpu-prof-dir=${folder}`],
    });
    const load = chosen.load(service);
    await load.warmUp();
    const [from, before] = [microseconds(), cpuSeconds(service.watched)];
    const orders = await load.run();
    const to = microseconds();
    const micros = ((cpuSeconds(service.watched) - before) / orders) * 1e6;
    await service.stop();
    const [file] = readdirSync(folder).filter((entry) => entry.endsWith('.cpuprofile'));
    if (file === undefined) throw new Error('the service left no profile');
    const root = foldProfile(JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile, from, to);
    // A profile counts the time in which the thread waited for a processor, too: shares are right, and times are not.
    const share = (time: number): string => `${((time / root.total) * 100).toFixed(1)} %`;
    const table = markdownTable(
      ['function', 'where', 'itself', 'with what it calls'],
      topFunctions(root, TOP).map((one) => [one.name, one.place, share(one.self), share(one.total)]),
    );
    mkdirSync(target, { recursive: true });
    const title = `${what}: ${orders} orders, ${micros.toFixed(0)} µs of the service's processor time each`;
    writeFileSync(join(target, `flame-${name}.svg`), drawFlameGraph(root, { title, least: LEAST_SHARE }));
    writeFileSync(join(target, `flame-${name}.md`), `${title}\n\n${table}\n`);
    context.say(`${title}\n\n${table}\n\n${join(target, `flame-${name}.svg`)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
