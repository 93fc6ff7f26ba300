import type { DisputeEvent, DisputeFacts } from '../../events/event';
import { defined } from '../mapping/defined';
import { disputeKey, orderKey } from '../mapping/keys';
import { disputeEvent } from '../mapping/order-events';
import type { Payload } from '../payload';
import { flagSetting, isWithoutSales } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { orderNameOf } from './order-id';
import { GATEWAY } from './payment';

/**
 * A chargeback as Mercado Pago tells it.
 * @param payment that it is of; undefined: it is not there, or there are several
 * @param raw what the event tells as its payload
 * @throws UnreadablePayload
 */
export function chargebackEvent(
  chargeback: Payload,
  payment: Payload | undefined,
  raw: Payload,
  webhook: StoredWebhook,
  context: SourceContext,
): DisputeEvent {
  const { source, timeZone } = context;
  const id = chargeback.identifier('id') ?? chargeback.missing('id');
  const key = disputeKey(source, id);
  const currency = chargeback.currency('currency') ?? chargeback.missing('currency');
  const value = chargeback.amount('amount', currency) ?? chargeback.missing('amount');
  if (!value.isPositive) chargeback.fail('amount', 'must be more than zero');
  const state = stateOf(chargeback, payment);
  const changedAt = chargeback.instant('date_last_updated', timeZone) ?? webhook.receivedAt;
  const openedAt = chargeback.instant('date_created', timeZone) ?? changedAt;
  const closedAt = state === 'open' ? undefined : changedAt;
  const dispute: DisputeFacts = defined({
    ...{ key, source, id, gateway: GATEWAY, value, state, openedAt },
    closedAt,
    // The shop that tells of the sale has another key for it.
    orderKey:
      payment && !isWithoutSales(context.settings) ? orderKey(source, orderNameOf(payment).id) : undefined,
    test: isTest(chargeback) && !flagSetting(context.settings, 'bookTestOrders'),
  });
  const isByChange = openedAt === changedAt || closedAt !== undefined;
  return disputeEvent(dispute, raw, isByChange ? 'date_last_updated' : undefined);
}

/** Whether it is of Mercado Pago's test mode; one that does not say is not. */
export function isTest(place: Payload): boolean {
  return place.has('live_mode') && !place.flag('live_mode');
}

/** Until it is decided whether Mercado Pago covers the shop, a chargeback is open. */
function stateOf(chargeback: Payload, payment: Payload | undefined): DisputeFacts['state'] {
  if (!chargeback.has('coverage_applied')) return 'open';
  if (chargeback.flag('coverage_applied')) return 'won';
  return payment?.word('status_detail') === 'in_process' ? 'open' : 'lost';
}
