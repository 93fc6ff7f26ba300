import type { Transaction } from '../database/transaction';
import { settledEffect } from '../finance/api/effects/settled-effect';
import type { ApprovedPlan } from './approvals.repository';

/** An effect that was made as it was approved, or never will be. */
export interface SettledKey {
  readonly organizationId: string;
  /** Its business key. */
  readonly key: string;
}

/**
 * Leaves out of approvals what they say of people: their effects are settled, and nobody decides on them any more. Effects
 * that needed no approval, and those that wait for a decision, are passed over.
 */
export async function settleApprovals(tx: Transaction, settled: readonly SettledKey[]): Promise<void> {
  if (settled.length === 0) return;
  const rows = await tx.$queryRaw<{ id: string; plan: ApprovedPlan }[]>`
    select a.id::text as id, a.plan
    from unnest(${settled.map(({ organizationId }) => organizationId)}::uuid[], ${settled.map(({ key }) => key)}::text[])
      as k(organization_id, key)
    join approval a on a.organization_id = k.organization_id and a.effect_key = k.key
    where a.state = 'approved' and a.plan -> 'leftOut' is null
    order by a.organization_id, a.effect_key for update of a`;
  const changed = rows
    .map(({ id, plan }) => ({ id, before: plan, plan: settledEffect(plan) }))
    .filter(({ before, plan }) => plan !== before);
  if (changed.length === 0) return;
  await tx.$executeRaw`
    update approval a set plan = r.plan
    from jsonb_to_recordset(${JSON.stringify(changed.map(({ id, plan }) => ({ id, plan })))}::jsonb) as r(id uuid, plan jsonb)
    where a.id = r.id`;
}
