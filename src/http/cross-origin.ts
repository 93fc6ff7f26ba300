import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { AllowedMethods } from './allowed-methods';
import { isFinancePath } from './finance-paths';
import { isServedTo } from './listeners';

/** What a page may send beside what every page may: its key, bodies, and conditions. */
const REQUEST_HEADERS = 'Authorization, ApiToken, Content-Type, Idempotency-Key, If-None-Match';
/** What a page may read beside what every page may. */
const REPLY_HEADERS = 'Allow, ETag, Idempotency-Replayed, Retry-After, WWW-Authenticate, X-Ignored-Fields';
/** Seconds for which a browser may remember an answer to a preflight. */
const PREFLIGHT_SECONDS = '600';

/**
 * Lets pages of some origins call the finance interface, and answers their browsers' preflight requests before anything
 * else reads them. Cookies are not allowed: there are none, and a key is sent by whoever has it. Nothing else that is
 * served here is for pages of other origins.
 * @param origins as browsers write them; none: no page is let in
 * @param separatePorts operators have a port of their own
 */
export function allowOrigins(
  fastify: FastifyInstance,
  origins: ReadonlySet<string>,
  allowed: AllowedMethods,
  separatePorts: boolean,
): void {
  if (origins.size === 0) return;
  const concerns = (request: FastifyRequest): boolean =>
    isFinancePath(request.url) && (!separatePorts || isServedTo(request.raw.socket, request.url));
  fastify.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (!concerns(request) || origin === undefined || !origins.has(origin)) return done();
    void reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': REPLY_HEADERS,
    });
    if (isPreflight(request)) answerPreflight(request, reply, allowed);
    else done();
  });
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (concerns(request)) vary(reply);
    done(null, payload);
  });
}

function isPreflight({ method, headers }: FastifyRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
}

function answerPreflight(request: FastifyRequest, reply: FastifyReply, allowed: AllowedMethods): void {
  const methods = allowed.at(request.url.split('?', 1)[0] ?? '');
  void reply
    .code(204)
    .headers({
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': PREFLIGHT_SECONDS,
    })
    .send();
}

/** What is kept of a reply is not for pages of other origins, whichever asked for it. */
function vary(reply: FastifyReply): void {
  const before = reply.getHeader('vary');
  void reply.header('vary', before === undefined ? 'Origin' : `${String(before)}, Origin`);
}
