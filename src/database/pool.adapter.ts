import { PrismaPg } from '@prisma/adapter-pg';
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import type { PoolClient } from 'pg';
import { runOn, type StatementPool, writeAtOnce } from './statement-pool';
import type { RunStatement } from './transaction-statements';

type SqlDriverAdapter = Awaited<ReturnType<SqlDriverAdapterFactory['connect']>>;
type DriverTransaction = Awaited<ReturnType<SqlDriverAdapter['startTransaction']>>;

type DriverQuery = Parameters<DriverTransaction['queryRaw']>[0];

/** A connection that may know by what it broke. */
type Connection = PoolClient & { readonly brokenBy?: Error };

/** The connection that a transaction of Prisma's is on, for as long as it is. */
export class TransactionConnection {
  /** What the first of its statements that failed failed with; of those after it PostgreSQL only says that one did. */
  failure: unknown;

  constructor(private readonly client: Connection) {}

  /** What the connection broke by. */
  get brokenBy(): Error | undefined {
    return this.client.brokenBy;
  }

  /** Runs a statement past Prisma. Those that are asked for in one go are written in one go. */
  run<Row>(statement: RunStatement, values: readonly unknown[]): Promise<Row[]> {
    writeAtOnce(this.client);
    return this.noting(runOn<Row>(this.client, statement, values));
  }

  async noting<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }
}

/** What of Prisma's transaction is asked. */
interface AskedTransaction {
  $executeRawUnsafe(statement: string, number: number): Promise<unknown>;
}

/** No statement for the database: the adapter answers it. */
const WHICH_CONNECTION = 'which connection is this?';

/**
 * Prisma's adapter for a pool. Prisma does not say which connection it gave to a transaction, so its own transaction is asked:
 * the question comes back to the adapter as a statement on that connection, and does not go to the database.
 */
export class PoolAdapter implements SqlDriverAdapterFactory {
  readonly provider = 'postgres';
  readonly adapterName = '@prisma/adapter-pg';
  private readonly answers = new Map<unknown, TransactionConnection>();
  private questions = 0;

  constructor(private readonly pool: StatementPool) {}

  async connect(): Promise<SqlDriverAdapter> {
    const adapter = await new PrismaPg(this.pool).connect();
    const begin = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolation) => this.answering(await begin(isolation));
    return adapter;
  }

  /** @param tx a transaction of Prisma's over this adapter, while it is open */
  async connectionOf(tx: AskedTransaction): Promise<TransactionConnection> {
    const number = (this.questions += 1);
    await tx.$executeRawUnsafe(WHICH_CONNECTION, number);
    const connection = this.answers.get(number);
    this.answers.delete(number);
    if (!connection) throw new Error('the transaction is none of this adapter');
    return connection;
  }

  private answering(transaction: DriverTransaction): DriverTransaction {
    // It has the client of the pool that it was given, and does not declare it.
    const connection = new TransactionConnection((transaction as unknown as { client: Connection }).client);
    const query = transaction.queryRaw.bind(transaction);
    const execute = transaction.executeRaw.bind(transaction);
    transaction.queryRaw = (asked: DriverQuery) => connection.noting(query(asked));
    transaction.executeRaw = (asked: DriverQuery) => {
      if (asked.sql !== WHICH_CONNECTION) return connection.noting(execute(asked));
      this.answers.set(asked.args[0], connection);
      return Promise.resolve(0);
    };
    return transaction;
  }
}
