import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { SLUG } from '../../config/configuration';
import { describedParameter } from '../../http/described-parameter';
import { Problem } from '../../kernel/problem';

const readSlug = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const { params } = context.switchToHttp().getRequest<FastifyRequest<{ Params: { slug?: string } }>>();
  const { slug = '' } = params;
  if (!SLUG.test(slug)) throw new Problem('not-found', 'There is no such source');
  return slug;
});

/** The source's slug in a path (`string`). What is none names no source, and is no text for a database either. */
export function SlugParam(): ParameterDecorator {
  const description = "The source's slug";
  return describedParameter(readSlug(), ApiParam({ name: 'slug', description, schema: { type: 'string' } }));
}
