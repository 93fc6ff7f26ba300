import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isOperatorsConnection } from './listeners';

const PUBLIC_URL = 'publicUrl';
/** A name or address with an optional port. */
const HOST = /^[\w.-]+(?::\d{1,5})?$|^\[[\da-f:.]+\](?::\d{1,5})?$/i;

/** Makes every link of this server begin with the address; without one, each with the request's own host. */
export function usePublicUrl(server: FastifyInstance, publicUrl: string | undefined): void {
  server.decorate(PUBLIC_URL, publicUrl);
}

/**
 * The request's whole address as the client wrote it, below a prefix too: below `PUBLIC_URL` where it is set, else by its `Host`, or what a trusted proxy says
 * (`X-Forwarded-Host`, `X-Forwarded-Proto`). Without a sound host it is relative, and so is one at the operators' own
 * port: what links lead to is elsewhere.
 */
export function addressOf(request: FastifyRequest): string {
  return `${rootOf(request)}${request.originalUrl}`;
}

/** What the addresses of this server begin with, for links in a reply (`string`); see {@link addressOf}. */
export const PublicRoot = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  rootOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

function rootOf(request: FastifyRequest): string {
  const { server, host, protocol } = request;
  const publicUrl = server.getDecorator<string | undefined>(PUBLIC_URL);
  if (publicUrl !== undefined) return publicUrl;
  if (!HOST.test(host) || isOperatorsConnection(request.raw.socket)) return '';
  return `${protocol.toLowerCase() === 'https' ? 'https' : 'http'}://${host}`;
}
