import { Logger } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

/** Headers that Ponte believes of a proxy which TRUSTED_PROXIES names. */
const FORWARDED = ['x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto'];

/**
 * Says in the log, once for each start, that a proxy seems to be in front that nobody named: all its callers share what
 * is given out by address. Anybody can send these headers, so it is no more than a hint, and names no address.
 * @param isTrusted whether `TRUSTED_PROXIES` names the address of a connection
 */
export function warnOfUntrustedProxy(
  fastify: FastifyInstance,
  isTrusted: (address: string) => boolean,
): void {
  const logger = new Logger('http');
  let logged = false;
  fastify.addHook('onRequest', ({ headers, raw: { socket } }, _reply, done) => {
    const isForwarded = !logged && FORWARDED.some((name) => headers[name] !== undefined);
    if (isForwarded && !isTrusted(socket.remoteAddress ?? '')) {
      logged = true;
      logger.warn({
        msg:
          'http: a request came with X-Forwarded-* headers from an address that TRUSTED_PROXIES does not name: they are not ' +
          'believed. If it is your proxy, name it: until then all callers behind it share the limits of one address',
      });
    }
    done();
  });
}
