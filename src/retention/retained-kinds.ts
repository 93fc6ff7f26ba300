import { Injectable } from '@nestjs/common';
import { AttentionRetention } from './attention.repository';
import { CallRetention } from './calls.repository';
import { DeferredRetention } from './deferred.repository';
import { FeedRetention } from './feed.repository';
import { IdempotencyRetention } from './idempotency.repository';
import { PlanRetention } from './plans.repository';
import type { RetainedKind } from './retained-kind';

/** Every kind that is removed in batches. */
@Injectable()
export class RetainedKinds {
  readonly all: readonly RetainedKind[];

  constructor(
    plans: PlanRetention,
    calls: CallRetention,
    deferred: DeferredRetention,
    attention: AttentionRetention,
    idempotency: IdempotencyRetention,
    feed: FeedRetention,
  ) {
    this.all = [plans, calls, deferred, attention, idempotency, feed];
  }
}
