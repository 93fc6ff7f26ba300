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
