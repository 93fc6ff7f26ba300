import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Settings } from '../config/settings';
import { Problem } from '../kernel/problem';
import { callerOf } from './caller';
import { TokenBuckets } from './token-buckets';

/** How many requests each API key has sent of late. */
@Injectable()
export class RequestRates {
  /** To the finance interface and the feed. */
  readonly requests: TokenBuckets;
  /** To the operators' API. */
  readonly adminRequests: TokenBuckets;

  constructor({ financeRateLimit, adminRateLimit }: Settings) {
    this.requests = new TokenBuckets(financeRateLimit);
    this.adminRequests = new TokenBuckets(adminRateLimit);
  }
}

/** Lets a key send so many requests a minute. Stands behind the guard that finds out whose key it is. */
@Injectable()
export class RequestRateGuard implements CanActivate {
  constructor(private readonly rates: RequestRates) {}

  canActivate(context: ExecutionContext): boolean {
    const { organization, keyId } = callerOf(context.switchToHttp().getRequest<FastifyRequest>());
    return passed(this.rates.requests.take(`${organization?.id ?? ''}/${keyId ?? ''}`, performance.now()));
  }
}

/** The same for keys on the operators' API, whichever organization they work for. */
@Injectable()
export class AdminRateGuard implements CanActivate {
  constructor(private readonly rates: RequestRates) {}

  canActivate(context: ExecutionContext): boolean {
    const { keyId = '' } = callerOf(context.switchToHttp().getRequest<FastifyRequest>());
    return passed(this.rates.adminRequests.take(keyId, performance.now()));
  }
}

function passed(seconds: number): true {
  if (seconds === 0) return true;
  throw new Problem('too-many-requests', 'This key has sent too many requests', {
    retryAfterSeconds: seconds,
  });
}
