import { Problem } from '../../kernel/problem';
import type { EntityPlace } from './completeness.repository';

/** Names where a list of entities ended. */
export function writeCursor({ madeAt, key }: EntityPlace): string {
  return Buffer.from(JSON.stringify([madeAt.toISOString(), key])).toString('base64url');
}

/** @throws Problem malformed-request when it is none */
export function readCursor(text: string): EntityPlace {
  const [at, key] = partsOf(text);
  const madeAt = new Date(typeof at === 'string' ? at : NaN);
  if (typeof key !== 'string' || Number.isNaN(madeAt.getTime()))
    throw new Problem('malformed-request', 'after must be what the page before has as after');
  return { madeAt, key };
}

function partsOf(text: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
