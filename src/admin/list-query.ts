import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { ListPage } from '../deliveries/deliveries.repository';
import { queryValue } from '../http/query';
import { isUuid } from '../kernel/identifier';
import { Problem } from '../kernel/problem';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** `limit` and `after` of an operators' list. */
export const ListQuery = createParamDecorator((_data: unknown, context: ExecutionContext): ListPage => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const after = queryValue(request, 'after');
  if (after !== undefined && !isUuid(after))
    throw new Problem('malformed-request', 'after must be the id of an item');
  return { limit: limitOf(queryValue(request, 'limit')), ...(after === undefined ? {} : { after }) };
});

function limitOf(text: string | undefined): number {
  if (text === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1) throw new Problem('malformed-request', 'limit must be a whole number from 1');
  return Math.min(limit, MAX_LIMIT);
}

/** A page of an operators' list: newest first; `after` names the page that follows. */
export interface OperatorsPage<T> {
  items: T[];
  /** What to send as `after` for the next page; null on the last. */
  after: string | null;
}

/** Where a page is full, more may follow. */
export function operatorsPage<T extends { id: string }>(items: T[], { limit }: ListPage): OperatorsPage<T> {
  return { items, after: items.length < limit ? null : (items.at(-1)?.id ?? null) };
}
