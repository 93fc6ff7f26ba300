import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';
import { queryValue } from './query';

const DEFAULT_TOP = 100;
const MAX_TOP = 500;
const MAX_SKIP = 2_147_483_647;

/** The wrapper of every paged listing. */
export interface Page<T> {
  items: T[];
  /** A relative reference to the page after this one; null on the last. */
  nextPageLink: string | null;
  /** How many records match, before paging. */
  count: number;
}

/** `$top`, `$skip` and `$count` of a listing, names in any letter case. */
export class PageRequest {
  constructor(
    /** Most records to return: 0 to 500. */
    readonly top: number,
    /** Records to pass over first. */
    readonly skip: number,
    /** Taken for the sake of clients that send it; `count` is always there. */
    readonly count: boolean,
    private readonly url: string,
  ) {}

  /** @throws Problem malformed-request naming the parameter that cannot be read */
  static of(request: FastifyRequest): PageRequest {
    return new PageRequest(
      Math.min(wholeNumber(request, '$top') ?? DEFAULT_TOP, MAX_TOP),
      wholeNumber(request, '$skip') ?? 0,
      flag(request, '$count') ?? true,
      request.url,
    );
  }

  /**
   * The address of the page after this one: the request's own path and query with another `$skip`. It is
   * relative, so that it holds behind any proxy, and carries whatever the client itself put in the query.
   * @param count how many records match
   */
  nextLink(count: number): string | null {
    const skip = this.skip + this.top;
    if (this.top === 0 || skip >= count) return null;
    const [path = '', search = ''] = this.url.split('?', 2);
    const kept = search.split('&').filter((part) => part !== '' && nameOf(part) !== '$skip');
    return `${path}?${[...kept, `$skip=${skip}`].join('&')}`;
  }
}

/** Names the paging parameters in the API's description. */
export function ApiPaging(): MethodDecorator {
  return applyDecorators(
    ApiQuery({
      name: '$top',
      required: false,
      schema: { type: 'integer', minimum: 0, default: DEFAULT_TOP },
    }),
    ApiQuery({ name: '$skip', required: false, schema: { type: 'integer', minimum: 0, default: 0 } }),
    ApiQuery({ name: '$count', required: false, schema: { type: 'boolean' } }),
  );
}

export function page<T>(items: T[], count: number, nextLink: string | null): Page<T> {
  return { items, nextPageLink: nextLink, count };
}

function wholeNumber(request: FastifyRequest, name: string): number | undefined {
  const text = queryValue(request, name);
  if (text === undefined) return undefined;
  const value = /^\d{1,10}$/.test(text.trim()) ? Number(text) : NaN;
  if (!(value <= MAX_SKIP))
    throw new Problem('malformed-request', `${name} must be a whole number from 0 to ${MAX_SKIP}`);
  return value;
}

function flag(request: FastifyRequest, name: string): boolean | undefined {
  const text = queryValue(request, name)?.trim().toLowerCase();
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false')
    throw new Problem('malformed-request', `${name} must be true or false`);
  return text === 'true';
}

function nameOf(part: string): string {
  const name = part.split('=', 1)[0] ?? '';
  try {
    return decodeURIComponent(name.replaceAll('+', ' ')).toLowerCase();
  } catch {
    return name.toLowerCase();
  }
}
