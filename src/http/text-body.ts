import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';
import { describedParameter } from './described-parameter';
import { mediaTypeOf } from './media-type';

const readText = createParamDecorator((mediaTypes: readonly string[], context: ExecutionContext): string => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  if (bytes.length === 0) throw new Problem('malformed-request', 'The body is empty');
  if (!mediaTypes.includes(mediaTypeOf(request.headers['content-type']) ?? ''))
    throw new Problem('media-type-unsupported', `Send ${mediaTypes.join(', ')} in UTF-8`);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Problem('malformed-request', 'The body is not valid UTF-8');
  }
});

/**
 * The request's body as it was written, in UTF-8, without a byte order mark.
 * Problems: `media-type-unsupported`, `malformed-request`.
 * @param mediaTypes those taken, the first one being the usual one
 */
export function TextBody(mediaTypes: readonly string[], description: string): ParameterDecorator {
  const schema = { oneOf: [{ type: 'string' }, { type: 'object' }] };
  const body = ApiBody({ schema, description, required: true });
  return describedParameter(readText(mediaTypes), ApiConsumes(...mediaTypes), body);
}
