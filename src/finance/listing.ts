import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { page, PageRequest, type Page } from '../http/paging';
import { queryValue } from '../http/query';
import { Problem } from '../kernel/problem';
import type { ListPart } from './shapes/lists.dto';

/** Options that would change what is answered, so ignoring them would be a wrong answer. */
const NOT_BUILT = ['$filter', '$orderby'];

/** The paging of a listing. Filtering and ordering are refused until they are built. */
export const Listing = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const unserved = NOT_BUILT.find((option) => queryValue(request, option) !== undefined);
  if (unserved) throw new Problem('not-implemented', `the list option ${unserved} is not built yet`);
  return PageRequest.of(request);
});

export function pageOf<T>({ items, count }: ListPart<T>, request: PageRequest): Page<T> {
  return page(items, count, request.nextLink(count));
}
