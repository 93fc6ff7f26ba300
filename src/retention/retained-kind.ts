import type { Transaction } from '../database/transaction';
import type { RetentionDays, RetentionSetting } from '../kernel/retention';

/** What is removed here; bodies have their own upkeep, and `feedUnread` belongs to `feed`. */
export type RetainedKindName = Exclude<RetentionSetting, 'bodies' | 'feedUnread'>;

/** What one transaction may remove. */
export interface RemovalBatch {
  readonly organizationId: string;
  /** What was over before this instant is old enough. */
  readonly before: Date;
  readonly days: RetentionDays;
  /** As the batch before left it; null: begin with the first row. */
  readonly place: unknown;
  readonly now: Date;
  /** Rows that are looked at, at most. */
  readonly limit: number;
}

/** What came of a batch. */
export interface RemovedBatch {
  readonly removed: number;
  /** Where the next one begins: JSON data. */
  readonly place: object | null;
  /** Whether there is no further row that is old enough. */
  readonly ended: boolean;
}

/**
 * One kind of what an organization keeps for a time. A batch goes on from a stored place along an index that is there anyway,
 * so that nothing which is written for an order has to know of it.
 */
export interface RetainedKind {
  readonly kind: RetainedKindName;
  /**
   * Milliseconds after which the rows are begun with from the first again: along time, for what was passed over because it was not
   * over then; along keys, for what has become old since.
   */
  readonly passMs: number;
  /** Whether the rows come in the order of their age, so that after the last one it goes on with what gets old next. */
  readonly alongTime: boolean;
  remove(tx: Transaction, batch: RemovalBatch): Promise<RemovedBatch>;
}

export const DAY_MS = 86_400_000;

/** Lower than every identifier. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';
