import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { type BlockList, isIP, isIPv4, type Socket } from 'node:net';
import type { DynamicModule, LoggerService, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../config/settings';
import { Problem } from '../kernel/problem';
import { AllowedMethods } from './allowed-methods';
import { BODY_LIMIT } from './body-reception';
import { allowOrigins } from './cross-origin';
import { refuseEarly } from './early-refusal';
import { servedAddress } from './finance-paths';
import { PROBLEM_JSON, problemDocument, sendProblem } from './problem-document';
import { ProblemFilter } from './problem.filter';
import { usePublicUrl } from './public-address';
import { takeRawBodies } from './raw-body';
import { replyJson } from './reply-json';
import { revalidateReplies } from './revalidation';
import { SECURITY_HEADERS, setSecurityHeaders } from './security-headers';
import { warnOfUntrustedProxy } from './untrusted-proxy';

/** Longest a client may take to send a request, in milliseconds. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longest it may take until its headers have come, also on a connection on which nothing was sent yet. */
const HEADERS_TIMEOUT_MS = 10_000;
/** How often connections are asked whether these limits are past, in milliseconds. */
const CONNECTIONS_CHECK_MS = 2_000;
/** Longest an idle connection stays open, in milliseconds; above what load balancers usually keep (60 s). */
const KEEP_ALIVE_MS = 65_000;
const MAX_PARAM_LENGTH = 300;

export interface AppOptions {
  /** Where Nest's log lines go; false keeps it silent. */
  logger?: LoggerService | false;
  /** Absent: no proxy is trusted, links name the host that each request names, and there is one port. */
  settings?: Partial<Pick<Settings, 'financePathPrefix' | 'financeCorsOrigins'>> &
    Pick<Settings, 'publicUrl' | 'trustedProxies' | 'adminListener'>;
}

/**
 * Builds the application as production and tests both run it: Nest on Fastify, every body as raw bytes
 * (`request.body` is a Buffer, or undefined), every error a problem document.
 */
export async function createApp(
  module: Type | DynamicModule,
  options: AppOptions = {},
): Promise<NestFastifyApplication> {
  const { settings = {} } = options;
  const trustProxy = trustOf(settings.trustedProxies);
  const adapter = new FastifyAdapter({
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_MS,
    forceCloseConnections: false,
    return503OnClosing: false,
    trustProxy,
    http: { headersTimeout: HEADERS_TIMEOUT_MS, connectionsCheckingInterval: CONNECTIONS_CHECK_MS },
    logger: false,
    requestIdHeader: false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
    rewriteUrl: servedAddress(settings.financePathPrefix),
    frameworkErrors: sendUnroutable,
    clientErrorHandler: answerBrokenRequest,
    // No middleware is used, and its plugin costs every request something.
    skipMiddie: true,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  const fastify = adapter.getInstance<FastifyInstance>();
  const allowed = new AllowedMethods(fastify);
  warnOfUntrustedProxy(fastify, trustProxy || (() => false));
  const separatePorts = settings.adminListener !== undefined;
  allowOrigins(fastify, settings.financeCorsOrigins ?? new Set(), allowed, separatePorts);
  refuseEarly(fastify, separatePorts);
  takeRawBodies(fastify);
  fastify.decorateRequest('caller', null);
  fastify.decorateRequest('keyCheck', null);
  usePublicUrl(fastify, settings.publicUrl);
  fastify.setReplySerializer((payload) => replyJson(payload));
  revalidateReplies(fastify);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    abortOnError: false,
    logger: options.logger ?? false,
  });
  app.useGlobalFilters(new ProblemFilter(allowed));
  return app;
}

/** Whether an address is that of a proxy whose `X-Forwarded-*` headers are believed. */
function trustOf(proxies: BlockList | undefined): ((address: string) => boolean) | false {
  return proxies
    ? (address) => isIP(address) !== 0 && proxies.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
    : false;
}

/** No route has a JSON schema: what would compile them, Fastify loads only when no other is set. */
function noSchemas(): never {
  throw new Error('routes have no JSON schemas');
}

/** The router gave up before anything else could see the request: a path that cannot be decoded. */
function sendUnroutable(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  setSecurityHeaders(reply, undefined);
  sendProblem(reply, request, new Problem('malformed-request', 'The address cannot be read'));
}

/** The bytes on the connection are no HTTP request, or came too slowly; there is no request to reply to. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  if (socket.writable) {
    const [status, phrase] = BROKEN.get(error.code ?? '') ?? [400, 'Bad Request'];
    const problem = new Problem('malformed-request', 'The bytes received are not a complete HTTP request');
    const body = JSON.stringify({ ...problemDocument(problem, randomUUID()), status });
    socket.write(
      `HTTP/1.1 ${status} ${phrase}\r\nContent-Type: ${PROBLEM_JSON}\r\nConnection: close\r\n${SECURITY_LINES}` +
        `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
  }
  socket.destroy(error);
}

const SECURITY_LINES = Object.entries(SECURITY_HEADERS)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('');

const BROKEN: ReadonlyMap<string, readonly [number, string]> = new Map([
  ['HPE_HEADER_OVERFLOW', [431, 'Request Header Fields Too Large']],
  ['ERR_HTTP_REQUEST_TIMEOUT', [408, 'Request Timeout']],
]);
