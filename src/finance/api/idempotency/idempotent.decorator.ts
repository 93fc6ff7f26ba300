import { applyDecorators, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { IdempotencyInterceptor } from './idempotency.interceptor';

/**
 * Lets a route that writes take an `Idempotency-Key`. The route must work for an organization, change things
 * in one call of `IdempotentTransaction.transaction` and nowhere else, and answer what that call returns. `@FinanceOperation` brings it.
 */
export function Idempotent(): MethodDecorator {
  return applyDecorators(
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description: '1 to 255 visible ASCII characters; the same request with the same key takes effect once',
    }),
  );
}
