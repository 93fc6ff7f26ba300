import type { FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';
import { queryValue } from './query';

/** The query parameter that a key may come in, in lower case; any letter case is taken. */
export const KEY_PARAMETER = 'apitoken';

/** Where a key came in decides nothing; two different ones are an ambiguity nobody should have to resolve. */
export function credentialOf(request: FastifyRequest): string | undefined {
  const given = [queryValue(request, KEY_PARAMETER), ...inHeaders(request)];
  const keys = new Set(given.map((key) => key?.trim()).filter((key) => key));
  if (keys.size > 1) throw new Problem('malformed-request', 'The request carries two different API keys');
  return keys.values().next().value;
}

/** Whether a key came in a header: a link or form of another site can put one into the address, and none into a header. */
export function sendsKeyInHeader(request: FastifyRequest): boolean {
  return inHeaders(request).some((key) => key?.trim());
}

function inHeaders({ headers: { apitoken, authorization } }: FastifyRequest): (string | undefined)[] {
  return [[apitoken].flat()[0], /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]];
}

/** Says how to send a key. */
export function keyMissing(): Problem {
  return new Problem(
    'key-missing',
    'Send the key as Authorization: Bearer, as the header ApiToken or as the query parameter apitoken',
  );
}
