import type { Client } from 'pg';

const DAYS = `interval '20 days'`;
const MAIN = `(select id from organization where slug = 'main')`;
const SOME_DELIVERY = `(select id from delivery where organization_id = ${MAIN} and state = 'done' limit 1)`;

/**
 * What people and rules leave behind that orders do not: audit entries, decided approvals, settled attention and parts of
 * later days grow with the deliveries; of what is open there is as much at every size, as somebody reads it.
 */
const STATEMENTS: readonly string[] = [
  `insert into audit_entry (id, organization_id, at, actor, action, subject, after, reason)
    select gen_random_uuid(), o.id, now() - random() * ${DAYS}, k.id::text,
      (array['delivery.replay', 'attention.resolve', 'approval.approve', 'rule.put'])[1 + i % 4], gen_random_uuid()::text,
      '{"state":"waiting"}', 'a reason of some words'
    from generate_series(1, $1::int / 20) i, organization o, (select id from api_key order by created_at limit 1) k`,
  `insert into attention (id, organization_id, delivery_id, business_key, code, detail, amount_minor, created_at, resolved_at)
    select gen_random_uuid(), o.id, ${SOME_DELIVERY}, 'shopify/order/a' || i, 'amount-changed', 'detail ' || i, 100,
      now() - random() * ${DAYS}, case when i > 120 then now() end
    from generate_series(1, 120 + $1::int / 50) i, organization o`,
  `insert into approval (id, organization_id, effect_key, state, plan, rule, rule_version, step, delivery_id, requested_at,
      decided_by, decided_at, reason)
    select gen_random_uuid(), o.id, 'payment/shopify/order/a' || i || '/refund/1',
      (case when i <= 120 then 'waiting' when i % 5 = 0 then 'declined' else 'approved' end)::approval_state,
      '{"operation":"payment.register","input":{"value":"30.00"},"amount":"30.00"}', 'large-refund', 1, 'refund', ${SOME_DELIVERY},
      now() - random() * ${DAYS}, case when i > 120 then 'somebody' end, case when i > 120 then now() end,
      case when i > 120 then 'a reason' end
    from generate_series(1, 120 + $1::int / 100) i, organization o`,
];

/** @param size of the database in deliveries */
export async function addDecisions(client: Client, size: number): Promise<void> {
  for (const statement of STATEMENTS) await client.query(statement, [size]);
  await client.query('vacuum (analyze) audit_entry, attention, approval');
}
