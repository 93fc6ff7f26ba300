import { DatabaseUnavailable } from '../kernel/database-unavailable';
import { Problem } from '../kernel/problem';
import { causesOf, failureCodes } from './failure-codes';
import { withoutValues } from './private-errors';

/** SQLSTATEs of class 08 and of a server that stops or has no room, Prisma's codes, system errors, kinds of Prisma's adapters. */
const UNREACHABLE =
  /^(08...|57P0[123]|53300|P1001|P1002|P1008|P1017|P2024|P2037|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections)$/;

/** The pool's and Prisma's own words, which come without a code. */
const BROKEN_OFF =
  /connection (was )?(terminated|closed)|server closed the connection|timeout exceeded when trying to connect|unable to start a transaction in the given time/i;

/**
 * What a failure of the database leaves this room as: without the values of rows, and as
 * {@link DatabaseUnavailable} where the connection failed and not the statement. A refusal by whoever works in a
 * transaction is theirs, and stays as it is.
 */
export function failureOf(error: unknown): unknown {
  if (error instanceof Problem || error instanceof DatabaseUnavailable) return error;
  withoutValues(error);
  return isUnreachable(error) ? new DatabaseUnavailable(error) : error;
}

function isUnreachable(error: unknown): boolean {
  return (
    failureCodes(error).some((code) => UNREACHABLE.test(code)) ||
    causesOf(error).some(({ message }: { message?: unknown }) =>
      typeof message === 'string' ? BROKEN_OFF.test(message) : false,
    )
  );
}
