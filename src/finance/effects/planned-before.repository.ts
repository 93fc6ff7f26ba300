import type { Transaction } from '../../database/transaction';
import type { PlannedEffect } from '../api/effects/effect';
import { type EffectKey, keyOf } from './effects.repository';

/** An effect as it was planned when it was applied, as the run that applied it tells. */
export interface PlannedBefore {
  effect: Pick<PlannedEffect, 'operation' | 'input' | 'notBefore'>;
  rule: string;
  ruleVersion: number;
  /** Whether its dates are facts; false: inferred, or not known to be facts. */
  datesKnown: boolean;
  /** When what asked for it was so, in ISO 8601 and UTC; null: nothing says. */
  saidAt: string | null;
  /** Whether one of the organization's rules, lookup tables or settings was put since then. */
  rulesPut: boolean;
}

/** @returns by {@link keyOf}; an effect whose run does not tell, or no longer, is left out */
export async function findPlannedBefore(
  tx: Transaction,
  keys: readonly EffectKey[],
): Promise<Map<string, PlannedBefore>> {
  if (keys.length === 0) return new Map();
  const organizations = keys.map(({ organizationId }) => organizationId);
  const names = keys.map(({ key }) => key);
  const rows = await tx.$queryRaw<(EffectKey & PlannedBefore)[]>`
    select e.organization_id::text as "organizationId", e.key, planned.effect, r.rule, r.rule_version as "ruleVersion",
      coalesce((r.plan -> 'datesKnown')::boolean, false) as "datesKnown", r.plan ->> 'saidAt' as "saidAt",
      coalesce(o.rules_put_at > e.updated_at, false) as "rulesPut"
    from unnest(${organizations}::uuid[], ${names}::text[]) as k(organization_id, key)
    join effect e on e.organization_id = k.organization_id and e.key = k.key
    join organization o on o.id = e.organization_id
    join run r on r.id = e.run_id and not r.plan ? 'removedAt'
    cross join lateral (
      select one.effect from jsonb_array_elements(r.plan -> 'steps') as s(step),
        jsonb_array_elements(s.step -> 'effects') as one(effect)
      where one.effect ->> 'key' = e.key limit 1
    ) planned`;
  return new Map(rows.map(({ organizationId, key, ...before }) => [keyOf({ organizationId, key }), before]));
}
