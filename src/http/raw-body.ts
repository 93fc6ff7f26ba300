import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { BodyReception } from './body-reception';

/** How often it is asked whether the bodies have ended, in milliseconds. */
const SWEEP_MS = 1_000;
/** After so many sweeps a connection is closed whose request has been answered and goes on. */
const PATIENT_SWEEPS = 5;

/** Makes `request.body` the bytes as received, whatever the type of the content; see {@link BodyReception}. */
export function takeRawBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.decorateRequest('discardsBody', false);
  fastify.decorateRequest('bodyMost', null);
  const bodies = new BodyReception();
  fastify.addContentTypeParser('*', (request, payload, done) => bodies.receive(request, payload, done));
  endUnreadBodies(fastify);
}

/**
 * Bounds what comes after a reply that did not wait for the body. Node throws it away, for as long as it takes; closing at
 * once would reset the connection, and a sender in the middle of its body would never see the reply.
 */
function endUnreadBodies(fastify: FastifyInstance): void {
  const unread = new Map<IncomingMessage, number>();
  let sweeping: NodeJS.Timeout | undefined;
  const sweep = (): void => {
    for (const [message, sweeps] of unread) {
      if (message.complete || message.destroyed) unread.delete(message);
      else if (sweeps < PATIENT_SWEEPS) unread.set(message, sweeps + 1);
      else message.destroy();
    }
    if (unread.size > 0) return;
    clearInterval(sweeping);
    sweeping = undefined;
  };
  fastify.addHook('onResponse', ({ raw }, _reply, done) => {
    if (!raw.complete && !raw.destroyed) {
      unread.set(raw, 0);
      sweeping ??= setInterval(sweep, SWEEP_MS).unref();
    }
    done();
  });
}
