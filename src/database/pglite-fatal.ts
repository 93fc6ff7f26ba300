import type { PGlite } from '@electric-sql/pglite';
import { reasonOf } from './start-error';

/** SQLSTATEs of a full disk and of a file that cannot be read or written. */
const STORAGE_CODES = /^(53100|58030)$/;
/** What PostgreSQL reports under codes that other errors have as well: EROFS, EDQUOT. No values of rows come with them. */
const OTHER_CODES = /^(42501|XX000)$/;
const STORAGE_WORDS = /(read-only file system|quota exceeded)$/i;
/** The status with which PGlite leaves a statement that failed; everything else is thrown by an engine that has ended. */
const STATEMENT_FAILED = 100;

/** The part of PGlite's engine that statements run in. */
interface Engine {
  _PostgresMainLoopOnce(): void;
}

interface ServerError {
  code?: unknown;
  message?: unknown;
}

/**
 * Ends the process when the embedded database cannot go on: its disk is full or cannot be written, or PostgreSQL has
 * ended itself (PANIC). It must end at once, where the failure is seen: PGlite calls an engine that has ended again and
 * again without a pause, and neither a timer nor a signal would be served any more. What was committed is in the
 * write-ahead log, from which the next start recovers, as after a kill.
 * @param lastWords what the engine itself said last, see {@link LastWords}
 */
export function endOnFatalError(pglite: PGlite, lastWords: LastWords, end: (reason: string) => never): void {
  const engine = pglite.Module as unknown as Engine;
  const runOnce = engine._PostgresMainLoopOnce.bind(engine);
  engine._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      if ((error as { status?: unknown }).status === STATEMENT_FAILED) throw error;
      end(lastWords.reason ?? reasonOf(error));
    }
  };
  const execute = pglite.execProtocolStream.bind(pglite);
  pglite.execProtocolStream = async (message, options) => {
    try {
      return await execute(message, options);
    } catch (error) {
      if (isOfStorage(error as ServerError)) end(reasonOf(error));
      throw error;
    }
  };
}

/** The last line in which PostgreSQL said why it ends: what it throws then says nothing. */
export class LastWords {
  private line?: string;

  /** Takes a line of its standard error. */
  read(line: string): void {
    this.line = /\b(?:FATAL|PANIC):\s+(.*)/.exec(line)?.[1] ?? this.line;
  }

  get reason(): string | undefined {
    return this.line;
  }
}

function isOfStorage({ code, message }: ServerError): boolean {
  const text = String(code);
  return STORAGE_CODES.test(text) || (OTHER_CODES.test(text) && STORAGE_WORDS.test(String(message)));
}
