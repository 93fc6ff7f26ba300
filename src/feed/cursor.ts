import { createHash } from 'node:crypto';
import { Problem } from '../kernel/problem';

/** How far somebody has read: up to a change of a batch, and including it. */
export interface Cursor {
  /** The batch's position; 0: nothing has been read. */
  readonly position: bigint;
  /** The change's number in the batch. */
  readonly number: number;
  /** Of organization and batch: see {@link checkOf}. */
  readonly check: string;
}

const VERSION = 1;
const CHECK_BYTES = 8;
const BYTES = 1 + 8 + 4 + CHECK_BYTES;

/** Longest text that is read. */
export const MAX_CURSOR = 64;

/**
 * Ties a position to the organization and to the very batch that stood there when the cursor was given. A
 * cursor of another organization does not fit, and neither does one of changes that a database restored from
 * an older dump no longer has, whose positions it will give to others.
 * @param batchKey the batch's; absent: the beginning
 */
export function checkOf(organizationId: string, batchKey?: string): string {
  const hash = createHash('sha256').update(`${organizationId}/${batchKey ?? 'beginning'}`);
  return hash.digest().subarray(0, CHECK_BYTES).toString('hex');
}

/** Before the first change. */
export function beginningOf(organizationId: string): Cursor {
  return { position: 0n, number: 0, check: checkOf(organizationId) };
}

export function writeCursor({ position, number, check }: Cursor): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUInt8(VERSION, 0);
  bytes.writeBigUInt64BE(position, 1);
  bytes.writeUInt32BE(number, 9);
  bytes.write(check, 13, 'hex');
  return bytes.toString('base64url');
}

/** @returns undefined when the text is no cursor at all */
export function readCursor(text: string): Cursor | undefined {
  const bytes = text.length > MAX_CURSOR ? Buffer.alloc(0) : Buffer.from(text, 'base64url');
  if (bytes.length !== BYTES || bytes.toString('base64url') !== text) return undefined;
  if (bytes.readUInt8(0) !== VERSION) return undefined;
  const position = bytes.readBigUInt64BE(1);
  if (position > 2n ** 63n - 1n) return undefined;
  return { position, number: bytes.readUInt32BE(9), check: bytes.toString('hex', 13) };
}

/** A batch that is no longer kept, after which the feed goes on. */
export interface RemovedPlace {
  readonly position: bigint;
  readonly key: string;
  readonly changes: number;
  /** When it was removed. */
  readonly removedAt: Date;
}

/** After the last change that is no longer kept. */
export function endOf(organizationId: string, { position, key, changes }: RemovedPlace): Cursor {
  return { position, number: changes, check: checkOf(organizationId, key) };
}

/** The refusal of a cursor behind which changes were removed that it has not been read to. */
export function expiredCursor({ removedAt }: RemovedPlace): Problem {
  return new Problem(
    'cursor-expired',
    `Changes that follow this cursor are no longer kept: the last of them was removed on ${removedAt.toISOString().slice(0, 10)}. ` +
      'Read the records that you keep from /v1 once, then go on with GET /feed without a cursor, which begins with the oldest ' +
      'change that is kept; changes keep their ids',
  );
}

/** The refusal of a cursor that was not given for this organization's feed as it stands. */
export function unknownCursor(): Problem {
  return new Problem(
    'cursor-unknown',
    "The cursor fits no change of this organization's feed: it is another's, or the feed was restored from an " +
      'older copy. Read again from the cursor that GET /feed/cursors/{name} gives, from another earlier one, or from ' +
      'the beginning; changes keep their ids',
  );
}
