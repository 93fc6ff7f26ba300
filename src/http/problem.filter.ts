import { Catch, HttpException, Logger, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../kernel/database-unavailable';
import { Problem, type ProblemCode } from '../kernel/problem';
import type { AllowedMethods } from './allowed-methods';
import { sendProblem } from './problem-document';

/** What Fastify and Nest refuse by themselves, by status. Their own words stay inside. */
const BY_STATUS: ReadonlyMap<number, readonly [ProblemCode, string]> = new Map([
  [400, ['malformed-request', 'The request is not well-formed']],
  [404, ['not-found', 'There is nothing at this path']],
  [405, ['method-not-allowed', 'This method is not served at this path']],
  [406, ['not-acceptable', 'None of the accepted forms can be served']],
  [413, ['body-too-large', 'The body is larger than 1 MiB']],
  [414, ['malformed-request', 'The address is too long']],
  [415, ['media-type-unsupported', 'The Content-Type header names no media type']],
]);

/** A server that restarts takes a few seconds. */
const UNAVAILABLE_RETRY_SECONDS = 5;
const UNAVAILABLE_DETAIL =
  'The database cannot be reached; a request that was to write may or may not have taken effect';

/** Renders whatever goes wrong as an RFC 9457 problem document; the only place that does. */
@Catch()
export class ProblemFilter implements ExceptionFilter {
  private readonly logger = new Logger('http');

  constructor(private readonly allowed: AllowedMethods) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent || reply.raw.headersSent) return;
    if (request.is404 && !(error instanceof Problem)) this.sendNoRoute(request, reply);
    else sendProblem(reply, request, this.problemOf(error, request));
  }

  private sendNoRoute(request: FastifyRequest, reply: FastifyReply): void {
    const methods = this.allowed.at(request.url.split('?', 1)[0] ?? '');
    if (methods.length === 0 || methods.includes(request.method))
      return sendProblem(reply, request, new Problem('not-found', 'There is nothing at this path'));
    const list = methods.join(', ');
    void reply.header('allow', list);
    sendProblem(reply, request, new Problem('method-not-allowed', `This path takes ${list}`));
  }

  private problemOf(error: unknown, request: FastifyRequest): Problem {
    if (error instanceof Problem) return error;
    const status = statusOf(error, request);
    if (status !== undefined && status < 500) {
      const [code, detail] = BY_STATUS.get(status) ?? ['malformed-request', 'The request is not acceptable'];
      return new Problem(code, detail);
    }
    const isUnavailable = error instanceof DatabaseUnavailable;
    // The error itself, for the log's own serializer to say as much of it as is safe.
    this.logger.error({
      msg: isUnavailable
        ? 'http: the database is unavailable; the caller is answered 503 with Retry-After'
        : 'http: unexpected failure; the caller is answered 500 with this requestId',
      requestId: request.id,
      err: error,
    });
    return isUnavailable
      ? new Problem('unavailable', UNAVAILABLE_DETAIL, { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS })
      : new Problem('internal-error', 'The failure is logged under the identifier in "instance"');
  }
}

function statusOf(error: unknown, request: FastifyRequest): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  // The client went away in the middle of its body: nobody reads the answer, and nothing is broken here.
  return request.raw.destroyed && !request.raw.complete ? 400 : undefined;
}
