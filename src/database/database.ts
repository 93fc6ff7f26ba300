import type { PrismaClient } from './client/client';
import type { AnswerDelays } from './open-connections';
import type { Transaction } from './transaction';

/** A set-based statement of the hot path, run on the driver underneath Prisma and prepared under its name. */
export interface HotStatement {
  /** At most 63 characters; never the same for two texts. */
  name: string;
  text: string;
  /** Milliseconds to wait for a connection and for the answer, where the usual is too long; what it did is unknown then. */
  answerWithinMs?: number;
}

/** Channels on which processes notify each other through the database; each notice is a hint to poll, without content. */
export type Channel = 'ponte_delivery_stored';

/** The files of the embedded database as one moment had them. */
export interface FilesCopy {
  /** The folder that has them; it is in DATA_DIR. */
  readonly folder: string;
  readonly at: Date;
  /** Milliseconds for which the database did nothing else. */
  readonly tookMs: number;
  /** Removes the folder. */
  remove(): Promise<void>;
}

/**
 * The only access to the database. Whatever is asked of it fails with `DatabaseUnavailable` (kernel) when the
 * database cannot be reached or the connection breaks.
 */
export abstract class Database {
  /** Whether transactions run side by side; on the embedded database they run one after another. */
  abstract readonly parallel: boolean;

  /** For reading and for single writes. @throws Error inside {@link transaction} */
  abstract readonly prisma: PrismaClient;

  /**
   * Runs `work` in one transaction (read committed), committed when it resolves and rolled back when it
   * throws. At most 30 s. A statement that failed fails the whole, even if `work` caught its error. Errors have
   * no values of rows.
   */
  abstract transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /**
   * A hot statement on the driver itself, in a transaction of its own. `bigint` columns come back as bigint,
   * `bytea` as Buffer, `timestamptz` as Date, `date` as `YYYY-MM-DD`, on both databases alike (all of it in
   * column-types.ts). Send a date as text too: a Date would be read in the zone of the process.
   * @throws Error inside {@link transaction}
   */
  abstract query<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]>;

  /**
   * What {@link query} does, over a connection that nothing else takes, where there are several: its answer says whether the
   * database answers, and does not wait until another statement has its own.
   */
  probe<Row>(statement: HotStatement, values: readonly unknown[]): Promise<Row[]> {
    return this.query<Row>(statement, values);
  }

  /**
   * Notifies every process over this database that {@link listen}s to the channel, at once and perhaps in vain: a process
   * that is not connected just now gets no notice. The embedded database has no other processes.
   * @throws Error inside {@link transaction}
   */
  abstract notify(channel: Channel): Promise<void>;

  /**
   * Until {@link close}. Notices missed while the connection was broken are replaced by one call when it is open again.
   * @param heard called when another process, or this one, {@link notify}s; it must not throw
   */
  abstract listen(channel: Channel, heard: () => void): void;

  /** How long statements wait for their answers. Nothing gets lost between the embedded database and its process. */
  delays(): AnswerDelays {
    return { pendingMs: 0, recentMs: 0, abandoned: 0 };
  }

  /**
   * What the PostgreSQL server lacked for a statement within the last minute, such as space, for operators; undefined: nothing.
   * The embedded database ends its process then.
   */
  shortage(): string | undefined {
    return undefined;
  }

  /**
   * Copies the files of the embedded database as they are at one moment; statements wait meanwhile. {@link FilesCopy.remove}
   * has to follow.
   * @returns undefined for a database that has tools of its own for this, and for one in memory
   * @throws CopyError where another copy is there, or the disk has no room for it
   */
  copyFiles(): Promise<FilesCopy | undefined> {
    return Promise.resolve(undefined);
  }

  abstract close(): Promise<void>;
}
