import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Place } from '../../database/index-walk';
import type { DeliveryFilter } from '../../deliveries/delivery-list.repository';
import { DeliveryRequeue, type DeliverySnapshot } from '../../deliveries/delivery-requeue.repository';
import { Worker } from '../../deliveries/worker';
import type { Caller } from '../../http/caller';
import { Clock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { AuditRepository, type Change } from '../audit.repository';
import type { RetriedLetters } from './deliveries.dto';
import { standingOf } from './delivery-snapshot';

/** Letters put back in one transaction: so few that nobody waits for its locks. */
const BATCH = 200;
/** Letters put back in one call: so few that a client waits for the answer. */
const MOST_IN_A_CALL = 10_000;

interface Discard {
  organization: Organization;
  caller: Caller;
  id: string;
  reason: string;
  /** What the audit log calls it. */
  action: string;
}

/** What operators do with dead letters and with what is stuck, with the audit log. */
@Injectable()
export class DeadLetters {
  constructor(
    private readonly database: Database,
    private readonly returns: DeliveryRequeue,
    private readonly worker: Worker,
    private readonly audit: AuditRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Works on a dead letter again; what was applied before stays as it is.
   * @throws Problem not-found when the organization has no such dead letter
   */
  async retry(organization: Organization, caller: Caller, id: string, reason?: string | null): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [standing] = await this.returns.putBack(tx, organization, [id], ['dead']);
      if (!standing) throw noSuchDeadLetter();
      await this.audit.record(caller, retried(organization, standing, reason), tx);
    });
    this.worker.wake();
  }

  /**
   * Works on the dead letters that fit again, oldest first, in batches that each commit with their audit records: an
   * end in between leaves some retried and the others dead, and the same call goes on with those. A letter that dies
   * again meanwhile is not taken a second time.
   */
  async retryAll(
    organization: Organization,
    caller: Caller,
    filter: DeliveryFilter,
    reason: string,
  ): Promise<RetriedLetters> {
    const total = { matched: 0, retried: 0 };
    let after: Place | undefined;
    do {
      const limit = Math.min(BATCH, MOST_IN_A_CALL - total.matched);
      const batch = await this.retryBatch(organization, caller, filter, reason, { after, limit });
      total.matched += batch.matched;
      total.retried += batch.retried;
      after = batch.matched < limit ? undefined : batch.last;
      this.worker.wake();
    } while (after !== undefined && total.matched < MOST_IN_A_CALL);
    return total;
  }

  /** How many {@link retryAll} would take, if it took all at once. Changes nothing. */
  async count(organization: Organization, filter: DeliveryFilter): Promise<RetriedLetters> {
    const matched = await this.database.transaction((tx) => this.returns.countDead(tx, organization, filter));
    return { matched, retried: 0 };
  }

  /** Takes a dead letter off the list for good. @throws Problem not-found; conflict */
  async discard(organization: Organization, caller: Caller, id: string, reason: string): Promise<void> {
    const action = 'dead-letter.discard';
    const discarded = await this.discardIn(['dead'], { organization, caller, id, reason, action });
    if (!discarded) throw noSuchDeadLetter();
  }

  /**
   * Takes a delivery that is not done off what is to be done, for good: one that waits, or a dead letter. Its lane goes
   * on without it.
   * @throws Problem not-found; conflict while it is being worked on, or when it is done or discarded
   */
  async discardOpen(organization: Organization, caller: Caller, id: string, reason: string): Promise<void> {
    const action = 'delivery.discard';
    const states = ['waiting', 'dead'] as const;
    if (!(await this.discardIn(states, { organization, caller, id, reason, action })))
      throw (await this.database.transaction((tx) => this.returns.exists(tx, organization, id)))
        ? new Problem('conflict', 'The delivery is done or discarded: nothing of it is left to be done')
        : new Problem('not-found', 'There is no such delivery');
    this.worker.wake();
  }

  /** @returns whether there was one; with its audit record */
  private discardIn(
    states: readonly ('waiting' | 'dead')[],
    { organization, caller, id, reason, action }: Discard,
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const standing = await this.returns.discard(tx, organization, id, {
        states,
        reason,
        now: this.clock.now(),
      });
      if (!standing) return false;
      if (standing === 'in work')
        throw new Problem('conflict', 'It is being worked on just now; try again in a moment');
      const change = {
        ...{ organizationId: organization.id, action, subject: id, reason },
        ...{ before: { state: standing.state }, after: { state: 'discarded' } },
      };
      await this.audit.record(caller, change, tx);
      return true;
    });
  }

  private retryBatch(
    organization: Organization,
    caller: Caller,
    filter: DeliveryFilter,
    reason: string,
    place: { after: Place | undefined; limit: number },
  ): Promise<RetriedLetters & { last: Place | undefined }> {
    return this.database.transaction(async (tx) => {
      const letters = await this.returns.lockDead(tx, organization, filter, place);
      const ids = letters.map(({ id }) => id);
      const standing = await this.returns.putBack(tx, organization, ids, ['dead']);
      const changes = standing.map((letter) => retried(organization, letter, reason));
      await this.audit.recordAll(caller, changes, tx);
      return { matched: letters.length, retried: standing.length, last: letters.at(-1) };
    });
  }
}

function retried(organization: Organization, standing: DeliverySnapshot, reason?: string | null): Change {
  return {
    ...{ organizationId: organization.id, action: 'dead-letter.retry', subject: standing.id },
    ...{ before: standingOf(standing), after: { state: 'waiting' } },
    ...(reason && { reason }),
  };
}

function noSuchDeadLetter(): Problem {
  return new Problem('not-found', 'There is no such dead letter');
}
