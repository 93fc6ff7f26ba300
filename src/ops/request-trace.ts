import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Span } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Settings } from '../config/settings';
import { beginSpan, within } from '../kernel/tracing';

/** What machines ask every few seconds is not traced. */
const PROBES = /^\/(health\/|metrics$)/;
const SERVER_ERROR = 500;

/**
 * A span for each request, named by its route's pattern: addresses may contain keys. A trace begins here: whoever
 * sends a webhook does not decide what is traced.
 */
@Injectable()
export class RequestTrace implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly settings: Settings,
  ) {}

  /** Where no spans are sent none are begun: three hooks would cost each request something for nothing. */
  onModuleInit(): void {
    if (this.settings.otlpEndpoint === undefined) return;
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const spans = new WeakMap<FastifyRequest, Span>();
    fastify.addHook('onRequest', (request, _reply, done) => {
      const route = request.routeOptions.url ?? 'none';
      if (!PROBES.test(route)) {
        const attributes = { 'http.request.method': request.method, 'http.route': route };
        spans.set(request, beginSpan(`${request.method} ${route}`, { kind: 'server', attributes }));
      }
      done();
    });
    // Not earlier: a body is read in between, and the context would be lost with it.
    fastify.addHook('preHandler', (request, _reply, done) => {
      const span = spans.get(request);
      if (span) within(span, done);
      else done();
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      const span = spans.get(request);
      span?.setAttribute('http.response.status_code', reply.statusCode);
      if (reply.statusCode >= SERVER_ERROR) span?.setStatus({ code: 2 });
      span?.end();
      done();
    });
    fastify.addHook('onRequestAbort', (request, done) => {
      spans.get(request)?.end();
      done();
    });
  }
}
