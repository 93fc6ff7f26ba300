import { createHash } from 'node:crypto';
import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** What a client may keep, but must ask about each time: keys are checked with every request. */
const CACHE_CONTROL = 'private, no-cache';

/** Entity tags in a list, without the mark of weak ones: a reading client may compare them weakly. */
const TAGS = /(?:^|,)\s*(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")(?=\s*(?:,|$))/g;

/** A route that reads and carries this in its configuration says whether a reply is still what a client has. */
const REVALIDATED = { revalidated: true } as const;

/** The `ETag` of replies, for the API's description. */
export const ETAG_HEADER = {
  ETag: { description: "Identifies this reply's bytes", schema: { type: 'string' } },
} as const;

/** The replies of a route that reads carry an `ETag`, and are 304 to whoever names it in `If-None-Match`. */
export function Revalidated(): MethodDecorator {
  return applyDecorators(
    RouteConfig(REVALIDATED),
    ApiHeader({
      name: 'If-None-Match',
      required: false,
      description: '`ETag` of a reply that the client has, or several with commas between',
    }),
    ApiResponse({ status: 304, description: 'The reply that the client has stands', headers: ETAG_HEADER }),
  );
}

/** Adds the tags to the replies of all routes that are {@link Revalidated}, as they leave. */
export function revalidateReplies(fastify: FastifyInstance): void {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const { revalidated } = request.routeOptions.config as Partial<typeof REVALIDATED>;
    const sent = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : undefined;
    if (!revalidated || reply.statusCode !== 200 || sent === undefined) return done(null, payload);
    done(null, tagged(request, reply, sent));
  });
}

/** @returns what is sent: nothing where the client has it */
function tagged(request: FastifyRequest, reply: FastifyReply, payload: string | Buffer): unknown {
  const tag = tagOf(String(reply.getHeader('content-type')), payload);
  void reply.header('etag', tag).header('cache-control', CACHE_CONTROL);
  if (!isNamed(tag, request.headers['if-none-match'])) return payload;
  void reply.code(304).removeHeader('content-type');
  // A HEAD keeps its length: it is that of the reply which is not sent.
  return request.method === 'HEAD' ? payload : null;
}

/** Strong: other bytes, or another form, have another tag. */
function tagOf(form: string, payload: string | Buffer): string {
  return `"${createHash('sha256').update(`${form}\n`).update(payload).digest('base64url')}"`;
}

/** RFC 9110, section 13.1.2. */
function isNamed(tag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return [...header.matchAll(TAGS)].some(([, named]) => named === tag);
}
