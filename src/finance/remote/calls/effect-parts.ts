import type { StoredCall } from './call-states';

/* The calls of one effect, its parts: which of them stand, and which may be planned anew. Pure. */

/** Whether what was decided of an effect's calls is to be kept. */
export function stands(calls: readonly StoredCall[]): boolean {
  const parts = calls.filter(isPart);
  const untouched = parts.every((call) => isReplaceable(call) || call.abandonedFrom === 'planned');
  return parts.length > 0 && !(untouched && parts.some(({ state }) => state === 'rejected'));
}

/** A later decision may have fewer parts: the surplus ones are left out. */
export function isPart({ abandonedFrom }: StoredCall): boolean {
  return abandonedFrom !== 'rejected';
}

/** Whether a call surely is not in effect, and nobody has given it up. */
export function isReplaceable({ state }: StoredCall): boolean {
  return state === 'planned' || state === 'rejected';
}

export function sameCalls(left: readonly StoredCall[], right: readonly StoredCall[]): boolean {
  return left.length === right.length && without(left, right).length === 0;
}

export function without(calls: readonly StoredCall[], others: readonly StoredCall[]): StoredCall[] {
  return calls.filter(({ id }) => !others.some((other) => other.id === id));
}

/** Numbers of parts that no call has, upwards from 1. */
export function* freeParts(calls: readonly StoredCall[]): Generator<number, never> {
  for (let part = 1; ; part++) if (!calls.some((call) => call.part === part)) yield part;
}
