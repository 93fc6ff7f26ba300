import type { Transaction } from '../database/transaction';
import type { Clock } from '../kernel/clock';
import type { EventLoopShare } from '../kernel/event-loop-share';
import type { Approvals } from './approvals.repository';
import type { AttentionRepository, LeftToPerson } from './attention.repository';
import { type EventWork, planAll, type PlannedEvent, type Planner } from './planner';
import type { Run } from './run';
import type { RunsRepository } from './runs.repository';
import { askAboutReturns, type ReturningOrder } from './returned-twice.repository';
import { type SettledKey, settleApprovals } from './settled-approvals.repository';

/** Makes plans of events, and writes what came of them; how plans become effects is the backend's. */
export abstract class WorkflowEngine {
  constructor(
    protected readonly planner: Planner,
    protected readonly runs: RunsRepository,
    protected readonly attention: AttentionRepository,
    protected readonly approvals: Approvals,
    protected readonly clock: Clock,
  ) {}

  /**
   * Matches the events of one delivery with their rules. The result does not reference the payload.
   * @param share of the work that they are part of: other work runs between two rules
   */
  plan(work: readonly EventWork[], share?: EventLoopShare): Promise<PlannedEvent[]> {
    return planAll(this.planner, work, share);
  }

  /** What a delivery leaves to a person that no event was made of. */
  leave(...left: Parameters<Planner['leave']>): PlannedEvent {
    return this.planner.leave(...left);
  }

  /** Writes finished runs, and what is left to a person. */
  async finish(tx: Transaction, runs: readonly Run[], left: readonly LeftToPerson[]): Promise<void> {
    const now = this.clock.now();
    await Promise.all([
      settleApprovals(tx, runs.flatMap(madeAsApproved)),
      this.runs.save(tx, runs, now),
      this.attention.record(tx, left, now),
    ]);
  }

  /** Asks about orders that were refunded and charged back; to be called after what their messages say of money was stored. */
  askAboutReturns(tx: Transaction, orders: readonly ReturningOrder[]): Promise<void> {
    return askAboutReturns(tx, this.attention, orders, this.clock.now());
  }
}

function madeAsApproved({ organization, approved }: Run): SettledKey[] {
  return approved.map((key) => ({ organizationId: organization.id, key }));
}
