import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Problem } from '../kernel/problem';
import { acceptsJson } from './accept';

/**
 * Sees to it that API replies have a form the client takes: refuses before anything is done when it takes
 * none, and sends a bare text result as a JSON string instead of as plain text.
 */
@Injectable()
export class JsonReplyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    if (!acceptsJson(http.getRequest<FastifyRequest>().headers.accept))
      throw new Problem('not-acceptable', 'Replies come as application/json');
    return next.handle().pipe(
      map((result: unknown) => {
        if (typeof result !== 'string') return result;
        void http.getResponse<FastifyReply>().type('application/json; charset=utf-8');
        return JSON.stringify(result);
      }),
    );
  }
}
