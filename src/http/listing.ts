import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { isUuid } from '../kernel/identifier';
import { Problem } from '../kernel/problem';
import { queryValue } from './query';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 500;

/** A list of the operators' API: newest first. */
export interface Listing<T> {
  items: T[];
  /** What to send as `after` for the items that follow; null when there are no more. */
  after: string | null;
}

/** `limit` and `after` of an operators' list. */
export class ListRequest {
  constructor(
    /** Most items to return: 1 to 500. */
    readonly limit: number,
    /** Only items older than the one with this UUID. */
    readonly after?: string,
  ) {}

  /** @throws Problem malformed-request */
  static of(request: FastifyRequest): ListRequest {
    const limit = queryValue(request, 'limit') ?? String(DEFAULT_LIMIT);
    if (!/^[1-9]\d{0,8}$/.test(limit))
      throw new Problem('malformed-request', 'limit must be a whole number from 1');
    const after = queryValue(request, 'after');
    if (after !== undefined && !isUuid(after))
      throw new Problem('malformed-request', 'after must be what the list before it gave');
    return new ListRequest(Math.min(Number(limit), MAX_LIMIT), after);
  }

  /**
   * How many to read: one more than asked for, which tells whether more follow.
   */
  get take(): number {
    return this.limit + 1;
  }

  /** @param found up to {@link take} items, newest first */
  listing<T extends { id: string }>(found: readonly T[]): Listing<T> {
    const items = found.slice(0, this.limit);
    return { items, after: found.length > items.length ? (items.at(-1)?.id ?? null) : null };
  }
}

/** The operators' list's {@link ListRequest}. */
export const ListQuery = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  ListRequest.of(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Names the list parameters in the API's description. */
export function ApiListing(): MethodDecorator {
  return applyDecorators(
    ApiQuery({
      name: 'limit',
      required: false,
      schema: { type: 'integer', minimum: 1, default: DEFAULT_LIMIT },
    }),
    ApiQuery({ name: 'after', required: false, schema: { type: 'string', format: 'uuid' } }),
  );
}
