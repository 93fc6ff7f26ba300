import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Problem } from '../kernel/problem';
import { callerOf } from './caller';
import { RequestRates } from './request-rates';

/** Lets a key send so many requests a minute. Stands behind the guard that finds out whose key it is. */
@Injectable()
export class RequestRateGuard implements CanActivate {
  constructor(private readonly rates: RequestRates) {}

  canActivate(context: ExecutionContext): boolean {
    const { organization, keyId } = callerOf(context.switchToHttp().getRequest<FastifyRequest>());
    return passed(this.rates.take(`${organization?.id ?? ''}/${keyId ?? ''}`));
  }
}

/** The same for keys on the operators' API, whichever organization they work for. */
@Injectable()
export class AdminRateGuard implements CanActivate {
  constructor(private readonly rates: RequestRates) {}

  canActivate(context: ExecutionContext): boolean {
    const { keyId = '' } = callerOf(context.switchToHttp().getRequest<FastifyRequest>());
    return passed(this.rates.takeAdmin(keyId));
  }
}

function passed(seconds: number): true {
  if (seconds === 0) return true;
  throw new Problem('too-many-requests', 'This key has sent too many requests', {
    retryAfterSeconds: seconds,
  });
}
