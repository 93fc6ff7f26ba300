import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { describedParameter } from '../http/described-parameter';
import { queryValue, refuseUnknown } from '../http/query';
import { CalendarDate } from '../kernel/calendar-date';
import { INSTANT_FORM, readInstant } from '../kernel/instant';
import { isUuid } from '../kernel/identifier';
import { Problem } from '../kernel/problem';
import { hasUnprintable } from '../kernel/text';

/** What a filter takes: any text, a record's UUID, an instant, a day, `true` or `false`, or one of some words. */
export type FilterKind = 'text' | 'uuid' | 'instant' | 'day' | 'flag' | readonly string[];

export type FilterSpec = Readonly<Record<string, FilterKind>>;

/** The filters that were given, as text. */
export type Filter = Readonly<Record<string, string>>;

export interface FilterOptions {
  /** What else may be in the query; {@link PAGING} where nothing is said. */
  readonly beside?: readonly string[];
}

/** Longest text in a filter, in characters: longer than anything that is filtered by. */
const MAX_TEXT = 500;

/** What pages are asked for by; see `list-query.ts`. */
export const PAGING = ['limit', 'after'] as const;

interface Reading {
  readonly spec: FilterSpec;
  readonly beside: readonly string[];
}

const readFilter = createParamDecorator(({ spec, beside }: Reading, context: ExecutionContext): Filter => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  refuseUnknown(request, [...Object.keys(spec), ...beside]);
  const given = Object.entries(spec).map(([name, kind]) => [name, kind, queryValue(request, name)] as const);
  return Object.fromEntries(
    given.flatMap(([name, kind, text]) => (text ? [[name, readValue(name, kind, text)]] : [])),
  );
});

/**
 * The filters of an operators' list, named by field in the query; an empty one counts as absent. A value that
 * the field cannot have is `malformed-request`, so that nobody mistakes a slip for an empty list; so is every other
 * name, so that nobody takes a list for one that was filtered.
 */
export function FilterQuery(spec: FilterSpec, { beside = PAGING }: FilterOptions = {}): ParameterDecorator {
  const described = Object.entries(spec).map(([name, kind]) =>
    ApiQuery({ name, required: false, ...schemaOf(kind) }),
  );
  return describedParameter(readFilter({ spec, beside }), ...described);
}

function readValue(name: string, kind: FilterKind, text: string): string {
  if (kind === 'text') {
    if (hasUnprintable(text)) throw new Problem('malformed-request', `${name} holds control characters`);
    if (text.length > MAX_TEXT)
      throw new Problem('malformed-request', `${name} must have at most ${MAX_TEXT} characters`);
    return text.normalize('NFC').trim();
  }
  if (kind === 'uuid') {
    if (!isUuid(text)) throw new Problem('malformed-request', `${name} must be a UUID`);
    return text.toLowerCase();
  }
  if (kind === 'instant') {
    const instant = readInstant(text);
    if (!instant) throw new Problem('malformed-request', `${name} must be ${INSTANT_FORM}`);
    return instant.toISOString();
  }
  if (kind === 'day') {
    if (!CalendarDate.isDay(text))
      throw new Problem('malformed-request', `${name} must be a day of the form YYYY-MM-DD`);
    return text;
  }
  const words = kind === 'flag' ? ['true', 'false'] : kind;
  const word = words.find((candidate) => candidate === text.toLowerCase());
  if (word === undefined)
    throw new Problem('malformed-request', `${name} must be one of ${words.join(', ')}`);
  return word;
}

/**
 * The span of time that a filter with `from` and `to` means.
 * @throws Problem malformed-request when it ends before it begins
 */
export function spanOf(filter: Filter): { from?: Date; to?: Date } {
  const [from, to] = [filter['from'], filter['to']].map((text) => (text ? new Date(text) : undefined));
  if (from && to && from >= to) throw new Problem('malformed-request', 'from must be before to');
  return { ...(from && { from }), ...(to && { to }) };
}

function schemaOf(kind: FilterKind): { type?: typeof Boolean; format?: string; enum?: string[] } {
  if (kind === 'flag') return { type: Boolean };
  if (kind === 'uuid') return { format: 'uuid' };
  if (kind === 'instant') return { format: 'date-time' };
  if (kind === 'day') return { format: 'date' };
  return kind === 'text' ? {} : { enum: [...kind] };
}
