import { AsyncLocalStorage } from 'node:async_hooks';
import type { HotStatement } from './database';
import type { Transaction } from './transaction';

/** Runs a statement on one connection of a driver. */
export type StatementRunner = <Row>(
  statement: Pick<HotStatement, 'text'>,
  values: readonly unknown[],
) => Promise<Row[]>;

const runners = new WeakMap<Transaction, StatementRunner>();
const beginning = new AsyncLocalStorage<(run: StatementRunner) => void>();

/**
 * A set-based statement inside an open transaction: on the transaction's own connection, past Prisma. Columns come
 * back as from `Database.query`. A statement that failed fails the transaction. It has no name and is planned anew
 * each time, which costs a batch little: a plan that was kept since the tables were small would cost it much.
 * @throws Error when the transaction is none of `Database.transaction`
 */
export function queryWithin<Row>(tx: Transaction, text: string, values: readonly unknown[]): Promise<Row[]> {
  const run = runners.get(tx);
  if (!run) throw new Error('a hot statement needs an open transaction of the database');
  return run<Row>({ text }, values);
}

/** Makes {@link queryWithin} known what runs the statements of a transaction. */
export function enableStatements(tx: Transaction, run: StatementRunner): void {
  runners.set(tx, run);
}

/**
 * Begins a transaction of Prisma's and learns which connection it has been given: Prisma does not tell.
 * @param took called before the transaction can be used
 */
export function withConnection<T>(took: (run: StatementRunner) => void, begin: () => Promise<T>): Promise<T> {
  return beginning.run(took, begin);
}

/** For a driver, where a transaction begins: whom to tell what runs statements on its connection. */
export function connectionTaker(): (run: StatementRunner) => void {
  return beginning.getStore() ?? ((): void => undefined);
}
