import { AsyncLocalStorage } from 'node:async_hooks';
import { IN_TESTS } from '../config/in-tests';
import { PrismaClient } from './client/client';
import { Database, type HotStatement } from './database';
import { failureCodes } from './failure-codes';
import type { PoolAdapter, TransactionConnection } from './pool.adapter';
import type { Transaction } from './transaction';
import { enableStatements, type RunStatement } from './transaction-statements';
import { failureOf } from './unavailable';

/** How long a transaction may take, in milliseconds; statements past Prisma are refused then. */
const LONGEST_MS = 30_000;
/** Milliseconds: how long it may wait for a connection, and when Prisma rolls it back: after nothing more is asked of it. */
const TRANSACTION_LIMITS = { maxWait: 10_000, timeout: LONGEST_MS + 1_000 } as const;
/** Prisma's code for a transaction that has ended. */
const ENDED = 'P2028';
/** SQLSTATE of `in_failed_sql_transaction`. */
const IN_FAILED_TRANSACTION = '25P02';

/** A transaction while its work is done. */
interface TransactionScope {
  open: boolean;
  connection?: TransactionConnection;
}

/** What both databases have in common: everything that goes through Prisma. */
export abstract class PrismaDatabase extends Database {
  private readonly client: PrismaClient;
  /**
   * The scope that code is in, to refuse there what only a mistake would ask for. In tests alone: Node 20 and 22 follow
   * asynchronous work by calling back for every promise of the process, an eighth of what it costs to store a webhook.
   */
  private readonly followed = IN_TESTS ? new AsyncLocalStorage<TransactionScope>() : undefined;
  private closing?: Promise<void>;

  protected constructor(private readonly adapter: PoolAdapter) {
    super();
    this.client = withPrivateErrors(new PrismaClient({ adapter, errorFormat: 'minimal' }));
  }

  /** @throws Error in tests, inside a transaction: the embedded database would wait for itself */
  override get prisma(): PrismaClient {
    this.refuseInsideTransaction();
    return this.client;
  }

  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.refuseInsideTransaction();
    const scope: TransactionScope = { open: true };
    try {
      return await this.begin(scope, work);
    } catch (error) {
      const { connection } = scope;
      throw failureOf(isAborted(error) ? (connection?.failure ?? error) : error, connection?.brokenBy);
    }
  }

  override async query<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    this.refuseInsideTransaction();
    try {
      return await this.run<Row>(statement, values);
    } catch (error) {
      throw failureOf(error);
    }
  }

  /** Closes Prisma, then the driver. Closing twice is closing once. */
  override close(): Promise<void> {
    this.closing ??= this.client
      .$disconnect()
      .then(() => this.closeDriver())
      // As long as there is one, Node calls it back for every promise.
      .finally(() => this.followed?.disable());
    return this.closing;
  }

  private begin<T>(scope: TransactionScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.client.$transaction(async (tx) => {
      const connection = (scope.connection = await this.adapter.connectionOf(tx));
      enableStatements(tx, (statement, values) => runWithin(scope, connection, statement, values));
      const result = await withinScope(scope, () =>
        this.followed ? this.followed.run(scope, work, tx) : work(tx),
      );
      // PostgreSQL answers the COMMIT of a transaction in which a statement failed with a silent rollback.
      // If `work` swallowed that failure, this statement brings it to light.
      if (connection.failure !== undefined) await tx.$executeRaw`SELECT 1`;
      return result;
    }, TRANSACTION_LIMITS);
  }

  protected abstract run<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]>;

  protected abstract closeDriver(): Promise<void>;

  private refuseInsideTransaction(): void {
    if (this.followed?.getStore()?.open)
      throw new Error('inside a transaction only the transaction itself may be used');
  }
}

/**
 * Closes the scope before Prisma rolls back or commits, after which the connection would carry out whatever is still
 * asked of it, in no transaction or in another's: by one part of the work when another has failed, or by work that
 * takes too long.
 */
async function withinScope<T>(scope: TransactionScope, work: () => Promise<T>): Promise<T> {
  const expiry = setTimeout(() => (scope.open = false), LONGEST_MS);
  try {
    return await work();
  } finally {
    clearTimeout(expiry);
    scope.open = false;
  }
}

async function runWithin<Row>(
  scope: TransactionScope,
  connection: TransactionConnection,
  statement: RunStatement,
  values: readonly unknown[],
): Promise<Row[]> {
  if (!scope.open) throw Object.assign(new Error('the transaction has ended'), { code: ENDED });
  try {
    return await connection.run<Row>(statement, values);
  } catch (error) {
    throw failureOf(error);
  }
}

/** Whether a statement was refused because an earlier one of its transaction had failed. */
function isAborted(error: unknown): boolean {
  return failureCodes(error).includes(IN_FAILED_TRANSACTION);
}

/** The same client, whose errors have no values of rows; transactions of it inherit that. */
function withPrivateErrors(client: PrismaClient): PrismaClient {
  const extended = client.$extends({
    query: {
      $allOperations: async ({ args, query }) => {
        try {
          return await (query as (args: unknown) => Promise<unknown>)(args);
        } catch (error) {
          throw failureOf(error);
        }
      },
    },
  });
  // An extension of queries changes what happens and not what there is; only the types differ.
  return extended as unknown as PrismaClient;
}
