import { alongAnIndex } from '../database/along-an-index';
import type { Transaction } from '../database/transaction';
import { DAY_MS, NO_ID, type RemovalBatch, type RemovedBatch, type RetainedKind } from './retained-kind';

/** The last delivery of a source that was come to. */
interface Place {
  readonly at: string;
  readonly id: string;
}

interface WalkedRow extends Place {
  walked: number;
  removed: number;
}

const FIRST: Place = { at: '1970-01-01T00:00:00.000Z', id: NO_ID };

/**
 * The contents of plans: what each effect was asked for with. A plan keeps its rule, its steps and the keys, operations and
 * amounts of its effects, so that what was done can be told for ever. A plan stays whole for as long as its delivery can be
 * worked on: until that is settled and has no body.
 */
export class PlanRetention implements RetainedKind {
  readonly kind = 'plans';
  readonly passMs = 30 * DAY_MS;
  readonly alongTime = true;

  /** Source by source, along the index by time of receipt. */
  async remove(tx: Transaction, batch: RemovalBatch): Promise<RemovedBatch> {
    await alongAnIndex(tx);
    const sources = await tx.source.findMany({
      where: { organizationId: batch.organizationId },
      select: { id: true },
      orderBy: { id: 'asc' },
    });
    const place: Record<string, Place> = { ...((batch.place ?? {}) as Record<string, Place>) };
    let [left, removed] = [batch.limit, 0];
    for (const { id } of sources) {
      const row = await this.ofSource(tx, batch, id, place[id] ?? FIRST, left);
      if (!row) continue;
      place[id] = { at: row.at, id: row.id };
      removed += row.removed;
      left -= row.walked;
      if (left <= 0) return { removed, place, ended: false };
    }
    return { removed, place, ended: true };
  }

  /** @returns undefined: no further delivery of the source is old enough */
  private async ofSource(
    tx: Transaction,
    { organizationId, before, now }: RemovalBatch,
    sourceId: string,
    after: Place,
    limit: number,
  ): Promise<WalkedRow | undefined> {
    const [row] = await tx.$queryRaw<(Omit<WalkedRow, 'at'> & { at: Date })[]>`
      with walked as materialized (
        select d.id, d.received_at, d.state from delivery d
        where d.source_id = ${sourceId}::uuid
          and (d.received_at, d.id) > (${new Date(after.at)}::timestamptz, ${after.id}::uuid)
          and d.received_at < ${before}::timestamptz
        order by d.received_at, d.id limit ${limit}::int
      ), removed as (
        update run r set plan = r.plan || jsonb_build_object('removedAt', ${now.toISOString()}::text, 'steps', (
          select coalesce(jsonb_agg((s.step - 'unplanned') || jsonb_build_object('effects', (
            select coalesce(jsonb_agg((e.effect - 'input') || jsonb_build_object('input',
              case when e.effect -> 'input' ? 'value' then jsonb_build_object('value', e.effect #> '{input,value}')
                else '{}'::jsonb end) order by e.place), '[]'::jsonb)
            from jsonb_array_elements(s.step -> 'effects') with ordinality as e(effect, place))) order by s.place),
            '[]'::jsonb)
          from jsonb_array_elements(r.plan -> 'steps') with ordinality as s(step, place)))
        from walked w
        where r.delivery_id = w.id and w.state in ('done', 'discarded')
          and r.state <> 'running' and r.finished_at < ${before}::timestamptz and not r.plan ? 'removedAt'
          and not exists (
            select from delivery_body b where b.organization_id = ${organizationId}::uuid and b.id = w.id)
        returning r.id
      )
      select (select count(*)::int from walked) as walked, (select count(*)::int from removed) as removed,
        last.received_at as at, last.id::text as id
      from (select received_at, id from walked order by received_at desc, id desc limit 1) last`;
    return row && { ...row, at: row.at.toISOString() };
  }
}
