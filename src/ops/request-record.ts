import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Settings } from '../config/settings';
import { Metrics, type Histogram } from '../kernel/metrics';

/** Seconds. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Asked every few seconds by machines; a line for each would hide the others. */
const PROBES = /^\/(health\/|metrics$)/;
/**
 * Webhooks come by the thousand, each leaves its delivery, and those that are put off are counted: a line for each
 * would cost more than storing it. Those that are refused for good have their line.
 */
const WEBHOOKS = '/hooks/:organization/:source';
const PUT_OFF = 503;
/** Levels of the log at which routine requests are logged. */
const DETAILED: ReadonlySet<string> = new Set(['debug', 'trace']);
/** The client went away before there was an answer; the status nginx made customary. */
const GONE = 499;

/**
 * One log line and one measurement for each request. Requests are named by their route's pattern: the
 * address itself may contain an `apitoken`, and anybody can make up addresses without end.
 */
@Injectable()
export class RequestRecord implements OnModuleInit {
  private readonly logger = new Logger('request');
  private readonly seconds: Histogram;
  private readonly logsRoutine: boolean;

  constructor(
    private readonly host: HttpAdapterHost,
    metrics: Metrics,
    { logLevel }: Settings,
  ) {
    this.logsRoutine = DETAILED.has(logLevel);
    this.seconds = metrics.histogram(
      'ponte_http_request_duration_seconds',
      'Time to answer HTTP requests, by method, route pattern and status',
      ['method', 'route', 'status'],
      BUCKETS,
    );
  }

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    const gone = new WeakSet<FastifyRequest>();
    fastify.addHook('onRequestAbort', (request, done) => {
      gone.add(request);
      this.record(request, undefined, GONE);
      done();
    });
    fastify.addHook('onResponse', (request, reply, done) => {
      if (!gone.has(request)) this.record(request, reply, reply.statusCode);
      done();
    });
  }

  private record(request: FastifyRequest, reply: FastifyReply | undefined, status: number): void {
    const route = request.routeOptions.url ?? 'none';
    const milliseconds = reply?.elapsedTime;
    const { method } = request;
    if (milliseconds !== undefined)
      this.seconds.observe({ method, route, status: String(status) }, milliseconds / 1000);
    const routine = isRoutine(route, status);
    if (routine && !this.logsRoutine) return;
    const line = {
      msg: 'request',
      requestId: request.id,
      method,
      route,
      status,
      ...(milliseconds !== undefined && { ms: Math.round(milliseconds * 10) / 10 }),
    };
    if (routine) this.logger.debug(line);
    else if (status >= 500) this.logger.warn(line);
    else this.logger.log(line);
  }
}

/** Whether a request is one of so many alike that only whoever searches for a fault wants its line. */
function isRoutine(route: string, status: number): boolean {
  if (route === WEBHOOKS) return status < 400 || status === PUT_OFF;
  return status < 500 && PROBES.test(route);
}
