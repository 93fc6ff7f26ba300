import { createHash } from 'node:crypto';
import { unreadableOption } from './filter/list-option-problem';

/** Where a page ended, for the next one to go on from there. */
export interface SkipToken {
  /** The last row's order keys, as text. */
  readonly keys: readonly string[];
  /** What the list was when the walk began: see {@link listDigest}. */
  readonly digest: string;
  /** How many records matched when the walk began, so that no later page counts again. */
  readonly count: number;
}

const LONGEST = 20_000;

/** What a token is good for: one list with one filter and one order. */
export function listDigest(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);
}

export function writeSkipToken({ keys, digest, count }: SkipToken): string {
  return Buffer.from(JSON.stringify([digest, count, ...keys])).toString('base64url');
}

/**
 * Reads a `$skiptoken`. Whoever makes one up sees no more than a filter would show: it only says where to go on.
 * @throws Problem malformed-request when it is none, or belongs to another list, filter or order
 */
export function readSkipToken(text: string, digest: string): SkipToken {
  const [found, count, ...keys] = partsOf(text);
  if (typeof found !== 'string' || !Number.isSafeInteger(count) || Number(count) < 0)
    throw badSkipToken('this is no token of a nextPageLink');
  if (found !== digest) throw badSkipToken('the token belongs to another list, $filter or $orderby');
  return { digest, count: Number(count), keys: keys.map(keyOf) };
}

export function badSkipToken(reason: string): Error {
  return unreadableOption('$skiptoken', 1, reason);
}

function partsOf(text: string): unknown[] {
  if (text.length > LONGEST) throw badSkipToken('this is no token of a nextPageLink');
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? (value as unknown[]) : [];
  } catch {
    return [];
  }
}

function keyOf(key: unknown): string {
  if (typeof key !== 'string' || key.includes('\0')) throw badSkipToken('this is no token of a nextPageLink');
  return key;
}
