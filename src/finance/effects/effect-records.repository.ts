import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction';
import { EffectRecords, type RecordedEffect } from '../api/effects/effect-records.port';

/** Of effects on Ponte's own books there are no calls; of those on a remote service the calls know more. */
@Injectable()
export class EffectRecordsRepository extends EffectRecords {
  override async find(
    tx: Transaction,
    organizationId: string,
    keys: readonly string[],
  ): Promise<Map<string, RecordedEffect>> {
    if (keys.length === 0) return new Map();
    const rows = await tx.$queryRaw<(RecordedEffect & { key: string })[]>`
      select e.key, e.operation, e.amount_minor as "amountMinor", e.run_id::text as "runId",
        case when e.state = 'applied' then 'applied' when c.abandoned then 'abandoned' when c.unknown then 'unknown'
          when c.intended then 'intended' else e.state::text end as state
      from effect e
      left join lateral (
        select bool_or(f.abandoned_at is not null) as abandoned, bool_or(f.state = 'unknown') as unknown,
          bool_or(f.state = 'intended') as intended
        from finance_call f where f.organization_id = e.organization_id and f.effect_key = e.key
      ) c on true
      where e.organization_id = ${organizationId}::uuid and e.key = any(${keys}::text[])`;
    return new Map(rows.map(({ key, ...record }) => [key, record]));
  }
}
