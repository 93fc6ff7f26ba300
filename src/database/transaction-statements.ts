import { BoundedMap } from '../kernel/bounded-map';
import type { HotStatement } from './database';
import type { Transaction } from './transaction';

/** What a driver runs; one with a name is prepared once for each connection. */
export type RunStatement = Pick<HotStatement, 'text'> & Partial<HotStatement>;

/** Runs a statement on one connection of a driver. */
export type StatementRunner = <Row>(statement: RunStatement, values: readonly unknown[]) => Promise<Row[]>;

const runners = new WeakMap<Transaction, StatementRunner>();

/** So many texts are prepared, at most: a connection keeps each until it ends. */
const MOST_KEPT = 256;
const keeping = new WeakSet<Transaction>();
const names = new BoundedMap<string, string>(MOST_KEPT);

/**
 * A set-based statement inside an open transaction: on the transaction's own connection, past Prisma. Columns come
 * back as from `Database.query`. A statement that failed fails the transaction. Unless {@link usePreparedStatements} was called it
 * has no name and is planned anew each time: a plan that was kept since the tables were small could cost it much.
 *
 * Statements are executed in the order in which they are asked, and each sees what those before it wrote. Whoever asks
 * for several before waiting for the first spares the way to the database and back for each of the others.
 * @throws Error when the transaction is none of `Database.transaction`
 */
export function queryInTransaction<Row>(
  tx: Transaction,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  const run = runners.get(tx);
  if (!run) throw new Error('a hot statement needs an open transaction of the database');
  return run<Row>(keeping.has(tx) ? prepared(text) : { text }, values);
}

/**
 * From here on the transaction's statements are planned once for each connection and not once each: planning takes
 * longer than a few rows do, and of a large batch a tenth of its time. For transactions that read no table as a whole,
 * whatever PostgreSQL believes of its size.
 */
export function usePreparedStatements(tx: Transaction): void {
  keeping.add(tx);
}

function prepared(text: string): RunStatement {
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= MOST_KEPT) return { text };
    name = `kept-${names.size}`;
    names.set(text, name);
  }
  return { name, text };
}

/** Makes {@link queryInTransaction} known what runs the statements of a transaction. */
export function enableStatements(tx: Transaction, run: StatementRunner): void {
  runners.set(tx, run);
}
