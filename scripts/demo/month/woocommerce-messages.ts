import { wooOrder } from '../shop-orders';
import { gatewaysOf } from './accounts';
import { decimal, type Order, sum } from './facts';
import type { Message } from './messages';
import { type Moment, momentsOf } from './moments';

type Unsent = Omit<Message, 'id'>;

/** What WooCommerce sends of an order: it whole at each of its moments. */
export function wooMessages(order: Order): Unsent[] {
  return momentsOf(order)
    .filter(({ what }) => what !== 'pending')
    .map((moment) => ({
      source: 'woocommerce',
      topic: moment.what === 'created' ? 'order.created' : 'order.updated',
      body: Buffer.from(JSON.stringify(orderAt(moment))),
    }));
}

function orderAt({ order, at }: Moment): object {
  const { id, number, buyer, cents, placedAt, instalments, payments, charge, refunds } = order;
  const [paid] = payments;
  const { name, document, email } = buyer;
  const own = { id, number, total: decimal(cents), name, document, email, instalments };
  const sample = JSON.parse(wooOrder(own, paid ? 'processing' : 'pending').toString()) as object;
  const gateway = paid?.gateway ?? charge?.gateway ?? gatewaysOf('woocommerce').card;
  return {
    ...sample,
    ...{ status: statusOf(order), customer_id: buyer.id },
    ...{ date_created: placedAt.slice(0, 19), date_created_gmt: gmt(placedAt), date_modified_gmt: gmt(at) },
    date_paid_gmt: paid ? gmt(paid.at) : null,
    ...{ payment_method: gateway, payment_method_title: paid?.method ?? charge?.method ?? 'credit_card' },
    meta_data: [
      { key: '_billing_cpf', value: document },
      { key: 'parcelas', value: String(instalments) },
      ...(paid && paid.fee > 0n ? [{ key: '_stripe_fee', value: decimal(paid.fee) }] : []),
      ...(charge ? [{ key: 'pagbank_boleto_due_date', value: charge.dueOn }] : []),
    ],
    refunds: refunds.map((refund) => ({ id: Number(refund.id), reason: '', total: decimal(-refund.cents) })),
  };
}

function statusOf({ cents, payments, refunds, cancelledAt, expiredAt, charge }: Order): string {
  if (payments.length > 0)
    return sum(refunds.map((refund) => refund.cents)) === cents ? 'refunded' : 'processing';
  if (cancelledAt !== undefined) return 'cancelled';
  if (expiredAt !== undefined) return 'failed';
  return charge ? 'on-hold' : 'pending';
}

/** As WooCommerce writes times in GMT: without an offset. */
function gmt(at: string): string {
  return new Date(at).toISOString().slice(0, 19);
}
