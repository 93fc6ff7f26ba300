import { createHash } from 'node:crypto';
import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { tap, type Observable } from 'rxjs';
import { callerOf } from '../../../http/caller';
import { Problem } from '../../../kernel/problem';
import { within, type KeyedRequest } from './keyed-request';

const KEY = /^[\x21-\x7e]{1,255}$/;

/**
 * Runs a request with an `Idempotency-Key` in a scope that `IdempotentTransaction` sees, and marks its reply when it is the
 * first one's again. Without the header nothing changes.
 */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const header = request.headers['idempotency-key'];
    if (header === undefined) return next.handle();
    const keyed = keyedRequestOf(request, [header].flat().join());
    return within(keyed, () => next.handle()).pipe(
      tap(() => {
        if (keyed.state === 'fresh')
          throw new Error('an operation that takes a key wrote without IdempotentTransaction.transaction');
        if (keyed.state === 'replayed')
          void http.getResponse<FastifyReply>().header('idempotency-replayed', 'true');
      }),
    );
  }
}

function keyedRequestOf(request: FastifyRequest, key: string): KeyedRequest {
  if (!KEY.test(key))
    throw new Problem('malformed-request', 'Idempotency-Key must be 1 to 255 visible ASCII characters');
  const { organization } = callerOf(request);
  if (!organization) throw new Error('a key belongs to an organization, and this route works for none');
  return { organizationId: organization.id, key, digest: digestOf(request), state: 'fresh' };
}

/** Whose request it is says the key's organization; how the client names itself may change between tries. */
function digestOf({ method, url, headers, body }: FastifyRequest): Buffer {
  const [path] = url.split('?', 1);
  return createHash('sha256')
    .update(`${JSON.stringify([method, path, headers['content-type'] ?? ''])}\n`)
    .update(Buffer.isBuffer(body) ? body : '')
    .digest();
}
