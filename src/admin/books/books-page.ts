import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { describedParameter } from '../../http/described-parameter';
import { queryValue } from '../../http/query';
import { Problem } from '../../kernel/problem';
import { limitOf, limitParameter } from '../list-query';

const MAX_LIMIT = 200;
/** Longer than any cursor. */
const MAX_CURSOR = 20_000;

/** Which part of a list of the books is asked for. */
export interface BooksPage {
  /** Items at most, from 1. */
  limit: number;
  /** What the page before has as `after`: the finance service's own cursor, in which nothing can be read. */
  after?: string;
}

const readPage = createParamDecorator((_data: unknown, context: ExecutionContext): BooksPage => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const after = queryValue(request, 'after');
  if (after !== undefined && (after === '' || after.length > MAX_CURSOR)) throw badCursor();
  return {
    limit: limitOf(queryValue(request, 'limit'), MAX_LIMIT),
    ...(after === undefined ? {} : { after }),
  };
});

const AFTER = {
  name: 'after',
  required: false,
  description: 'What the page before has as `after`, with the same filters',
  schema: { type: 'string' },
} as const;

/** `limit` and `after` of a list of the books, which the API's description tells of. */
export function BooksQuery(): ParameterDecorator {
  return describedParameter(readPage(), ApiQuery(limitParameter(MAX_LIMIT)), ApiQuery(AFTER));
}

export function badCursor(): Problem {
  return new Problem('malformed-request', 'after must be what the page before has, with the same filters');
}

/**
 * Reads a page, where `after` is the cursor of a listing of `/v1`.
 * @throws Problem malformed-request that speaks of `after` where the listing speaks of its token
 */
export async function readingAfter<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    const isToken = error instanceof Problem && error.extras.members?.['parameter'] === '$skiptoken';
    throw isToken ? badCursor() : error;
  }
}
