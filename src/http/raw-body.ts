import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';

/** Largest body taken, in bytes. */
export const BODY_LIMIT = 1024 * 1024;
/** What may be held of bodies that are still being received, in bytes, by all connections together. */
export const RECEIVING_LIMIT = 48 * 1024 * 1024;

type Done = (error: Error | null, body?: Buffer) => void;

/** Makes `request.body` the bytes as received, whatever the type of the content. */
export function takeRawBodies(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  const bodies = new BodiesBeingReceived();
  fastify.addContentTypeParser('*', (request, payload, done) => bodies.receive(request, payload, done));
}

/**
 * Reads bodies as they come. Fastify's own reading bounds each body but not all of them together: with many slow or
 * large senders at once that is all the memory there is.
 */
class BodiesBeingReceived {
  private held = 0;

  receive(request: FastifyRequest, payload: IncomingMessage, done: Done): void {
    if (Number(request.headers['content-length']) > BODY_LIMIT) return done(tooLarge());
    const chunks: Buffer[] = [];
    let length = 0;
    const end = (error: Error | null, body?: Buffer): void => {
      payload.off('data', take).off('end', finish).off('error', end);
      this.held -= length;
      done(error, body);
    };
    const take = (chunk: Buffer): void => {
      chunks.push(chunk);
      length += chunk.length;
      this.held += chunk.length;
      if (length > BODY_LIMIT) end(tooLarge());
      else if (this.held > RECEIVING_LIMIT) end(tooMany());
    };
    const finish = (): void => {
      const [only] = chunks;
      end(null, chunks.length === 1 ? only : Buffer.concat(chunks, length));
    };
    payload.on('data', take).on('end', finish).on('error', end);
  }
}

function tooLarge(): Problem {
  return new Problem('body-too-large', 'The body is larger than 1 MiB');
}

function tooMany(): Problem {
  return new Problem('saturated', 'Too many bodies are being received', { retryAfterSeconds: 1 });
}
