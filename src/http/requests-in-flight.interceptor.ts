import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import { Settings } from '../config/settings';
import { Problem } from '../kernel/problem';

/** How many requests of the APIs are worked on in this process. */
@Injectable()
export class RequestsInFlight {
  private count = 0;

  constructor(private readonly settings: Settings) {}

  /** @throws Problem `saturated` when as many as may be are in flight */
  enter(): void {
    if (this.count >= this.settings.maxRequestsInFlight)
      throw new Problem('saturated', 'Too many requests are being worked on', { retryAfterSeconds: 1 });
    this.count += 1;
  }

  leave(): void {
    this.count -= 1;
  }

  /** Does not count a request while it waits for something without doing any work. */
  async whileIdle<T>(wait: () => Promise<T>): Promise<T> {
    this.count -= 1;
    try {
      return await wait();
    } finally {
      this.count += 1;
    }
  }
}

/**
 * Refuses a request at once where waiting would only lengthen the queue. A request counts until its work is
 * over, answered or failed, and also when its client has gone away in the meantime.
 */
@Injectable()
export class RequestsInFlightInterceptor implements NestInterceptor {
  constructor(private readonly inFlight: RequestsInFlight) {}

  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.inFlight.enter();
    return next.handle().pipe(finalize(() => this.inFlight.leave()));
  }
}
