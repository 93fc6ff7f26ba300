import { AttentionRetention } from './attention.repository';
import { CallRetention } from './calls.repository';
import { DeferredRetention } from './deferred.repository';
import { FeedRetention } from './feed.repository';
import { IdempotencyRetention } from './idempotency.repository';
import { PlanRetention } from './plans.repository';
import type { RetainedKind } from './retained-kind';

/** Every kind that is removed in batches. */
export const RETAINED_KINDS: readonly RetainedKind[] = [
  new PlanRetention(),
  new CallRetention(),
  new DeferredRetention(),
  new AttentionRetention(),
  new IdempotencyRetention(),
  new FeedRetention(),
];
