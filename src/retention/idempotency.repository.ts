import { alongAnIndex } from '../database/along-an-index';
import type { Transaction } from '../database/transaction';
import { DAY_MS, type RemovalBatch, type RemovedBatch, type RetainedKind } from './retained-kind';

/** Answers to requests with an `Idempotency-Key`. They go whole: a request with the key is then a new one. */
export class IdempotencyRetention implements RetainedKind {
  readonly kind = 'idempotency';
  readonly passMs = DAY_MS;
  readonly alongTime = false;

  async remove(
    tx: Transaction,
    { organizationId, before, place, limit }: RemovalBatch,
  ): Promise<RemovedBatch> {
    await alongAnIndex(tx);
    const after = (place as { key: string } | null)?.key ?? '';
    const [row] = await tx.$queryRaw<{ walked: number; removed: number; key: string | null }[]>`
      with walked as materialized (
        select key, created_at from idempotency_record
        where organization_id = ${organizationId}::uuid and key > ${after}
        order by organization_id, key limit ${limit}::int
      ), removed as (
        delete from idempotency_record r using walked w
        where r.organization_id = ${organizationId}::uuid and r.key = w.key and w.created_at < ${before}::timestamptz
        returning r.key
      )
      select (select count(*)::int from walked) as walked, (select count(*)::int from removed) as removed,
        (select max(key) from walked) as key`;
    if (!row || row.key === null) return { removed: 0, place: null, ended: true };
    return { removed: row.removed, place: { key: row.key }, ended: row.walked < limit };
  }
}
