import { applyDecorators, HttpCode } from '@nestjs/common';
import type { Type } from '@nestjs/common';
import {
  ApiExtension,
  ApiExtraModels,
  ApiOperation,
  ApiParam,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import {
  CANONICAL_PATH,
  PROBLEM_CODES,
  REMOTE_PROBLEM_CODES,
  REQUEST_EXAMPLE,
  RequireScope,
} from '../../../http/api';
import { ApiPaging, MAX_TOP } from '../../../http/paging';
import { EXAMPLES } from './examples';
import { SpeaksXml } from '../../../http/reply-form';
import { ETAG_HEADER, Revalidated } from '../../../http/revalidation';
import { Idempotent } from '../idempotency/idempotent.decorator';
import { operation, type Operation, type OperationId } from './operations';
import { problemsOf, remoteProblemsOf } from './refusals';

/**
 * Ties a route to its row of the operations table: success status, scope of the key, description,
 * `Idempotency-Key` where it writes, and `ETag` where it reads. An extension is marked as one.
 * @param view the record that is answered, listed or paged
 */
export function FinanceOperation(id: OperationId, summary: string, view?: Type): MethodDecorator {
  const row = operation(id);
  return applyDecorators(
    ServedOperation(id),
    HttpCode(row.status),
    RequireScope(row.effect === 'read' ? 'finance:read' : 'finance:write'),
    ApiOperation({ operationId: id, summary: row.number === null ? summary : `${row.number}. ${summary}` }),
    SpeaksXml({ request: row.request, reply: rootOf(row) }),
    documented(row, view),
    row.effect === 'read' ? Revalidated() : Idempotent(),
    ...(row.number === null ? [ApiTags('Extensions'), ApiExtension('x-extension', true)] : []),
    ...(row.response === 'page' ? [ApiPaging()] : []),
    ...(row.response === 'array' ? [ApiPaging(MAX_TOP)] : []),
  );
}

/** The root element of an operation's replies in XML; null where it gives none. */
export function rootOf({ response, record }: Pick<Operation, 'response' | 'record'>): string | null {
  if (response === 'identifier') return 'guid';
  if (response === 'page') return 'PageResult';
  return response === 'array' ? `ArrayOf${record}` : record;
}

const SERVED = new WeakMap<object, OperationId>();

/** The operation that a controller's method serves. */
export function servedBy(handler: object): OperationId | undefined {
  return SERVED.get(handler);
}

function ServedOperation(id: OperationId): MethodDecorator {
  return (_target, _key, descriptor) => {
    if (typeof descriptor.value === 'function') SERVED.set(descriptor.value, id);
  };
}

function documented(row: Operation, view: Type | undefined): MethodDecorator {
  const { status, response } = row;
  const headers = row.effect === 'read' ? { headers: ETAG_HEADER } : {};
  const example = EXAMPLES[row.id as OperationId];
  const parameters = [...row.path.matchAll(/\{(\w)(\w*)\}/g)].map(([, first = '', rest = '']) =>
    ApiParam({ name: first.toLowerCase() + rest, schema: { type: 'string', format: 'uuid' } }),
  );
  const models = view ? [ApiExtraModels(view)] : [];
  return applyDecorators(
    ...models,
    ...parameters,
    ApiExtension(CANONICAL_PATH, `/v1${row.path}`),
    ApiExtension(PROBLEM_CODES, problemsOf(row)),
    ApiExtension(REMOTE_PROBLEM_CODES, remoteProblemsOf(row)),
    ...(example ? [ApiExtension(REQUEST_EXAMPLE, example)] : []),
    ApiResponse({ status, description: DESCRIPTIONS[response], ...headers, ...schemaOf(response, view) }),
  );
}

const DESCRIPTIONS: Record<Operation['response'], string> = {
  identifier: "The new record's identifier",
  record: 'The record',
  page: 'A page of records',
  array: 'The records',
  none: 'Done',
};

function schemaOf(response: Operation['response'], view: Type | undefined): object {
  if (response === 'none') return {};
  if (response === 'identifier') return { schema: { type: 'string', format: 'uuid' } };
  if (!view) throw new Error('an operation that answers with records says which');
  const record = { $ref: getSchemaPath(view) };
  if (response === 'record') return { schema: record };
  const items = { type: 'array', items: record };
  if (response === 'array') return { schema: items };
  const properties = {
    items,
    nextPageLink: { type: 'string', format: 'uri-reference', nullable: true },
    count: { type: 'integer', format: 'int64' },
  };
  return { schema: { type: 'object', required: ['items', 'nextPageLink', 'count'], properties } };
}
