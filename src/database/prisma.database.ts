import { AsyncLocalStorage } from 'node:async_hooks';
import type { SqlDriverAdapterFactory } from '@prisma/client/runtime/client';
import { PrismaClient } from './client/client';
import { Database, type HotStatement } from './database';
import type { Transaction } from './transaction';
import {
  enableStatements,
  type RunStatement,
  type StatementRunner,
  withConnection,
} from './transaction-statements';
import { failureCodes } from './failure-codes';
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
  /** What the first of its statements that failed failed with; of those after it PostgreSQL only says that one did. */
  failure?: unknown;
  run?: StatementRunner;
  /** What its connection broke by. */
  brokenBy?: () => Error | undefined;
}

/** What both databases have in common: everything that goes through Prisma. */
export abstract class PrismaDatabase extends Database {
  private readonly client: PrismaClient;
  private readonly transactionScope = new AsyncLocalStorage<TransactionScope>();
  private closing?: Promise<void>;

  protected constructor(adapter: SqlDriverAdapterFactory) {
    super();
    const plain = new PrismaClient({ adapter, errorFormat: 'minimal' });
    this.client = withPrivateErrors(plain, (error) => {
      const scope = this.transactionScope.getStore();
      if (scope) scope.failure ??= error;
    });
  }

  /** @throws Error inside a transaction, where the embedded database would wait for itself */
  override get prisma(): PrismaClient {
    this.refuseInsideTransaction();
    return this.client;
  }

  override async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    this.refuseInsideTransaction();
    const scope: TransactionScope = { open: true };
    try {
      return await withConnection(
        (run, brokenBy) => Object.assign(scope, { run, brokenBy }),
        () => this.begin(scope, work),
      );
    } catch (error) {
      throw failureOf(isAborted(error) ? (scope.failure ?? error) : error, scope.brokenBy?.());
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
    this.closing ??= this.client.$disconnect().then(() => this.closeDriver());
    return this.closing;
  }

  private begin<T>(scope: TransactionScope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.client.$transaction(async (tx) => {
      enableStatements(tx, (statement, values) => this.runWithin(scope, statement, values));
      const result = await this.withinScope(scope, () => work(tx));
      // PostgreSQL answers the COMMIT of a transaction in which a statement failed with a silent rollback.
      // If `work` swallowed that failure, this statement brings it to light.
      if (scope.failure !== undefined) await tx.$executeRaw`SELECT 1`;
      return result;
    }, TRANSACTION_LIMITS);
  }

  /**
   * Closes the scope before Prisma rolls back or commits, after which the connection would carry out whatever is still
   * asked of it, in no transaction or in another's: by one part of the work when another has failed, or by work that
   * takes too long.
   */
  private async withinScope<T>(scope: TransactionScope, work: () => Promise<T>): Promise<T> {
    const expiry = setTimeout(() => (scope.open = false), LONGEST_MS);
    try {
      return await this.transactionScope.run(scope, work);
    } finally {
      clearTimeout(expiry);
      scope.open = false;
    }
  }

  private async runWithin<Row>(
    scope: TransactionScope,
    statement: RunStatement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    if (!scope.open || !scope.run)
      throw Object.assign(new Error('the transaction has ended'), { code: ENDED });
    try {
      return await scope.run<Row>(statement, values);
    } catch (error) {
      scope.failure ??= error;
      throw failureOf(error);
    }
  }

  protected abstract run<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]>;

  protected abstract closeDriver(): Promise<void>;

  private refuseInsideTransaction(): void {
    if (this.transactionScope.getStore()?.open)
      throw new Error('inside a transaction only the transaction itself may be used');
  }
}

/** Whether a statement was refused because an earlier one of its transaction had failed. */
function isAborted(error: unknown): boolean {
  return failureCodes(error).includes(IN_FAILED_TRANSACTION);
}

/**
 * The same client, whose errors have no values of rows; transactions of it inherit that.
 * @param onFailure called with what a statement failed with
 */
function withPrivateErrors(client: PrismaClient, onFailure: (error: unknown) => void): PrismaClient {
  const extended = client.$extends({
    query: {
      $allOperations: async ({ args, query }) => {
        try {
          return await (query as (args: unknown) => Promise<unknown>)(args);
        } catch (error) {
          onFailure(error);
          throw failureOf(error);
        }
      },
    },
  });
  // An extension of queries changes what happens and not what there is; only the types differ.
  return extended as unknown as PrismaClient;
}
