import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { queryValue } from '../http/query';
import { isUuid } from '../kernel/identifier';
import { Problem } from '../kernel/problem';

/** What a filter takes: any text, a record's UUID, `true` or `false`, or one of some words. */
export type FilterKind = 'text' | 'uuid' | 'flag' | readonly string[];

export type FilterSpec = Readonly<Record<string, FilterKind>>;

/** The filters that were given, as text. */
export type Filter = Readonly<Record<string, string>>;

const CONTROL_CHARACTERS = /\p{Cc}/u;

const readFilter = createParamDecorator((spec: FilterSpec, context: ExecutionContext): Filter => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const given = Object.entries(spec).map(([name, kind]) => [name, kind, queryValue(request, name)] as const);
  return Object.fromEntries(
    given.flatMap(([name, kind, text]) => (text ? [[name, readValue(name, kind, text)]] : [])),
  );
});

/**
 * The filters of an operators' list, named by field in the query; an empty one counts as absent. A value that
 * the field cannot have is `malformed-request`, so that nobody mistakes a slip for an empty list.
 */
export function FilterQuery(spec: FilterSpec): ParameterDecorator {
  return (target, key, index) => {
    readFilter(spec)(target, key, index);
    const descriptor = key === undefined ? undefined : Object.getOwnPropertyDescriptor(target, key);
    if (key === undefined || !descriptor) return;
    for (const [name, kind] of Object.entries(spec))
      ApiQuery({ name, required: false, ...schemaOf(kind) })(target, key, descriptor);
  };
}

function readValue(name: string, kind: FilterKind, text: string): string {
  if (kind === 'text') {
    if (CONTROL_CHARACTERS.test(text))
      throw new Problem('malformed-request', `${name} holds control characters`);
    return text.normalize('NFC').trim();
  }
  if (kind === 'uuid') {
    if (!isUuid(text)) throw new Problem('malformed-request', `${name} must be a UUID`);
    return text.toLowerCase();
  }
  const words = kind === 'flag' ? ['true', 'false'] : kind;
  const word = words.find((candidate) => candidate === text.toLowerCase());
  if (word === undefined)
    throw new Problem('malformed-request', `${name} must be one of ${words.join(', ')}`);
  return word;
}

function schemaOf(kind: FilterKind): { type?: typeof Boolean; format?: string; enum?: string[] } {
  if (kind === 'flag') return { type: Boolean };
  if (kind === 'uuid') return { format: 'uuid' };
  return kind === 'text' ? {} : { enum: [...kind] };
}
