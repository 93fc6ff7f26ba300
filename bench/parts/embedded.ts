import type { BenchContext } from '../context';
import { contest, type Run } from '../frame/contest';
import type { Part, PartResult } from '../part';
import { hammer } from '../load/hammer';
import { endlessDeliveries } from '../load/orders';
import { contenderTable, medianFigure, ratioFigure, totalUse } from '../report/figures';
import { bookingRounds } from './whole-way';

/*
 * The whole way on the embedded database, which works in a thread beside the one that reads the sockets, and on PostgreSQL,
 * round by round in the same minutes. The latency of what is accepted while orders are booked is that of a commit that waits
 * for the one session. Intake cannot be had alone: the worker works beside it.
 */

export const part: Part = {
  name: 'embedded',
  title: 'Embedded database: intake and whole way, beside PostgreSQL',
  order: 35,
  goals: [{ figure: 'rate to that on PostgreSQL', atLeast: 0.6 }],
  run,
};

async function run(context: BenchContext): Promise<PartResult> {
  const seconds = context.short ? 2 : 3;
  const lengths = { seconds, warmUp: context.short ? 3 : 6 };
  const server = context.postgres.watched ? [context.postgres.watched] : [];
  const service = await context.startService(await context.freshEmbedded());
  const other = await context.startService(await context.freshDatabase(), { name: 'ponte on PostgreSQL' });
  const { booked, onServer } = await contest(context, {
    booked: await bookingRounds([service], [service.watched], lengths),
    onServer: await bookingRounds([other], [other.watched, ...server], lengths),
  });
  const target = { url: service.url, next: endlessDeliveries(service.url), watched: [service.watched] };
  const taken = [await hammer({ ...target, seconds })];
  return report(booked, onServer, taken);
}

function report(booked: readonly Run[], onServer: readonly Run[], taken: readonly Run[]): PartResult {
  const rates = (runs: readonly Run[]): number[] => runs.map(({ perSecond }) => perSecond);
  const latencies = (runs: readonly Run[]): number[] => runs.map(({ p99 = NaN }) => p99);
  return {
    figures: [
      medianFigure('booked', '/s', rates(booked)),
      medianFigure('booked on PostgreSQL', '/s', rates(onServer)),
      ratioFigure('rate to that on PostgreSQL', rates(booked), rates(onServer)),
      medianFigure('accepted while booking, p99', 'ms', latencies(booked)),
      medianFigure('accepted while booking on PostgreSQL, p99', 'ms', latencies(onServer)),
      medianFigure('accepted', '/s', rates(taken)),
      medianFigure('accepted, p99', 'ms', latencies(taken)),
    ],
    processes: totalUse(booked),
    tables: [
      contenderTable('On the embedded database and on PostgreSQL', 'orders', [
        { label: 'embedded, the whole way', runs: booked },
        { label: 'PostgreSQL, the whole way', runs: onServer },
        { label: 'embedded, taken in as fast as they come', runs: taken },
      ]),
    ],
  };
}
