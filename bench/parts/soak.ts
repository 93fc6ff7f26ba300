import { readdirSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BenchContext } from '../context';
import { type MeasuredService, SECRET } from '../frame/measured-service';
import { withClient } from '../frame/postgres-server';
import { megabytes, ProcessWatch } from '../frame/processes';
import { median } from '../frame/statistics';
import { growthBetween, type Sample } from '../frame/steadiness';
import { flood } from '../load/flood';
import { PaidOrders } from '../load/paid-orders';
import type { Part, PartResult } from '../part';

const PER_SECOND = 100;
const CONNECTIONS = 64;

/**
 * A steady load for ten minutes, the whole way: what Ponte keeps in memory in the second half against the first. Memory is
 * compared by medians of the third quarter and of the last, so that neither the warm-up nor one collection decides.
 */
export const part: Part = {
  name: 'soak',
  title: 'Ten minutes of steady load',
  order: 75,
  goals: [
    { figure: 'memory grown', atMost: 12, longOnly: true },
    { figure: 'heap grown', atMost: 8, longOnly: true },
    { figure: 'connections to PostgreSQL grown', atMost: 0 },
    { figure: 'open files grown', atMost: 8, longOnly: true },
    { figure: 'timers and other handles grown', atMost: 8, longOnly: true },
  ],
  run,
};

async function run(context: BenchContext): Promise<PartResult> {
  const place = await context.freshDatabase();
  const service = await context.startService(place);
  const kind = { secret: SECRET, organization: 'main', topic: 'orders/paid', instalments: 3 } as const;
  const orders = new PaidOrders(service.url, kind);
  const seconds = context.short ? 12 : 600;
  const watch = ProcessWatch.start([service.watched]);
  // Connections and compilers are there before the first sample.
  await flood({ url: service.url, perSecond: PER_SECOND, seconds: 3, connections: CONNECTIONS, orders });
  const sampling = sampleFor(service, place.url, seconds);
  const load = await flood({
    url: service.url,
    perSecond: PER_SECOND,
    seconds,
    connections: CONNECTIONS,
    orders,
  });
  const samples = await sampling;
  const grown = (field: keyof Sample): number => growthBetween(samples, field);
  const of = (field: keyof Sample): number => median(samples.map((sample) => sample[field]));
  return {
    figures: [
      { name: 'accepted', unit: '/s', value: load.acceptedPerSecond },
      { name: 'refused or not sent', unit: '', value: load.refused.length + load.notSent },
      {
        name: 'other answers',
        unit: '',
        value: [...load.others.values()].reduce((sum, count) => sum + count, 0),
      },
      { name: 'memory', unit: 'MB', value: of('memory') },
      { name: 'memory grown', unit: 'MB', value: grown('memory') },
      { name: 'heap, lowest', unit: 'MB', value: Math.min(...samples.map(({ heap }) => heap)) },
      { name: 'heap grown', unit: 'MB', value: grown('heap') },
      { name: 'connections to PostgreSQL', unit: '', value: of('connections') },
      { name: 'connections to PostgreSQL grown', unit: '', value: grown('connections') },
      { name: 'open files', unit: '', value: of('files') },
      { name: 'open files grown', unit: '', value: grown('files') },
      { name: 'timers and other handles', unit: '', value: of('handles') },
      { name: 'timers and other handles grown', unit: '', value: grown('handles') },
    ],
    processes: watch.stop(),
  };
}

async function sampleFor(service: MeasuredService, databaseUrl: string, seconds: number): Promise<Sample[]> {
  return withClient(databaseUrl, async (client) => {
    const samples: Sample[] = [];
    for (const started = performance.now(); performance.now() - started < seconds * 1000; await sleep(500)) {
      const { rows } = await client.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      );
      const metrics = await (await fetch(`${service.url}/metrics`)).text();
      samples.push({
        memory: megabytes(service.watched),
        heap: metricOf(metrics, 'nodejs_heap_size_used_bytes') / 2 ** 20,
        connections: rows[0]?.count ?? NaN,
        files: readdirSync(`/proc/${service.watched.pid}/fd`).length,
        handles: metricOf(metrics, 'nodejs_active_resources_total'),
      });
    }
    return samples;
  });
}

function metricOf(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
}
