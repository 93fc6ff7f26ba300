import type { FastifyReply } from 'fastify';

/** Aborted when the connection is gone: nobody waits for the reply any more. */
export function closedSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}
