import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const PUBLIC_URL = 'publicUrl';
/** A name or address with an optional port. */
const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i;

/** Makes every link of this server begin with the address; without one, each with the request's own host. */
export function usePublicUrl(server: FastifyInstance, publicUrl: string | undefined): void {
  server.decorate(PUBLIC_URL, publicUrl);
}

/**
 * The request's whole address: below `PUBLIC_URL` where it is set, else by `Host` and `X-Forwarded-Proto`. Without
 * a sound `Host` it is relative.
 */
export function addressOf(request: FastifyRequest): string {
  return `${rootOf(request)}${request.url}`;
}

/** What the addresses of this server begin with, for links in a reply (`string`); see {@link addressOf}. */
export const PublicRoot = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  rootOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

function rootOf({ server, headers }: FastifyRequest): string {
  const publicUrl = server.getDecorator<string | undefined>(PUBLIC_URL);
  if (publicUrl !== undefined) return publicUrl;
  const { host, 'x-forwarded-proto': forwarded } = headers;
  if (host === undefined || !HOST.test(host)) return '';
  const scheme =
    String(forwarded ?? '')
      .trim()
      .toLowerCase() === 'https'
      ? 'https'
      : 'http';
  return `${scheme}://${host}`;
}
