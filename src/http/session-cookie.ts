import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';
import { isCsrfTokenOf } from '../organizations/operator-sessions';

const NAME = 'ponte_session';
/** The header in which the console proves that a request is its own. */
export const CSRF_HEADER = 'x-csrf-token';
const CHANGES_NOTHING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The session that a browser sends; undefined: it sends none. */
export function sessionTokenOf({ headers }: FastifyRequest): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === NAME && value) return value;
  }
  return undefined;
}

/** No script reads it, and no page of another site makes a browser send it. Over HTTPS it is sent over nothing else. */
export function setSessionCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
  expiresAt: Date,
): void {
  void reply.header(
    'set-cookie',
    `${NAME}=${token}; Expires=${expiresAt.toUTCString()}${attributesFor(request)}`,
  );
}

export function removeSessionCookie(request: FastifyRequest, reply: FastifyReply): void {
  void reply.header('set-cookie', `${NAME}=; Max-Age=0${attributesFor(request)}`);
}

function attributesFor({ protocol }: FastifyRequest): string {
  return `; Path=/admin; HttpOnly; SameSite=Strict${protocol === 'https' ? '; Secure' : ''}`;
}

/**
 * Whoever has only the cookie may read. What changes something, a browser could be led to by another site.
 * @throws Problem cross-site
 */
export function requireOwnPage({ method, headers }: FastifyRequest, sessionToken: string): void {
  const site = headers['sec-fetch-site'];
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  const given = headers[CSRF_HEADER];
  const isProven = typeof given === 'string' && isCsrfTokenOf(sessionToken, given);
  if (isForeign || (!CHANGES_NOTHING.has(method) && !isProven))
    throw new Problem(
      'cross-site',
      `A session changes something only with the token of its page in the header ${CSRF_HEADER}`,
    );
}
