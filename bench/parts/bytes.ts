import type { BenchContext } from '../context';
import { withClient } from '../frame/postgres-server';
import type { Place } from '../frame/place';
import { sendAndBook } from '../load/bounded-load';
import { orderRequests } from '../load/orders';
import type { Part, PartResult, ResultTable } from '../part';
import { differenceOf, readStored, type Stored } from '../stored';

/*
 * What a paid order of three instalments leaves in the database: rows, bytes, and entries of indexes. Counted, not
 * timed, so that it is the same on every machine.
 */

/** Booked before anything is counted: the tables are no longer empty, and what is there once for all is there. */
const BEFORE = 300;

export const part: Part = {
  name: 'bytes',
  title: 'Rows, bytes and index entries of a paid order',
  order: 36,
  goals: [
    { figure: 'bytes of tables and indexes', atMost: 9_900 },
    { figure: 'bytes of feed changes', atMost: 6_000 },
    { figure: 'index entries', atMost: 60 },
    { figure: 'index entries', atMost: 33, moonshot: true },
  ],
  run,
};

async function run(context: BenchContext): Promise<PartResult> {
  const orders = context.short ? 1_000 : 4_000;
  const place = await context.freshDatabase();
  await book(context, place, 0, BEFORE);
  await context.postgres.checkpoint();
  const before = await withClient(place.url, readStored);
  await book(context, place, BEFORE, orders);
  const after = await withClient(place.url, readStored);
  return report(differenceOf(before, after, orders));
}

/** By a service of its own, at whose end PostgreSQL has counted what it did. */
async function book(context: BenchContext, place: Place, from: number, count: number): Promise<void> {
  const service = await context.startService(place);
  await sendAndBook([service], orderRequests(service.url, from, count));
  await service.stop();
}

function report({ tables, indexes, walBytes }: Stored): PartResult {
  const rows = sum(tables.map((table) => table.rows));
  const entries = sum(indexes.map((index) => index.entries));
  const tableBytes = sum(tables.map(({ bytes }) => bytes));
  const indexBytes = sum(indexes.map(({ bytes }) => bytes));
  const feed = tables.find(({ name }) => name === 'feed_stored_change');
  return {
    figures: [
      { name: 'rows written', unit: '', value: rows },
      { name: 'index entries', unit: '', value: entries },
      { name: 'bytes of tables and indexes', unit: 'B', value: tableBytes + indexBytes },
      { name: 'bytes of tables', unit: 'B', value: tableBytes },
      { name: 'bytes of indexes', unit: 'B', value: indexBytes },
      { name: 'bytes of feed changes', unit: 'B', value: feed?.bytes ?? 0 },
      { name: 'bytes of the write-ahead log', unit: 'B', value: walBytes },
    ],
    tables: [
      tableOf(
        'Tables, with what is stored out of line, of an order',
        ['table', 'rows written', 'rows updated', 'of them in no index', 'bytes'],
        tables.map(({ name, rows: written, updated, hot, bytes }) => [name, written, updated, hot, bytes]),
      ),
      tableOf(
        'Indexes, of an order',
        ['index', 'entries', 'bytes'],
        indexes.map(({ name, entries: own, bytes }) => [name, own, bytes]),
      ),
    ],
    notes: [
      'An index has an entry for each row that was inserted, and for each that was updated where it could not stay in its page.',
      'The write-ahead log is that of the whole server, with the pages that are written whole after a checkpoint.',
      'A partial index has those that it has at the end; the rows of deliveries that wait are gone from theirs by then.',
    ],
  };
}

/** Without what an order does not touch, most bytes first. */
function tableOf(
  title: string,
  columns: readonly string[],
  rows: readonly (readonly [string, ...number[]])[],
): ResultTable {
  const touched = rows.filter(([, ...numbers]) => numbers.some((number) => Math.abs(number) >= 0.005));
  return {
    title,
    columns,
    rows: touched
      .sort((left, right) => Number(right.at(-1)) - Number(left.at(-1)))
      .map(([name, ...numbers]) => [name, ...numbers.map((number) => Number(number.toFixed(2)))]),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
