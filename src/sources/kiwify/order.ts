import type { DisputeFacts, OrderFacts, PaymentFacts, RefundFacts } from '../../events/event';
import type { Money } from '../../kernel/money';
import { parseDay, parseInstant } from '../instant';
import { isoOfBrazilian } from '../mapping/brazilian-dates';
import { readInstalments } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { disputeKey, fullPaymentKey, orderKey, refundKey } from '../mapping/keys';
import type { AwaitedCharge, PaymentDate, ReadOrder } from '../mapping/order-events';
import { keptDifference, linesOfSale, partsOfSale, type Shares } from '../mapping/shares';
import { RECEIVED } from '../mapping/order-events';
import type { Payload } from '../payload';
import { flagSetting } from '../settings';
import type { SourceContext } from '../source';
import { GATEWAY, PLATFORM, sharesOf } from './commissions';
import { customerOf } from './customer';

const REFUNDED = ['refunded'];
const CHARGED_BACK = ['chargedback', 'chargeback'];
/** What `order_status` says of money that came, whether or not it is still there. */
const PAID = ['paid', ...REFUNDED, ...CHARGED_BACK];
const WAITING = 'waiting_payment';
/** The statuses that an event agrees with; where the order has another one, the first is true. */
const AGREEING: Readonly<Record<string, readonly string[]>> = {
  order_approved: PAID,
  subscription_renewed: PAID,
  order_refunded: REFUNDED,
  chargeback: CHARGED_BACK,
};
/** What buys in the webhook that Kiwify's button Testar webhook sends: it has no other mark. */
const TEST_BUYER = 'johndoe@example.com';
const TEST_PRODUCT = 'Example product';

export interface KiwifyOrder extends ReadOrder {
  /** The evidence that dates what went back, where Kiwify does not; undefined: it does. */
  readonly backDatedBy: string | undefined;
  /** The chargeback that took the payment back. */
  readonly dispute?: DisputeFacts;
}

/**
 * One sale. The total is what the buyer was charged, interest of instalments included. Where event and status disagree, the
 * event is true.
 * @throws UnreadablePayload
 */
export function readOrder(
  order: Payload,
  event: string,
  receivedAt: Date,
  context: SourceContext,
): KiwifyOrder {
  const zone = context.timeZone;
  const id = order.identifier('order_id') ?? order.missing('order_id');
  const key = orderKey(context.source, id);
  const status = order.word('order_status') ?? order.missing('order_status');
  const createdAt = order.instant('created_at', zone) ?? order.missing('created_at');
  const updatedAt = order.instant('updated_at', zone);
  const backAt = order.instant('refunded_at', zone) ?? updatedAt ?? receivedAt;
  const shares = sharesOf(order, context.currency);
  const agreeing = AGREEING[event] ?? [status];
  const state = agreeing.includes(status) ? status : (agreeing[0] ?? status);
  const payment = PAID.includes(state) ? paymentOf(order, key, shares, zone) : undefined;
  const wentBack = backOf(state);
  const refunds = wentBack === 'refund' && shares.charged.isPositive ? [refundOf(key, shares, backAt)] : [];
  const chosen = readInstalments([order.text('installments')]);
  const test = isTest(order) && !flagSetting(context.settings, 'bookTestOrders');
  const facts: OrderFacts = defined({
    ...{ key, source: context.source, id, number: order.text('order_ref') ?? id, total: shares.charged },
    ...partsOfSale(shares, GATEWAY),
    createdAt,
    updatedAt,
    paidAt: payment?.paidAt,
    instalments: chosen.instalments,
    test,
    customer: customerOf(order, context.source, key),
    payments: payment ? [payment] : [],
    refunds,
    lines: linesOfSale(shares, order.at('Product').text('product_name') ?? ''),
    differences: [
      ...(payment ? shares.differences : []),
      ...chosen.differences,
      ...(agreeing.includes(status)
        ? []
        : [`The event is ${event}, but the status of the order is ${status}.`]),
      ...(wentBack ? keptDifference(PLATFORM, shares) : []),
    ],
  });
  return {
    ...{ facts, status },
    backDatedBy: order.has('refunded_at') ? undefined : updatedAt ? 'updated_at' : RECEIVED,
    ...(status === WAITING && !payment && shares.charged.isPositive
      ? { awaited: awaitedCharge(order, key, shares.charged, createdAt, zone) }
      : {}),
    ...(wentBack === 'chargeback' && shares.charged.isPositive
      ? { dispute: disputeOf(facts, id, backAt) }
      : {}),
  };
}

/** Whether and how the money went back. */
function backOf(status: string): 'refund' | 'chargeback' | undefined {
  if (REFUNDED.includes(status)) return 'refund';
  return CHARGED_BACK.includes(status) ? 'chargeback' : undefined;
}

function paymentOf(order: Payload, key: string, { charged, fee, own }: Shares, zone: string): PaymentFacts {
  return defined({
    key: fullPaymentKey(key),
    gateway: GATEWAY,
    method: order.text('payment_method') ?? '',
    brand: order.text('card_type'),
    value: charged,
    fee: fee?.isPositive ? fee : undefined,
    net: own,
    ...paymentDate(order, zone),
  });
}

function paymentDate(order: Payload, zone: string): PaymentDate {
  const approvedAt = order.instant('approved_date', zone);
  if (approvedAt) return { paidAt: approvedAt };
  return { paidAt: order.instant('created_at', zone) ?? order.missing('created_at'), datedBy: 'created_at' };
}

/** Kiwify gives back the whole of a sale. */
function refundOf(key: string, { charged }: Shares, refundedAt: Date): RefundFacts {
  return {
    ...{ key: refundKey(key, 'full'), value: charged, paymentKey: fullPaymentKey(key) },
    ...{ gateway: GATEWAY, refundedAt },
  };
}

/** Kiwify does not say how a chargeback ends, so that it stays open. */
function disputeOf({ key, source, total, test }: OrderFacts, id: string, openedAt: Date): DisputeFacts {
  return {
    ...{ key: disputeKey(source, id), source, id, orderKey: key, gateway: GATEWAY, value: total },
    ...{ state: 'open', openedAt, test },
  };
}

function isTest(order: Payload): boolean {
  return (
    order.at('Customer').text('email') === TEST_BUYER &&
    order.at('Product').text('product_name') === TEST_PRODUCT
  );
}

/** The boleto or Pix that an order waits for. What cannot be read of its dates is left out: nothing is booked by them. */
function awaitedCharge(
  order: Payload,
  orderKey: string,
  value: Money,
  at: Date,
  zone: string,
): AwaitedCharge {
  const due = isoOfBrazilian(order.text('boleto_expiry_date'));
  const expiry = isoOfBrazilian(order.text('pix_expiration'));
  return {
    charge: defined({
      ...{
        key: fullPaymentKey(orderKey),
        gateway: GATEWAY,
        method: order.text('payment_method') ?? '',
        value,
      },
      dueDate: due === undefined ? undefined : parseDay(due, zone),
      expiresAt: expiry === undefined ? undefined : parseInstant(expiry, zone),
      line: order.text('boleto_barcode') ?? order.text('pix_code'),
    }),
    at,
    expired: false,
  };
}
