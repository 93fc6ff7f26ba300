import { applyDecorators } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';
import { KEY_PARAMETER } from './credential';
import { MAX_CHARACTERS } from './filter/lexer';
import { addressOf } from './public-address';
import { queryValue } from './query';

/** Records on a page where nothing is said. */
const DEFAULT_TOP = 100;
/** Most records of one reply; of a plain array, which cannot say that more follow, where nothing is said too. */
export const MAX_TOP = 500;
const MAX_SKIP = 2_147_483_647;

/** The wrapper of every paged listing. */
export interface Page<T> {
  items: T[];
  /** The address of the page after this one; null on the last. */
  nextPageLink: string | null;
  /** How many records match, before paging. */
  count: number;
}

/** The list options of a request: names in any letter case, `$filter` and `$orderby` not read yet. */
export class PageRequest {
  private constructor(
    /** Most records to return: 0 to 500. */
    readonly top: number,
    /** Records to pass over first. */
    readonly skip: number,
    /** Taken for the sake of clients that send it; `count` is always there. */
    readonly count: boolean,
    readonly filter: string | undefined,
    readonly orderBy: string | undefined,
    readonly skipToken: string | undefined,
    /** Of the request, absolute where the request says how it reached Ponte. */
    private readonly address: string,
  ) {}

  /**
   * @param defaultTop where the request has no `$top`
   * @throws Problem malformed-request naming the parameter that cannot be read
   */
  static of(request: FastifyRequest, defaultTop = DEFAULT_TOP): PageRequest {
    return new PageRequest(
      Math.min(wholeNumber(request, '$top') ?? defaultTop, MAX_TOP),
      wholeNumber(request, '$skip') ?? 0,
      flag(request, '$count') ?? true,
      queryValue(request, '$filter'),
      queryValue(request, '$orderby'),
      queryValue(request, '$skiptoken'),
      addressOf(request),
    );
  }

  /**
   * The address of the page after this one: the request's own, with a `$skiptoken` in place of its `$skip`.
   * Everything else that the client put in the query is kept, except its API key: links are stored and passed on.
   * @param token where this page ended
   */
  nextLink(token: string): string {
    const [path = '', ...search] = this.address.split('?');
    const dropped = ['$skip', '$skiptoken', KEY_PARAMETER];
    // A query may contain question marks of its own.
    const kept = search
      .join('?')
      .split('&')
      .filter((part) => part !== '' && !dropped.includes(nameOf(part)));
    return `${path}?${[...kept, `$skiptoken=${token}`].join('&')}`;
  }
}

export function ApiPaging(defaultTop = DEFAULT_TOP): MethodDecorator {
  return applyDecorators(
    ApiQuery({
      name: '$top',
      required: false,
      schema: { type: 'integer', minimum: 0, default: defaultTop },
    }),
    ApiQuery({ name: '$skip', required: false, schema: { type: 'integer', minimum: 0, default: 0 } }),
    ApiFilter(),
    ApiQuery({ name: '$orderby', required: false, schema: { type: 'string', maxLength: MAX_CHARACTERS } }),
    ApiQuery({ name: '$skiptoken', required: false, schema: { type: 'string' } }),
    ApiQuery({ name: '$count', required: false, schema: { type: 'boolean' } }),
  );
}

export function ApiFilter(): MethodDecorator {
  return ApiQuery({
    name: '$filter',
    required: false,
    schema: { type: 'string', maxLength: MAX_CHARACTERS },
  });
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
