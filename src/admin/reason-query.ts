import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { describedParameter } from '../http/described-parameter';
import { queryValue } from '../http/query';
import { Problem } from '../kernel/problem';
import { composed, hasUnprintable } from '../kernel/text';

const MAX_REASON = 500;

const readReason = createParamDecorator((_data: unknown, context: ExecutionContext): string | undefined => {
  const given = queryValue(context.switchToHttp().getRequest<FastifyRequest>(), 'reason')?.trim();
  if (!given) return undefined;
  const reason = composed(given, MAX_REASON);
  if (reason === undefined)
    throw new Problem('malformed-request', `reason has more than ${MAX_REASON} characters`);
  if (hasUnprintable(reason)) throw new Problem('malformed-request', 'reason holds control characters');
  return reason;
});

/** Why an operator does it, `?reason=` in the address, where the body is something else; undefined when not given. */
export function ReasonQuery(): ParameterDecorator {
  const description = 'Stands in the audit log';
  return describedParameter(
    readReason(),
    ApiQuery({ name: 'reason', required: false, type: String, description }),
  );
}
