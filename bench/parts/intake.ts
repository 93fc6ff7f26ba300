import type { BenchContext } from '../context';
import { contest, type Run } from '../frame/contest';
import type { Watched } from '../frame/processes';
import { startBareFastify } from '../limits/fastify';
import { copyIntakeRow } from '../limits/intake-row';
import { runPgbench } from '../limits/pgbench';
import { hammer } from '../load/hammer';
import { endlessDeliveries, orderBody } from '../load/orders';
import type { Part, PartResult } from '../part';
import { contenderTable, medianFigure, rateChart, ratioFigure, totalUse } from '../report/figures';

/*
 * How fast signed orders are taken in: 32 connections, acknowledged after the commit. The service runs as `ROLE=api`:
 * it verifies, finds duplicates and stores, and books nothing. Alternating with it, what the machine allows: `pgbench`
 * inserting the same row one a transaction, bare Fastify with `pg` doing so for each request, bare Fastify alone.
 */

export const part: Part = {
  name: 'intake',
  title: 'Intake: signed 5 KB orders, 32 connections, acknowledged after commit',
  order: 20,
  goals: [
    { figure: 'rate to bare Fastify + pg', atLeast: 1.6 },
    { figure: 'rate to bare Fastify + pg', atLeast: 1.9, moonshot: true },
    { figure: 'rate to pgbench', atLeast: 0.9 },
    { figure: 'rate to pgbench', atLeast: 1.2, moonshot: true },
    { figure: 'p99 to bare Fastify + pg', atMost: 1 },
  ],
  run,
};

type Runs = Record<'ponte' | 'pgbench' | 'stored' | 'bare', Run[]>;

async function run(context: BenchContext): Promise<PartResult> {
  const seconds = context.short ? 2 : 8;
  const warmUp = context.short ? 1 : 2;
  const server = context.postgres.watched ? [context.postgres.watched] : [];
  const load = async (url: string, path: string, watched: Watched): Promise<() => Promise<Run>> => {
    const target = { url, next: endlessDeliveries(url, path), watched: [watched, ...server] };
    await hammer({ ...target, seconds: warmUp });
    return () => hammer({ ...target, seconds });
  };

  const { url, ...place } = await context.freshDatabase();
  const service = await context.startService(place, { settings: { ROLE: 'api' } });
  const ponte = await load(service.url, '/hooks/main/shopify', service.watched);
  const { script, statement } = await copyIntakeRow(url);
  const variables = { body: orderBody({ number: 1, customer: 1 }).toString() };
  const withPg = await startBareFastify({ url, statement });
  const alone = await startBareFastify();
  try {
    return report(
      await contest(context, {
        ponte,
        pgbench: () => runPgbench({ url, script, variables, seconds, watched: server }),
        stored: await load(withPg.url, '/orders', withPg.watched),
        bare: await load(alone.url, '/orders', alone.watched),
      }),
    );
  } finally {
    await withPg.stop();
    await alone.stop();
  }
}

function report({ ponte, pgbench, stored, bare }: Runs): PartResult {
  const rates = (runs: readonly Run[]): number[] => runs.map(({ perSecond }) => perSecond);
  const latencies = (runs: readonly Run[]): number[] => runs.map(({ p99 = NaN }) => p99);
  const contenders = [
    { label: 'Ponte', runs: ponte },
    { label: '`pgbench`, one insert a transaction', runs: pgbench },
    { label: 'bare Fastify + `pg`, one insert a request', runs: stored },
    { label: 'bare Fastify, nothing stored', runs: bare },
  ];
  const figures = [
    medianFigure('accepted', '/s', rates(ponte)),
    medianFigure(
      'p50',
      'ms',
      ponte.map(({ p50 = NaN }) => p50),
    ),
    medianFigure('p99', 'ms', latencies(ponte)),
    medianFigure('pgbench', '/s', rates(pgbench)),
    medianFigure('bare Fastify + pg', '/s', rates(stored)),
    medianFigure('bare Fastify', '/s', rates(bare)),
    ratioFigure('rate to bare Fastify + pg', rates(ponte), rates(stored)),
    ratioFigure('rate to pgbench', rates(ponte), rates(pgbench)),
    ratioFigure('p99 to bare Fastify + pg', latencies(ponte), latencies(stored)),
  ];
  return {
    figures,
    processes: totalUse(ponte),
    tables: [contenderTable('Orders taken in', 'orders', contenders)],
    charts: [rateChart('intake', 'Orders taken in each second', contenders)],
  };
}
