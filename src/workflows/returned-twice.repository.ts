import type { Transaction } from '../database/transaction';
import { formatMinor, Money } from '../kernel/money';
import type { Organization } from '../kernel/organization';
import type { AttentionRepository } from './attention.repository';

/** An order of which a message says that money went back. */
export interface ReturningOrder {
  readonly organization: Organization;
  /** UUID of the source that said so. */
  readonly sourceId: string;
  /** Business key. */
  readonly key: string;
}

interface ReturnsRow {
  readonly place: number;
  readonly currency: string;
  /** Minor units that refunds and disputes took more than payments brought; not positive: they took no more. */
  readonly excess: bigint;
}

const CODE = 'returned-twice';
const DETAIL =
  'The order was refunded, and the buyer had its payment taken back as well: more went back than was paid. Send the gateway the refund as evidence';

/**
 * Asks a person where an order was refunded and charged back, so that more went back than was paid, and takes the question off the
 * list where it is so no longer. It asks what the messages about the order and its disputes say together; to be called after what
 * they say was stored. Refund and chargeback may come in any order, and at the same time: each order is checked by one
 * transaction after the other.
 */
export async function askAboutReturns(
  tx: Transaction,
  attention: AttentionRepository,
  orders: readonly ReturningOrder[],
  now: Date,
): Promise<void> {
  if (orders.length === 0) return;
  const [sources, keys] = [orders.map(({ sourceId }) => sourceId), orders.map(({ key }) => key)];
  await tx.$executeRaw`
    select count(pg_advisory_xact_lock(hashtextextended(n.name, 0)))
    from (
      select distinct 'returns/' || o.source_id || '/' || o.key as name
      from unnest(${sources}::uuid[], ${keys}::text[]) as o(source_id, key) order by 1
    ) n`;
  const rows = await tx.$queryRaw<ReturnsRow[]>`
    select o.place::int as place, f.currency, (refunded.minor + disputed.minor - paid.minor)::bigint as excess
    from unnest(${sources}::uuid[], ${keys}::text[]) with ordinality as o(source_id, key, place)
    join money_facts f on f.source_id = o.source_id and f.key = o.key and not f.test
    cross join lateral (select sum(value::bigint) as minor from jsonb_each_text(f.payments)) paid
    cross join lateral (select sum(value::bigint) as minor from jsonb_each_text(f.refunds)) refunded
    cross join lateral (
      select sum(d.total_minor - coalesce((select sum(value::bigint) from jsonb_each_text(d.refunds)), 0)) as minor
      from money_facts d
      where d.source_id = o.source_id and d.order_key = o.key and d.currency = f.currency and not d.test
    ) disputed
    where paid.minor is not null and refunded.minor is not null and disputed.minor is not null
    order by o.place`;
  const items = rows.flatMap(({ place, currency, excess }) => {
    const order = orders[place - 1];
    if (!order) return [];
    const { organization, key: businessKey } = order;
    const amount = formatMinor(excess > 0n ? excess : 0n, Money.exponentOf(currency));
    return [
      {
        ...{ organization, businessKey, deliveryId: null, runId: null },
        attention: { code: CODE, detail: DETAIL, amount, currency } as const,
        ...(excess <= 0n && { hasEnded: true as const }),
      },
    ];
  });
  await attention.record(tx, items, now);
}
