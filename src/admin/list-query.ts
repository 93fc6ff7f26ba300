import { applyDecorators, createParamDecorator, type ExecutionContext, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiQuery, getSchemaPath } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import type { ListPage } from '../kernel/list-page';
import { describedParameter } from '../http/described-parameter';
import { queryValue } from '../http/query';
import { isUuid } from '../kernel/identifier';
import { Problem } from '../kernel/problem';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

const readPage = createParamDecorator((_data: unknown, context: ExecutionContext): ListPage => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const after = queryValue(request, 'after');
  if (after !== undefined && !isUuid(after))
    throw new Problem('malformed-request', 'after must be the id of an item');
  return {
    limit: limitOf(queryValue(request, 'limit'), MAX_LIMIT),
    ...(after === undefined ? {} : { after }),
  };
});

/** @param most as many as there can be on a page */
export function limitParameter(most: number) {
  return {
    ...{
      name: 'limit',
      required: false,
      description: `Items at most; ${DEFAULT_LIMIT} unless said otherwise`,
    },
    schema: { type: 'integer', minimum: 1, maximum: most },
  } as const;
}

const AFTER = {
  name: 'after',
  required: false,
  description: 'What the page before has as `after`',
  schema: { type: 'string', format: 'uuid' },
} as const;

/** `limit` and `after` of an operators' list, which the API's description tells of. */
export function ListQuery(): ParameterDecorator {
  return describedParameter(readPage(), ApiQuery(limitParameter(MAX_LIMIT)), ApiQuery(AFTER));
}

/** @param most what a larger one is taken for @throws Problem malformed-request */
export function limitOf(text: string | undefined, most: number): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw new Problem('malformed-request', 'limit must be a whole number from 1');
  return Math.min(limit, most);
}

/** A page of an operators' list: newest first; `after` names the page that follows. */
export interface OperatorsPage<T> {
  items: T[];
  /** What to send as `after` for the next page; null on the last. */
  after: string | null;
}

/** Tells the API's description that the reply is a page of an operators' list. @param view what is listed */
export function ApiOperatorsPage(view: Type): MethodDecorator {
  const items = { type: 'array', items: { $ref: getSchemaPath(view) } };
  const after = {
    type: 'string',
    format: 'uuid',
    nullable: true,
    description: 'What to send as `after`; null on the last page',
  };
  return applyDecorators(
    ApiExtraModels(view),
    ApiOkResponse({
      description: 'A page',
      schema: { type: 'object', required: ['items', 'after'], properties: { items, after } },
    }),
  );
}

/** Where a page is full, more may follow. */
export function operatorsPage<T extends { id: string }>(items: T[], { limit }: ListPage): OperatorsPage<T> {
  return { items, after: items.length < limit ? null : (items.at(-1)?.id ?? null) };
}
