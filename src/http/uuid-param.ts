import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isUuid } from '../kernel/identifier';
import { Problem } from '../kernel/problem';

/**
 * A path parameter that is a record's UUID, in lower case. Any other text names no record, so it is 404 like
 * a UUID nobody has.
 */
export const UuidParam = createParamDecorator((name: string, context: ExecutionContext) => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
  const text = params[name] ?? '';
  if (!isUuid(text)) throw new Problem('not-found', 'There is no such record');
  return text.toLowerCase();
});
