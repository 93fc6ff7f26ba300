import { alongAnIndex } from '../database/along-an-index';
import type { Transaction } from '../database/transaction';
import { DAY_MS, type RemovalBatch, type RemovedBatch, type RetainedKind } from './retained-kind';

/** What people were asked to look at, and have. It goes whole: said again, it is raised again. */
export class AttentionRetention implements RetainedKind {
  readonly kind = 'attention';
  readonly passMs = DAY_MS;
  readonly alongTime = false;

  /** All items of as many business keys as the next rows are about. */
  async remove(
    tx: Transaction,
    { organizationId, before, place, limit }: RemovalBatch,
  ): Promise<RemovedBatch> {
    await alongAnIndex(tx);
    const after = (place as { key: string } | null)?.key ?? '';
    const [row] = await tx.$queryRaw<{ walked: number; removed: number; key: string | null }[]>`
      with next as materialized (
        select business_key as key from attention
        where organization_id = ${organizationId}::uuid and business_key > ${after}
        order by organization_id, business_key limit ${limit}::int
      ), last as (select max(key) as key from next),
      removed as (
        delete from attention a using last
        where a.organization_id = ${organizationId}::uuid and a.business_key > ${after} and a.business_key <= last.key
          and a.resolved_at < ${before}::timestamptz
        returning a.id
      )
      select (select count(*)::int from next) as walked, (select count(*)::int from removed) as removed, last.key from last`;
    if (!row || row.key === null) return { removed: 0, place: null, ended: true };
    return { removed: row.removed, place: { key: row.key }, ended: row.walked < limit };
  }
}
