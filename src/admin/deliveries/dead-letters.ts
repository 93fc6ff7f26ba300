import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import type { Place } from '../../database/index-walk';
import type { DeliveryFilter } from '../../deliveries/delivery-list.repository';
import { DeliveryRequeue, type DeliverySnapshot } from '../../deliveries/delivery-requeue.repository';
import { Worker } from '../../deliveries/worker';
import { standingOf } from '../../deliveries/delivery-snapshot';
import type { Actor } from '../../http/caller';
import { Clock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { AuditRepository, type Change } from '../audit.repository';
import type { RetriedLetters } from './deliveries.dto';

/** Letters put back in one transaction: so few that nobody waits for its locks. */
const BATCH = 200;
/** Letters put back in one call: so few that a client waits for the answer. */
const MOST_IN_A_CALL = 10_000;

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
  async retry(actor: Actor, id: string, reason?: string | null): Promise<void> {
    await this.database.transaction(async (tx) => {
      const [standing] = await this.returns.putBack(tx, actor.organization, [id], ['dead']);
      if (!standing) throw noSuchDeadLetter();
      await this.audit.record(tx, actor, retried(standing, reason));
    });
    this.worker.wake();
  }

  /**
   * Works on the dead letters that fit again, oldest first, in batches that each commit with their audit records: an
   * end in between leaves some retried and the others dead, and the same call goes on with those. A letter that dies
   * again meanwhile is not taken a second time.
   */
  async retryAll(actor: Actor, filter: DeliveryFilter, reason: string): Promise<RetriedLetters> {
    const total = { matched: 0, retried: 0 };
    let after: Place | undefined;
    do {
      const limit = Math.min(BATCH, MOST_IN_A_CALL - total.matched);
      const batch = await this.retryBatch(actor, filter, reason, { after, limit });
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
  async discard(actor: Actor, id: string, reason: string): Promise<void> {
    if (!(await this.discardIn(['dead'], actor, 'dead-letter.discard', id, reason))) throw noSuchDeadLetter();
  }

  /**
   * Takes a delivery that is not done off what is to be done, for good: one that waits, or a dead letter. Its lane goes
   * on without it.
   * @throws Problem not-found; conflict while it is being worked on, or when it is done or discarded
   */
  async discardOpen(actor: Actor, id: string, reason: string): Promise<void> {
    if (!(await this.discardIn(['waiting', 'dead'], actor, 'delivery.discard', id, reason)))
      throw (await this.database.transaction((tx) => this.returns.exists(tx, actor.organization, id)))
        ? new Problem('conflict', 'The delivery is done or discarded: nothing of it is left to be done')
        : new Problem('not-found', 'There is no such delivery');
    this.worker.wake();
  }

  /** @returns whether there was one; with its audit record */
  private discardIn(
    states: readonly ('waiting' | 'dead')[],
    actor: Actor,
    action: string,
    id: string,
    reason: string,
  ): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const standing = await this.returns.discard(tx, actor.organization, id, {
        states,
        reason,
        now: this.clock.now(),
      });
      if (!standing) return false;
      if (standing === 'in work')
        throw new Problem('conflict', 'It is being worked on just now; try again in a moment');
      const [before, after] = [{ state: standing.state }, { state: 'discarded' }];
      await this.audit.record(tx, actor, { action, subject: id, before, after, reason });
      return true;
    });
  }

  private retryBatch(
    actor: Actor,
    filter: DeliveryFilter,
    reason: string,
    place: { after: Place | undefined; limit: number },
  ): Promise<RetriedLetters & { last: Place | undefined }> {
    return this.database.transaction(async (tx) => {
      const letters = await this.returns.lockDead(tx, actor.organization, filter, place);
      const ids = letters.map(({ id }) => id);
      const standing = await this.returns.putBack(tx, actor.organization, ids, ['dead']);
      const changes = standing.map((letter) => retried(letter, reason));
      await this.audit.recordAll(tx, actor, changes);
      return { matched: letters.length, retried: standing.length, last: letters.at(-1) };
    });
  }
}

function retried(standing: DeliverySnapshot, reason?: string | null): Change {
  const states = { before: standingOf(standing), after: { state: 'waiting' } };
  return { action: 'dead-letter.retry', subject: standing.id, reason, ...states };
}

function noSuchDeadLetter(): Problem {
  return new Problem('not-found', 'There is no such dead letter');
}
