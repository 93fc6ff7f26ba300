import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { MAX_TOP, page, PageRequest, type Page } from '../../../http/paging';
import type { ListPart } from '../shapes/lists.dto';

/** The list options of a request. */
export const Listing = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  PageRequest.of(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** The list options of a request for a plain array. */
export const ArrayListing = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  PageRequest.of(context.switchToHttp().getRequest<FastifyRequest>(), MAX_TOP),
);

export function pageOf<T>({ items, count, next }: ListPart<T>, request: PageRequest): Page<T> {
  return page(items, count, next === undefined ? null : request.nextLink(next));
}
