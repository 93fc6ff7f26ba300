import type { BenchContext } from '../context';
import type { Run } from '../frame/contest';
import type { Part, PartResult } from '../part';
import { hammer } from '../load/hammer';
import { endlessDeliveries } from '../load/orders';
import { contenderTable, medianFigure, totalUse } from '../report/figures';
import { bookingRounds } from './whole-way';

/*
 * The same on the embedded database, which works in the thread that reads the sockets. Intake cannot be had alone
 * there: the worker works beside it. No goals.
 */

export const part: Part = {
  name: 'embedded',
  title: 'Embedded database: intake and whole way, in one thread',
  order: 35,
  goals: [],
  run,
};

async function run(context: BenchContext): Promise<PartResult> {
  const seconds = context.short ? 2 : 3;
  const service = await context.startService(await context.freshEmbedded());
  const round = await bookingRounds([service], [service.watched], { seconds, warmUp: seconds });
  const booked: Run[] = [];
  for (let count = 0; count < context.rounds; count += 1) booked.push(await round());
  const target = { url: service.url, next: endlessDeliveries(service.url), watched: [service.watched] };
  const taken = [await hammer({ ...target, seconds })];
  const contenders = [
    { label: 'booked, the whole way', runs: booked },
    { label: 'taken in, as fast as they come', runs: taken },
  ];
  return {
    figures: [
      medianFigure(
        'booked',
        '/s',
        booked.map(({ perSecond }) => perSecond),
      ),
      medianFigure(
        'accepted',
        '/s',
        taken.map(({ perSecond }) => perSecond),
      ),
      medianFigure(
        'accepted, p99',
        'ms',
        taken.map(({ p99 = NaN }) => p99),
      ),
    ],
    processes: totalUse(booked),
    tables: [contenderTable('On the embedded database', 'orders', contenders)],
  };
}
