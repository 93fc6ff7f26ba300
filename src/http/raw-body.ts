import type { FastifyInstance } from 'fastify';
import { BodyReception } from './body-reception';
import { endUnreadBodies } from './unread-bodies';

/** Makes `request.body` the bytes as received, whatever the type of the content; see {@link BodyReception}. */
export function takeRawBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  fastify.decorateRequest('discardsBody', false);
  fastify.decorateRequest('bodyMost', null);
  const bodies = new BodyReception();
  fastify.addContentTypeParser('*', (request, payload, done) => bodies.receive(request, payload, done));
  endUnreadBodies(fastify);
}
