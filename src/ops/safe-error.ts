import { types } from 'node:util';

/** As much of an error as may stand in a log. */
export interface SafeError {
  type: string;
  /** Absent where the library that made it is known to quote data. */
  message?: string;
  /** The library's own code: SQLSTATE, Prisma code, errno name. */
  code?: string;
  /** Where it was thrown, without the message. */
  stack?: string;
  cause?: SafeError;
}

const MAX_CAUSES = 4;
const KEY = /\bponte_[\w-]+/g;
const TOKEN = /\b(apitoken(?:=|["':\s]+)|bearer\s+|(?:postgres|postgresql):\/\/)[^\s&"',]+/gi;

/** Most text is harmless, which is found out at a fraction of the cost. */
const SUSPICIOUS = /ponte_|apitoken|bearer|postgres/i;

/** Text with what looks like a credential taken out: API keys, tokens in addresses, connection strings. */
export function withoutCredentials(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  return text.replace(KEY, 'ponte_[removed]').replace(TOKEN, '$1[removed]');
}

/**
 * Own properties of errors stay out, since libraries keep requests, rows and parameters there; so do the
 * messages of those that quote what they were given: database drivers (values of a violated key) and the
 * JSON parser (a piece of the body).
 */
export function safeError(error: unknown, depth = 0): SafeError {
  if (!isError(error)) return { type: typeof error };
  const { code } = error as { code?: unknown };
  const stack = error.stack?.split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.name,
    ...(!quotesData(error) && { message: withoutCredentials(error.message) }),
    ...((typeof code === 'string' || typeof code === 'number') && { code: String(code) }),
    ...(stack && stack.length > 0 && { stack: stack.join('\n') }),
    ...(error.cause !== undefined && depth < MAX_CAUSES && { cause: safeError(error.cause, depth + 1) }),
  };
}

/** Also of an error that another realm made, such as a worker or a sandbox. */
export function isError(value: unknown): value is Error {
  return value instanceof Error || types.isNativeError(value);
}

function quotesData(error: Error): boolean {
  return (
    error.name.startsWith('PrismaClient') ||
    error.name === 'DriverAdapterError' ||
    error.name === 'SyntaxError' ||
    'severity' in error
  );
}
