import { setTimeout as wait } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { DatabaseUnavailable } from '../kernel/database-unavailable';
import { DatabaseStartError, reasonOf } from './start-error';
import { failureOf } from './unavailable';

/** How long a migration is tried again that work keeps from its locks, and with what pauses; all in milliseconds. */
export interface MigrationPatience {
  /** Counted from its first attempt. */
  readonly longest: number;
  /** The shortest pause between two attempts; each is up to four times as long, by chance. */
  readonly pause: number;
}

export const MIGRATION_PATIENCE: MigrationPatience = { longest: 300_000, pause: 500 };

/** The statements of a migration failed; its transaction was rolled back. */
export class FailedMigration extends Error {
  override readonly name = 'FailedMigration';

  constructor(
    readonly migration: string,
    override readonly cause: unknown,
  ) {
    super(`migration ${migration} failed and was rolled back: ${reasonOf(cause)}`);
  }
}

const logger = new Logger('migrations');

/**
 * Tries a migration again while other sessions are in its way: a lock that is not granted, a deadlock, a connection
 * that breaks. Between two attempts, which roll back, work gets on.
 * @param attempt one transaction, whole or without a trace
 * @throws DatabaseStartError when it fails otherwise, or for longer than `longest`
 */
export async function retryMigration<T>(
  attempt: () => Promise<T>,
  { longest, pause }: MigrationPatience,
): Promise<T> {
  const until = performance.now() + longest;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const left = until - performance.now();
      if (!isPassing(error) || left <= 0) throw startErrorOf(error);
      const pauseMs = Math.round(pause * (1 + 3 * Math.random()));
      logger.warn({
        msg:
          `${subjectOf(error)} is tried again in ${pauseMs} ms, for ${Math.ceil(left / 1000)} s at most; ` +
          'should it not succeed, end long transactions on the database or stop the version before',
        reason: reasonOf(error instanceof FailedMigration ? error.cause : error),
      });
      await wait(pauseMs);
    }
  }
}

function isPassing(error: unknown): boolean {
  return !(error instanceof DatabaseStartError) && failureOf(error) instanceof DatabaseUnavailable;
}

function subjectOf(error: unknown): string {
  return error instanceof FailedMigration ? `migration ${error.migration}` : 'migrating the database';
}

/** One line for whoever starts Ponte; what nobody expected keeps its trace. */
function startErrorOf(error: unknown): unknown {
  if (error instanceof FailedMigration) return new DatabaseStartError(error.message);
  if (isPassing(error)) return new DatabaseStartError(`the database cannot be migrated: ${reasonOf(error)}`);
  return error;
}
