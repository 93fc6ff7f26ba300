import { shopifyOrder } from '../shop-orders';
import { decimal, type Dispute, type Order, sum } from './facts';
import type { Message } from './messages';
import { type Moment, momentsOf } from './moments';

type Unsent = Omit<Message, 'id'>;

const TOPICS = { created: 'orders/create', paid: 'orders/paid', cancelled: 'orders/cancelled' } as const;

/** What Shopify sends of an order: it whole at each of its moments, and its disputes. */
export function shopifyMessages(order: Order): Unsent[] {
  const moments = momentsOf(order).filter(({ what }) => what !== 'pending');
  return [
    ...moments.flatMap(messagesAt),
    ...order.disputes.flatMap((dispute) => disputeMessages(order, dispute)),
  ];
}

/** A payment comes as an order update, too. */
function messagesAt(moment: Moment): Unsent[] {
  const { what, order } = moment;
  const message = (topic: string): Unsent => ({ source: 'shopify', topic, body: json(orderAt(moment)) });
  if (what === 'paid')
    return isPaid(order) ? [message('orders/paid'), message('orders/updated')] : [message('orders/updated')];
  return [message(what in TOPICS ? TOPICS[what as keyof typeof TOPICS] : 'orders/updated')];
}

function orderAt({ order, at }: Moment): object {
  const { id, number, buyer, cents, placedAt, instalments, payments, charge, cancelledAt } = order;
  const own = { id, number, total: decimal(cents), ...named(buyer), instalments };
  const sample = JSON.parse(shopifyOrder(own, isPaid(order)).toString()) as Record<string, unknown>;
  const gateways =
    payments.length > 0 ? payments.map(({ gateway }) => gateway) : [charge?.gateway ?? 'shopify_payments'];
  return {
    ...sample,
    ...{ created_at: placedAt, processed_at: placedAt, updated_at: at },
    financial_status: statusOf(order),
    total_outstanding: decimal(cents - sum(payments.map((payment) => payment.cents))),
    payment_gateway_names: [...new Set(gateways)],
    cancelled_at: cancelledAt ?? null,
    customer: { ...(sample['customer'] as object), id: 70_000 + buyer.id },
    transactions: payments.map((payment) => ({
      ...{ id: Number(payment.id), kind: 'sale', status: 'success', gateway: payment.gateway },
      ...{ amount: decimal(payment.cents), currency: 'BRL', processed_at: payment.at },
    })),
    refunds: refundsOf(order),
  };
}

function refundsOf({ refunds, payments: [first] }: Order): object[] {
  return refunds.map(({ id, cents, gateway, at }) => ({
    ...{ id: Number(id), created_at: at, processed_at: at },
    transactions: [
      {
        ...{ id: Number(`${id}1`), parent_id: Number(first?.id), kind: 'refund', status: 'success', gateway },
        ...{ amount: decimal(cents), currency: 'BRL', processed_at: at },
      },
    ],
  }));
}

function statusOf(order: Order): string {
  const { cents, payments, refunds, cancelledAt, expiredAt, charge } = order;
  const back = sum(refunds.map((refund) => refund.cents));
  if (back > 0n) return back < cents ? 'partially_refunded' : 'refunded';
  if (isPaid(order)) return 'paid';
  if (payments.length > 0) return 'partially_paid';
  if (cancelledAt !== undefined) return 'voided';
  if (expiredAt !== undefined) return 'expired';
  return charge ? 'pending' : 'authorized';
}

function isPaid({ cents, payments }: Order): boolean {
  return sum(payments.map((payment) => payment.cents)) >= cents;
}

function disputeMessages(
  { id: order_id }: Order,
  { id, cents, openedAt, closedAt, isWon }: Dispute,
): Unsent[] {
  const opened = {
    ...{
      id,
      order_id,
      type: 'chargeback',
      amount: decimal(cents),
      currency: 'BRL',
      status: 'needs_response',
    },
    ...{ initiated_at: openedAt, finalized_on: null },
  };
  const closed = { ...opened, status: isWon ? 'won' : 'lost', finalized_on: closedAt };
  return [
    { source: 'shopify', topic: 'disputes/create', body: json(opened) },
    { source: 'shopify', topic: 'disputes/update', body: json(closed) },
  ];
}

function named({ name, document, email }: Order['buyer']) {
  return { name, document, email };
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}
