import type { IncomingMessage } from 'node:http';
import { NotFoundException } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';
import { isServedTo } from './listeners';
import { setSecurityHeaders } from './security-headers';

/**
 * What is asked of every request first: nothing of its body has been read. Refuses two `Host` headers, paths that
 * nobody serves, and those that another port serves.
 * @param separatePorts operators have a port of their own
 */
export function refuseEarly(fastify: FastifyInstance, separatePorts: boolean): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    setSecurityHeaders(reply, request.routeOptions.url);
    const refusal = refusalOf(request, separatePorts);
    if (refusal) done(refusal);
    else done();
  });
}

function refusalOf(request: FastifyRequest, separatePorts: boolean): Error | undefined {
  if (hostsOf(request.raw) > 1)
    return new Problem('malformed-request', 'The request has more than one Host header');
  if (separatePorts && !isServedTo(request.raw.socket, request.routeOptions.url ?? request.url))
    return new Problem('not-found', 'There is nothing at this path');
  return request.is404 ? new NotFoundException() : undefined;
}

/** Of several, Node keeps the first one in `headers`; a proxy before it may have gone by another. */
function hostsOf({ rawHeaders }: IncomingMessage): number {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts;
}
