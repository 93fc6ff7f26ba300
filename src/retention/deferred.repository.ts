import { alongAnIndex } from '../database/along-an-index';
import type { Transaction } from '../database/transaction';
import { lowestIdAt } from '../kernel/identifier';
import { DAY_MS, NO_ID, type RemovalBatch, type RemovedBatch, type RetainedKind } from './retained-kind';

/** Nothing can be decided of these any more. A refused one may be tried again, so it stays whole. */
const OVER = ['applied', 'cancelled'] as const;

/** The contents of deferred effects that are over. The row with its key, state, day and amount stays for ever. */
export class DeferredRetention implements RetainedKind {
  readonly kind = 'deferred';
  readonly passMs = 30 * DAY_MS;
  readonly alongTime = true;

  async remove(tx: Transaction, batch: RemovalBatch): Promise<RemovedBatch> {
    await alongAnIndex(tx);
    const place: Record<string, string> = { ...((batch.place ?? {}) as Record<string, string>) };
    let [left, removed] = [batch.limit, 0];
    for (const state of OVER) {
      const row = await this.inState(tx, batch, state, place[state] ?? NO_ID, left);
      if (!row?.id) continue;
      place[state] = row.id;
      removed += row.removed;
      left -= row.walked;
      if (left <= 0) return { removed, place, ended: false };
    }
    return { removed, place, ended: true };
  }

  private async inState(
    tx: Transaction,
    { organizationId, before, now }: RemovalBatch,
    state: (typeof OVER)[number],
    after: string,
    limit: number,
  ): Promise<{ walked: number; removed: number; id: string | null } | undefined> {
    const [row] = await tx.$queryRaw<{ walked: number; removed: number; id: string | null }[]>`
      with walked as materialized (
        select id from deferred_effect
        where organization_id = ${organizationId}::uuid and state = ${state}::deferred_state
          and id > ${after}::uuid and id < ${lowestIdAt(before)}::uuid
        order by organization_id, state, id limit ${limit}::int
      ), removed as (
        update deferred_effect d
        set effect = (d.effect - 'input')
          || jsonb_build_object('input', '{}'::jsonb, 'removedAt', ${now.toISOString()}::text)
        from walked w
        where d.id = w.id and d.state = ${state}::deferred_state and d.finished_at < ${before}::timestamptz
          and not d.effect ? 'removedAt'
        returning d.id
      )
      select (select count(*)::int from walked) as walked, (select count(*)::int from removed) as removed,
        (select id::text from walked order by id desc limit 1) as id`;
    return row;
  }
}
