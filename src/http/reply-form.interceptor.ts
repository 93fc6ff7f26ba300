import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { map, type Observable } from 'rxjs';
import { Problem } from '../kernel/problem';
import { negotiate } from './accept';
import { ownFormOf, replyForm, xmlRootOf } from './reply-form';
import { writeXml } from './xml/write-xml';

/**
 * Sees to it that API replies have a form the client takes: refuses before anything is done when it takes
 * none, writes XML on routes that have it, and sends a bare text result as a JSON string instead of as plain
 * text.
 */
@Injectable()
export class ReplyFormInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const own = ownFormOf(context);
    if (own !== undefined) return this.inOwnForm(http.getRequest<FastifyRequest>(), own, next);
    const reply = http.getResponse<FastifyReply>();
    const root = xmlRootOf(context);
    const withXml = root !== undefined;
    if (withXml) void reply.header('vary', 'Accept');
    const form = replyForm(http.getRequest<FastifyRequest>().headers.accept, withXml);
    if (!form)
      throw new Problem(
        'not-acceptable',
        `Replies come as application/json${withXml ? ', application/xml or text/xml' : ''}`,
      );
    return next.handle().pipe(
      map((result: unknown) => {
        const inXml = form !== 'application/json' && typeof root === 'string';
        if (result === undefined || (typeof result !== 'string' && !inXml)) return result;
        void reply.type(`${form}; charset=utf-8`);
        return inXml ? writeXml(root, result) : JSON.stringify(result);
      }),
    );
  }

  /** The route writes its reply itself. */
  private inOwnForm({ headers }: FastifyRequest, form: string, next: CallHandler): Observable<unknown> {
    if (!negotiate(headers.accept, [form])) throw new Problem('not-acceptable', `Replies come as ${form}`);
    return next.handle();
  }
}
