import { applyDecorators, HttpCode, Injectable, UseGuards } from '@nestjs/common';
import type { CanActivate, Type } from '@nestjs/common';
import { ApiOperation } from '@nestjs/swagger';
import { RequireScope } from '../http/api';
import { notBuilt, operation, type OperationId } from './operations';

/**
 * Ties a route to its row of the operations table: success status, scope of the key, description. While the
 * row is not built the route answers 501 before its body is read.
 */
export function Serves(id: OperationId, summary: string): MethodDecorator {
  const { status, effect, number, built } = operation(id);
  return applyDecorators(
    ServedOperation(id),
    HttpCode(status),
    RequireScope(effect === 'read' ? 'finance:read' : 'finance:write'),
    ApiOperation({ operationId: id, summary: `${number}. ${summary}` }),
    ...(built ? [] : [UseGuards(refusing(id))]),
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
