import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';
import { describedParameter } from './described-parameter';
import { mediaTypeOf } from './media-type';

/** JSON, one document a line. */
const NDJSON = 'application/x-ndjson';

const readLines = createParamDecorator((_data: unknown, context: ExecutionContext): Buffer => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (bytes.length > 0 && mediaTypeOf(request.headers['content-type']) !== NDJSON)
    throw new Problem('media-type-unsupported', `Send ${NDJSON} in UTF-8`);
  return bytes;
});

/** The request's body of JSON lines, to the byte; empty where there are none. Problems: `media-type-unsupported`. */
export function LinesBody(description: string): ParameterDecorator {
  const body = ApiBody({ schema: { type: 'string' }, description, required: true });
  return describedParameter(readLines(), ApiConsumes(NDJSON), body);
}
