import type { FastifyReply } from 'fastify';

const NOTHING = "default-src 'none'; frame-ancestors 'none'";
/** Swagger UI loads its scripts and images from here, and styles elements in place; no script is inline. */
const DOCS =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What every reply says to a browser that was led to it. */
export const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': NOTHING,
} as const;

/** The operators' page: its own scripts, styles and images, and requests to where it came from. Nothing is inline. */
const CONSOLE =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const CONSOLE_PAGES = /^\/console(?:\/|$)/;
const DOCS_PAGES = /^\/docs(?:\/|$)/;
const NOT_TO_BE_STORED = /^\/(?:admin|metrics|health)(?:\/|$)/;

/** @param route the pattern of the route; absent: there is none */
export function setSecurityHeaders(reply: FastifyReply, route: string | undefined): void {
  reply.headers(SECURITY_HEADERS);
  if (route === undefined) return;
  if (CONSOLE_PAGES.test(route)) reply.header('content-security-policy', CONSOLE);
  else if (DOCS_PAGES.test(route)) reply.header('content-security-policy', DOCS);
  // Keys are shown in replies of the operators' API, once.
  else if (NOT_TO_BE_STORED.test(route)) reply.header('cache-control', 'no-store');
}
