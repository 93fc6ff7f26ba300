import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader, ApiQuery } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { callerOf } from '../http/caller';
import { KEY_PARAMETER } from '../http/credential';
import { queryValue, refuseUnknown } from '../http/query';
import { didYouMean, nearestName } from '../kernel/nearest';
import { Problem } from '../kernel/problem';
import { CHANGE_TYPES, type ChangeType, isChangeType } from './changes/change-types';
import { type Cursor, MAX_CURSOR, readCursor } from './cursor';
import { LONGEST_PAGE } from './feed.repository';

const DEFAULT_LIMIT = 100;
const MAX_WAIT_S = 30;
/** With a cursor under another name a connector would be given the first page for ever. */
const PARAMETERS = ['after', 'limit', 'wait', 'types', 'organization', KEY_PARAMETER];

/** What a reader of the feed asks for. */
export interface FeedQuery {
  /** Absent: from the oldest change that is kept. */
  after?: Cursor;
  limit: number;
  types?: ChangeType[];
  waitMs: number;
  /** Seconds of a `Prefer: wait=` that is followed. */
  preferred?: number;
}

/** The query of a request to the feed. Problems: `malformed-request` naming the parameter. */
export const ReadFeedQuery = createParamDecorator((_data: unknown, context: ExecutionContext) =>
  feedQueryOf(context.switchToHttp().getRequest<FastifyRequest>()),
);

/** Names the parameters in the API's description. */
export function ApiFeedQuery(): MethodDecorator {
  const types = { type: 'string', enum: Object.keys(CHANGE_TYPES) };
  return applyDecorators(
    ApiQuery({
      name: 'after',
      required: false,
      description: 'The cursor of the page before; absent: from the oldest change that is kept',
      schema: { type: 'string', maxLength: MAX_CURSOR },
    }),
    ApiQuery({
      name: 'limit',
      required: false,
      schema: { type: 'integer', minimum: 1, maximum: LONGEST_PAGE, default: DEFAULT_LIMIT },
    }),
    ApiQuery({
      name: 'wait',
      required: false,
      description: 'Seconds to wait for a change where there is none yet',
      schema: { type: 'integer', minimum: 0, maximum: MAX_WAIT_S, default: 0 },
    }),
    ApiQuery({
      name: 'types',
      required: false,
      description: 'Only these types, separated by commas',
      explode: false,
      style: 'form',
      schema: { type: 'array', items: types },
    }),
    ApiHeader({ name: 'Prefer', required: false, description: '`wait=10` does what `wait` does (RFC 7240)' }),
  );
}

function feedQueryOf(request: FastifyRequest): FeedQuery {
  const { organization } = callerOf(request);
  if (!organization) throw new Error('this route works for no organization');
  refuseUnknown(request, PARAMETERS);
  const after = queryValue(request, 'after');
  const wait = wholeNumber(request, 'wait', 0, MAX_WAIT_S);
  const preferred = wait === undefined ? preferredWait(request.headers['prefer']) : undefined;
  const types = typesOf(queryValue(request, 'types'));
  return {
    ...(after !== undefined && after !== '' && { after: cursorOf(after) }),
    limit: wholeNumber(request, 'limit', 1, LONGEST_PAGE) ?? DEFAULT_LIMIT,
    waitMs: (wait ?? preferred ?? 0) * 1000,
    ...(types && { types }),
    ...(preferred !== undefined && { preferred }),
  };
}

function cursorOf(text: string): Cursor {
  const cursor = readCursor(text);
  if (!cursor) throw malformed('after', 'must be a cursor that the feed gave');
  return cursor;
}

function wholeNumber(request: FastifyRequest, name: string, least: number, most: number): number | undefined {
  const text = queryValue(request, name)?.trim();
  if (text === undefined) return undefined;
  const value = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (!(value >= least && value <= most))
    throw malformed(name, `must be a whole number from ${least} to ${most}`);
  return value;
}

/** A preference is followed as far as it can be, and never refused. */
function preferredWait(header: string | string[] | undefined): number | undefined {
  const preferences = [header].flat().join().split(/[,;]/);
  const seconds = preferences
    .map((text) => /^\s*wait\s*=\s*"?(\d{1,9})"?\s*$/i.exec(text)?.[1])
    .find(Boolean);
  return seconds === undefined ? undefined : Math.min(Number(seconds), MAX_WAIT_S);
}

function typesOf(text: string | undefined): ChangeType[] | undefined {
  const names = [...new Set((text ?? '').split(',').map((name) => name.trim()))].filter(
    (name) => name !== '',
  );
  if (names.length === 0) return undefined;
  return names.map((name) => {
    if (isChangeType(name)) return name;
    const nearest = nearestName(name, Object.keys(CHANGE_TYPES));
    throw malformed('types', `names no type of change: ${name.slice(0, 60)}${didYouMean(nearest)}`);
  });
}

function malformed(parameter: string, sentence: string): Problem {
  return new Problem('malformed-request', `${parameter} ${sentence}`, { members: { parameter } });
}
