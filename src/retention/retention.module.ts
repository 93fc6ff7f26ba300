import { Module } from '@nestjs/common';
import { AttentionRetention } from './attention.repository';
import { CallRetention } from './calls.repository';
import { DeferredRetention } from './deferred.repository';
import { FeedRetention } from './feed.repository';
import { IdempotencyRetention } from './idempotency.repository';
import { PlanRetention } from './plans.repository';
import { RetainedKinds } from './retained-kinds';
import { Retention } from './retention';
import { RetentionProgress } from './retention-progress.repository';

/** Removes what is kept for a time only. Needs `Settings`, `Database`, `SharedClock`, `Metrics` and the organizations. */
@Module({
  providers: [
    PlanRetention,
    CallRetention,
    DeferredRetention,
    AttentionRetention,
    IdempotencyRetention,
    FeedRetention,
    RetainedKinds,
    RetentionProgress,
    Retention,
  ],
  exports: [RetainedKinds, RetentionProgress],
})
export class RetentionModule {}
