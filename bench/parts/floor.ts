import type { BenchContext } from '../context';
import { withClient } from '../frame/postgres-server';
import { ProcessWatch, type Watched } from '../frame/processes';
import { RecordedRows } from '../limits/recorded-rows';
import { sendAndBook } from '../load/bounded-load';
import { orderRequests } from '../load/orders';
import type { Part, PartResult } from '../part';
import { medianFigure } from '../report/figures';
import { median } from '../frame/statistics';

/*
 * What an order costs PostgreSQL, and what of it are the rows: those that one run left are written again into the same
 * tables, emptied, inside PostgreSQL, by one statement for as many orders as Ponte books in a batch.
 */

const WARM_UP = 1_000;
/** Orders of a statement: as many as a full batch of the worker's has. */
const BATCH = 128;

export const part: Part = {
  name: 'floor',
  title: "PostgreSQL's part of an order, and its rows alone",
  order: 37,
  goals: [],
  run,
};

async function run(context: BenchContext): Promise<PartResult> {
  const { watched } = context.postgres;
  if (!watched)
    throw new Error('the server does not run on this machine, so nothing is known of its processor time');
  const place = await context.freshDatabase();
  const service = await context.startService(place);
  let sent = 0;
  const book = async (orders: number): Promise<number> => {
    const requests = orderRequests(service.url, sent, orders);
    sent += orders;
    await context.postgres.checkpoint();
    return microsOf(watched, orders, () => sendAndBook([service], requests));
  };
  await book(WARM_UP);
  const booked: number[] = [];
  for (let round = 0; round < context.rounds; round += 1)
    booked.push(await book(context.short ? 2_000 : 8_000));
  await service.stop();
  const { url } = await context.copyOf(place);
  const alone = await withClient(url, async (client) => {
    const recorded = await RecordedRows.putAside(client, Math.ceil(sent / BATCH));
    const runs: number[] = [];
    for (let round = 0; round < context.rounds; round += 1) {
      await recorded.empty();
      await context.postgres.checkpoint();
      runs.push(await microsOf(watched, sent, () => recorded.writeAgain()));
    }
    const lost = (await recorded.counts()).filter(({ now, recorded: all }) => now !== all);
    if (lost.length > 0) throw new Error(`not all rows were written again: ${JSON.stringify(lost)}`);
    return runs;
  });
  context.say(
    `  ${median(booked).toFixed(0)} µs of PostgreSQL's an order, ${median(alone).toFixed(0)} for its rows alone`,
  );
  return report(booked, alone);
}

/** Microseconds of the processor for one of some orders. */
async function microsOf(watched: Watched, orders: number, work: () => Promise<unknown>): Promise<number> {
  const watch = ProcessWatch.start([watched]);
  await work();
  const [use] = watch.stop();
  return ((use?.cpuSeconds ?? NaN) / orders) * 1e6;
}

function report(booked: readonly number[], alone: readonly number[]): PartResult {
  return {
    figures: [
      medianFigure("PostgreSQL's processor time of an order", 'µs', booked),
      medianFigure('of its rows alone', 'µs', alone),
      { name: 'times what the rows cost', unit: '×', value: median(booked) / median(alone) },
    ],
    notes: [
      'The rows alone are copied within PostgreSQL as they were at the end, by one statement for 128 orders, with all indexes, triggers and checks: nothing is sent, read, looked up, computed, claimed, updated or removed, and a commit is one for 128 orders.',
      "Left out are the rows of each batch (its balance delta and the feed's batch) and what waits only until an order is booked.",
    ],
  };
}
