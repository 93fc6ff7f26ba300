import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { SLUG } from '../../config/configuration';
import { Problem } from '../../kernel/problem';

/** The source's slug in a path (`string`). What is none names no source, and is no text for a database either. */
export const SlugParam = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { slug?: string } }>>();
  const { slug = '' } = params;
  if (!SLUG.test(slug)) throw new Problem('not-found', 'There is no such source');
  return slug;
});
