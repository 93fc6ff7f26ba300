import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { isUuid } from '../kernel/identifier';
import { Problem } from '../kernel/problem';
import { describedParameter } from './described-parameter';

const readUuid = createParamDecorator((name: string, context: ExecutionContext): string => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: Record<string, string> }>>();
  const text = params[name] ?? '';
  if (!isUuid(text)) throw new Problem('not-found', 'There is no such record');
  return text.toLowerCase();
});

/**
 * A path parameter that is a record's UUID, in lower case, as the API's description says. Any other text names
 * no record, so it is 404 like a UUID nobody has.
 */
export function UuidParam(name: string): ParameterDecorator {
  return describedParameter(readUuid(name), ApiParam({ name, schema: { type: 'string', format: 'uuid' } }));
}
