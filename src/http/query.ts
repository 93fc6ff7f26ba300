import type { FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';

/**
 * A query parameter by its name in any letter case.
 * @throws Problem malformed-request when it is given more than once with different values
 */
export function queryValue(request: FastifyRequest, name: string): string | undefined {
  const values = new Set<string>();
  for (const [key, value] of Object.entries(request.query as Record<string, string | string[]>)) {
    if (key.toLowerCase() !== name.toLowerCase()) continue;
    for (const text of Array.isArray(value) ? value : [value]) values.add(text);
  }
  if (values.size > 1)
    throw new Problem('malformed-request', `The query parameter ${name} is given more than once`);
  return values.values().next().value;
}

/** @throws Problem malformed-request that names a parameter that is none of those, in any letter case */
export function refuseUnknown(request: FastifyRequest, known: readonly string[]): void {
  const names = Object.keys(request.query as object);
  const unknown = names.find((name) => !known.some((one) => one.toLowerCase() === name.toLowerCase()));
  if (unknown === undefined) return;
  const shown = unknown.replace(/[^\w.$-]/g, '?').slice(0, 60);
  throw new Problem('malformed-request', `${shown} is not known here; there are ${known.join(', ')}`);
}
