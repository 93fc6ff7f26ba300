import { DatabaseUnavailable } from '../kernel/database-unavailable';
import { Problem } from '../kernel/problem';
import { READ_ONLY } from './database-servers';
import { causesOf, failureCodes } from './failure-codes';
import { withoutValues } from './private-errors';
import { shortageOf } from './server-shortage';

/**
 * What says that the database, a connection, a lock or time was wanting, and nothing about what was asked. SQLSTATEs:
 * class 08, a server that stops, starts, has no connection, no space or no storage or that only reads (a standby), a session
 * or a statement that it ended, a lock that another keeps, a deadlock. Prisma's codes and its adapters' kinds; errors of the system and of Node's sockets.
 */
const AWAY: ReadonlySet<string> = new Set([
  ...['57P01', '57P02', '57P03', '57P05', '53300', '57014', '25P03', '25P04', '55P03', '40001', '40P01'],
  ...['53100', '53200', '53400', '58030', '25006'],
  ...['P1001', 'P1002', 'P1008', 'P1017', 'P2024', 'P2028', 'P2034', 'P2037'],
  ...['DatabaseNotReachable', 'ConnectionClosed', 'SocketTimeout', 'TooManyConnections'],
  ...['TransactionWriteConflict'],
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENETRESET'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END', 'ERR_SOCKET_CLOSED'],
]);
const CONNECTION_EXCEPTION = /^08...$/;

/** The words of the driver, of its pool and of Prisma that come without a code. */
const BROKEN_OFF = new RegExp(
  [
    'connection (was )?(terminated|closed)',
    'server closed the connection',
    'not queryable',
    'received unexpected \\w+ message from backend',
    'there was an error establishing an ssl connection',
    'timeout expired',
    'query read timeout',
    'timeout exceeded when trying to connect',
    'cannot use a pool after calling end',
    'unable to start a transaction in the given time',
  ].join('|'),
  'i',
);

/**
 * What a failure of the database leaves this module as: without the values of rows, and as
 * {@link DatabaseUnavailable} where {@link isAway}. A refusal by whoever works in a
 * transaction is theirs, and stays as it is.
 * @param brokenBy what the connection broke by: whatever else failed on it then failed for that
 */
export function failureOf(error: unknown, brokenBy?: Error): unknown {
  if (error instanceof Problem) return error;
  if (brokenBy) return new DatabaseUnavailable(withoutValues(brokenBy));
  if (error instanceof DatabaseUnavailable) return error;
  withoutValues(error);
  return isAway(error) ? new DatabaseUnavailable(error, shortageIn(error)) : error;
}

function shortageIn(error: unknown): string | undefined {
  return failureCodes(error)
    .map(shortageOf)
    .find((shortage) => shortage !== undefined);
}

/** Whether the connection failed, or a lock or time was wanting, and nothing is wrong with the statement. */
export function isAway(error: unknown): boolean {
  return (
    error instanceof DatabaseUnavailable ||
    failureCodes(error).some((code) => AWAY.has(code) || CONNECTION_EXCEPTION.test(code)) ||
    causesOf(error).some(({ message }: { message?: unknown }) =>
      typeof message === 'string' ? BROKEN_OFF.test(message) : false,
    )
  );
}

/** Whether the database refused because it only reads: a standby, or one that was told to. */
export function isReadOnly(error: unknown): boolean {
  return failureCodes(error).includes(READ_ONLY);
}
