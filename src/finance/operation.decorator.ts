import { applyDecorators, HttpCode, Injectable, UseGuards } from '@nestjs/common';
import type { CanActivate, Type } from '@nestjs/common';
import { ApiExtraModels, ApiOperation, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import { RequireScope } from '../http/api';
import { ApiPaging } from '../http/paging';
import { notBuilt, operation, type Operation, type OperationId } from './operations';

/**
 * Ties a route to its row of the operations table: success status, scope of the key, description. While the
 * row is not built the route answers 501 before its body is read.
 * @param view the record that is answered, listed or paged
 */
export function Serves(id: OperationId, summary: string, view?: Type): MethodDecorator {
  const row = operation(id);
  return applyDecorators(
    ServedOperation(id),
    HttpCode(row.status),
    RequireScope(row.effect === 'read' ? 'finance:read' : 'finance:write'),
    ApiOperation({ operationId: id, summary: `${row.number}. ${summary}` }),
    documented(row, view),
    ...(row.response === 'page' || row.response === 'array' ? [ApiPaging()] : []),
    ...(row.built ? [] : [UseGuards(refusing(id))]),
  );
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

function documented({ status, response, built }: Operation, view: Type | undefined): MethodDecorator {
  const models = view ? [ApiExtraModels(view)] : [];
  const refused = built ? [] : [ApiResponse({ status: 501, description: 'Not built yet' })];
  return applyDecorators(
    ...models,
    ...refused,
    ApiResponse({ status, description: DESCRIPTIONS[response], ...schemaOf(response, view) }),
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
    nextPageLink: { type: 'string', nullable: true },
    count: { type: 'integer', format: 'int64' },
  };
  return { schema: { type: 'object', required: ['items', 'nextPageLink', 'count'], properties } };
}

/** Runs after the controller's guards, so that a request without a good key still gets its 401. */
function refusing(id: OperationId): Type<CanActivate> {
  @Injectable()
  class NotBuiltGuard implements CanActivate {
    canActivate(): never {
      throw notBuilt(id);
    }
  }
  return NotBuiltGuard;
}
