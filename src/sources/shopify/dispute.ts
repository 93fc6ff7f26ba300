import type { DisputeFacts } from '../../events/event';
import { defined } from '../mapping/defined';
import { disputeKey, orderKey } from '../mapping/keys';
import { disputeEvent } from '../mapping/order-events';
import type { Payload } from '../payload';
import type { Normalised, SourceContext, StoredWebhook } from '../source';

/** Shopify's statuses that end a dispute; every other leaves it open. */
const ENDED: Readonly<Record<string, DisputeFacts['state']>> = {
  won: 'won',
  lost: 'lost',
  accepted: 'lost',
  charge_refunded: 'lost',
};

/** Disputes are about payments by Shopify's own gateway alone. */
const GATEWAY = 'shopify_payments';

/** A dispute's own payload, which names its order. An inquiry asks a question, and no money moves. */
export function readDispute(payload: Payload, webhook: StoredWebhook, context: SourceContext): Normalised {
  const zone = context.timeZone;
  const id = payload.identifier('id') ?? payload.missing('id');
  const type = payload.word('type') ?? 'chargeback';
  if (type !== 'chargeback') return { ignored: `the dispute is an ${type}: no money was taken back` };
  const currency = payload.currency('currency') ?? context.currency;
  const value = payload.amount('amount', currency) ?? payload.missing('amount');
  if (!value.isPositive) payload.fail('amount', 'must be more than zero');
  const status = payload.word('status') ?? payload.missing('status');
  const state = ENDED[status] ?? 'open';
  const order = payload.identifier('order_id');
  const openedAt = payload.instant('initiated_at', zone) ?? webhook.receivedAt;
  const closedAt = payload.instant('finalized_on', zone);
  const key = disputeKey(context.source, id);
  const dispute: DisputeFacts = defined({
    ...{ key, source: context.source, id, gateway: GATEWAY, value, state, openedAt, test: false },
    orderKey: order === undefined ? undefined : orderKey(context.source, order),
    closedAt: state === 'open' ? undefined : (closedAt ?? webhook.receivedAt),
  });
  return { events: [disputeEvent(dispute, payload)] };
}
