import type { PrismaClient } from './client/client';
import type { Transaction } from './transaction';

/** A set-based statement of the hot path, run on the driver underneath Prisma and prepared under its name. */
export interface HotStatement {
  name: string;
  text: string;
}

/** The one door to the database. */
export abstract class Database {
  /** For reading and for single writes. Never inside {@link transaction}. */
  abstract readonly prisma: PrismaClient;

  /**
   * Runs `work` in one transaction (read committed), committed when it resolves and rolled back when it
   * throws. At most 30 s.
   */
  abstract transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /**
   * A hot statement on the driver itself, in a transaction of its own. `bigint` columns come back as bigint,
   * `bytea` as Buffer, `timestamptz` as Date, on both databases alike.
   */
  abstract query<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]>;

  abstract close(): Promise<void>;
}
