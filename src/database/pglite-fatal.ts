import type { PGlite } from '@electric-sql/pglite';
import { reasonOf } from './start-error';

/** SQLSTATEs of a full disk and of a file that cannot be read or written. */
const STORAGE_CODES = /^(53100|58030)$/;
/** What PostgreSQL reports under codes that other errors have as well: EROFS, EDQUOT. No values of rows come with them. */
const OTHER_CODES = /^(42501|XX000)$/;
const STORAGE_WORDS = /(read-only file system|quota exceeded)$/i;
/** The status with which PGlite leaves a statement that failed; everything else is thrown by an engine that has ended. */
const STATEMENT_FAILED = 100;

/** The letter of a message about an error, and those of two fields in it. */
const ERROR = 'E'.charCodeAt(0);
const CODE = 'C';
const MESSAGE = 'M';
/** Bytes of a message's length, which counts itself and not the letter before it. */
const LENGTH_BYTES = 4;

/** The part of PGlite's engine that statements run in. */
interface Engine {
  _PostgresMainLoopOnce(): void;
}

/**
 * Ends what depends on the embedded engine when PostgreSQL has ended itself (PANIC). It must end at once, where the failure
 * is seen: PGlite calls an engine that has ended again and again without a pause, and neither a timer nor a message would
 * be served any more. What was committed is in the write-ahead log, from which the next start recovers, as after a kill.
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

/**
 * What the engine reports of files that it cannot read or write, as on a full disk.
 * @param answers whole messages of PostgreSQL's protocol
 * @returns PostgreSQL's own sentence; undefined: nothing of the kind
 */
export function storageFailureIn(answers: Uint8Array): string | undefined {
  const bytes = Buffer.from(answers.buffer, answers.byteOffset, answers.byteLength);
  for (let at = 0; at < bytes.length;) {
    const length = bytes.readInt32BE(at + 1);
    const next = at + 1 + length;
    if (bytes[at] === ERROR) {
      const fields = fieldsOf(bytes.subarray(at + 1 + LENGTH_BYTES, next));
      if (isOfStorage(fields)) return reasonOf({ message: fields.get(MESSAGE) });
    }
    at = next;
  }
  return undefined;
}

/** Each is a letter and a text that ends with a zero. */
function fieldsOf(error: Buffer): Map<string, string> {
  const texts = error.toString('utf8').split('\0');
  return new Map(texts.filter((text) => text !== '').map((text) => [text.charAt(0), text.slice(1)]));
}

function isOfStorage(fields: ReadonlyMap<string, string>): boolean {
  const code = fields.get(CODE) ?? '';
  return (
    STORAGE_CODES.test(code) || (OTHER_CODES.test(code) && STORAGE_WORDS.test(fields.get(MESSAGE) ?? ''))
  );
}
