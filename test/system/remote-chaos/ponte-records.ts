import type { Database } from '../../../src/database/database';

/** What Ponte says of its work. */
export interface PonteRecords {
  deliveries: readonly StoredDelivery[];
  runs: readonly OrderRun[];
  parkedCalls: readonly ParkedCall[];
}

export interface StoredDelivery {
  dedupeKey: string;
  /** Ends in `/order/7`. */
  lane: string;
  state: string;
  reason: string | null;
}

/** A run of a rule on an order. */
export interface OrderRun {
  /** `shopify/order/7` */
  businessKey: string;
  organization: string;
  state: string;
  /** Keys of its effects that are parked, where it was refused. */
  parkedEffects: string[];
}

/** A call that only a person can decide. */
export interface ParkedCall {
  organization: string;
  operation: string;
  request: { body?: { document?: { number?: string } } };
  /** What each of its sendings came to, and what was seen of it; null: whoever sent it was killed. */
  outcomes: (string | null)[];
}

export async function readRecords({ prisma }: Database): Promise<PonteRecords> {
  const deliveries = await prisma.delivery.findMany({
    select: { dedupeKey: true, lane: true, state: true, reason: true },
  });
  const parkedCalls = await prisma.$queryRaw<ParkedCall[]>`
    select o.slug as organization, c.operation, c.request,
           array(select a.outcome || ': ' || coalesce(a.reply, '') from finance_attempt a where a.call_id = c.id) as outcomes
    from finance_call c join organization o on o.id = c.organization_id
    where c.state = 'unknown' and c.parked_at is not null`;
  const runs = await prisma.$queryRaw<OrderRun[]>`
    select r.business_key as "businessKey", o.slug as organization, r.state::text as state,
           array(select c.effect_key from finance_call c
                 where c.organization_id = r.organization_id and c.parked_at is not null
                   and r.state = 'refused' and position(c.effect_key in r.plan::text) > 0) as "parkedEffects"
    from run r join organization o on o.id = r.organization_id`;
  return { deliveries, runs, parkedCalls };
}
