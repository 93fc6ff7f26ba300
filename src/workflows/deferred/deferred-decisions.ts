import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction';
import { EffectRecords } from '../../finance/api/effects/effect-records.port';
import { settledEffect } from '../../finance/api/effects/settled-effect';
import { SharedClock } from '../../kernel/clock';
import { Problem } from '../../kernel/problem';
import { settleApprovals } from '../settled-approvals.repository';
import { DeferredList, type LockedDeferral } from './deferred-list.repository';

/** A deferred effect before a person decided, for the audit log. */
export type Decided = Pick<LockedDeferral, 'key' | 'state' | 'reason'>;

/**
 * What people decide of deferred effects. Each decision belongs to the caller's transaction, with its entry in the audit
 * log. All throw Problem `not-found`, and `conflict` when there is nothing to decide.
 */
@Injectable()
export class DeferredDecisions {
  constructor(
    private readonly list: DeferredList,
    private readonly records: EffectRecords,
    private readonly clock: SharedClock,
  ) {}

  /** It is never applied, whoever asks for its key. @throws Problem conflict, also while calls for it may be in effect */
  async cancel(tx: Transaction, organizationId: string, id: string, reason: string): Promise<Decided> {
    const before = await this.lockOpen(tx, organizationId, id);
    const record = (await this.records.find(tx, organizationId, [before.key])).get(before.key);
    if (record?.state === 'intended' || record?.state === 'unknown')
      throw new Problem(
        'conflict',
        'calls for it may be in effect: decide on them under effects, then give it up',
      );
    await this.list.cancel(tx, id, { reason, effect: settledEffect(before.effect), now: this.clock.now() });
    await settleApprovals(tx, [{ organizationId, key: before.key }]);
    return before;
  }

  /** It is tried again now; one whose day has not come waits for its day. */
  async retry(tx: Transaction, organizationId: string, id: string): Promise<Decided> {
    const before = await this.lockOpen(tx, organizationId, id);
    await this.list.retry(tx, id);
    return before;
  }

  private async lockOpen(tx: Transaction, organizationId: string, id: string): Promise<LockedDeferral> {
    const row = await this.list.lock(tx, organizationId, id);
    if (!row) throw new Problem('not-found', 'There is no such deferred effect');
    if (row.state === 'applied' || row.state === 'cancelled')
      throw new Problem('conflict', `it is ${row.state} already: there is nothing to decide`);
    if (row.leased) throw new Problem('conflict', 'it is being applied just now; try again in two minutes');
    return row;
  }
}
