import type { DisputeFacts, OrderFacts, PaymentFacts, RefundFacts } from '../../events/event';
import { readInstalments } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { disputeKey, fullPaymentKey, refundKey } from '../mapping/keys';
import type { AwaitedCharge } from '../mapping/order-events';
import { keptDifference, linesOfSale, partsOfSale, type Shares } from '../mapping/shares';
import type { Payload } from '../payload';
import { flagSetting, textSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { sharesOf } from './commissions';
import { customerOf } from './customer';
import { GATEWAY, PLATFORM, type Sale } from './sale';

/** What else was fetched about a sale; undefined: nothing. */
export interface Parts {
  readonly users: Payload | undefined;
  readonly commissions: Payload | undefined;
}

/** The order that a sale of this shop's own is: each renewal of a subscription is one. @throws UnreadablePayload */
export function orderOf(
  sale: Sale,
  { users, commissions }: Parts,
  { receivedAt }: StoredWebhook,
  context: SourceContext,
): OrderFacts {
  const { purchase, transaction, orderKey, charged, state, isPaid } = sale;
  const shares = isPaid ? sharesOf(sale, commissions) : undefined;
  const payment = shares && paymentOf(sale, shares);
  const chosen = readInstalments([purchase.at('payment').text('installments_number')]);
  return defined({
    ...{ key: orderKey, source: context.source, id: transaction, number: transaction, total: charged },
    ...(shares && partsOfSale(shares, GATEWAY)),
    createdAt: sale.createdAt,
    cancelledAt: isOver(sale) ? receivedAt : undefined,
    paidAt: payment?.paidAt,
    instalments: chosen.instalments,
    test: isTest(context),
    customer: customerOf(sale, users, context.source),
    payments: payment ? [payment] : [],
    refunds: state === 'refunded' ? [refundOf(sale, receivedAt)] : [],
    lines: linesOfSale(shares ?? { charged }, sale.item.at('product').text('name') ?? ''),
    differences: [...chosen.differences, ...(shares ? differencesOf(sale, shares) : [])],
  });
}

function differencesOf({ status, state }: Sale, shares: Shares): string[] {
  return [
    ...shares.differences,
    ...(state === 'refunded' || state === 'chargeback' ? keptDifference(PLATFORM, shares) : []),
    ...(status === 'PARTIALLY_REFUNDED'
      ? [
          'A part of the sale went back to the buyer, and Hotmart does not say how much: enter it from the statement.',
        ]
      : []),
  ];
}

function paymentOf(sale: Sale, { charged, fee, own }: Shares): PaymentFacts {
  const { purchase, orderKey, method, approvedAt, createdAt } = sale;
  return defined({
    ...{ key: fullPaymentKey(orderKey), gateway: GATEWAY, method, value: charged },
    brand: brandOf(purchase.at('payment')),
    fee: fee?.isPositive ? fee : undefined,
    net: own,
    ...(approvedAt ? { paidAt: approvedAt } : { paidAt: createdAt, datedBy: 'order_date' }),
  });
}

/** Hotmart writes a card's brand behind the kind of payment: `CREDIT_CARD_VISA`. */
function brandOf(payment: Payload): string | undefined {
  const type = payment.word('type');
  const method = payment.word('method');
  const isBranded = type !== undefined && method?.startsWith(`${type}_`) === true;
  return isBranded ? method?.slice(type.length + 1).toLowerCase() || undefined : undefined;
}

/** Hotmart does not say when. */
function refundOf({ orderKey, charged }: Sale, refundedAt: Date): RefundFacts {
  return {
    ...{ key: refundKey(orderKey, 'full'), value: charged, paymentKey: fullPaymentKey(orderKey) },
    ...{ gateway: GATEWAY, refundedAt },
  };
}

/** Hotmart does not say how a chargeback ends, so that it stays open. */
export function disputeOf(sale: Sale, { receivedAt }: StoredWebhook, context: SourceContext): DisputeFacts {
  const { transaction: id, orderKey, charged } = sale;
  const { source } = context;
  return {
    ...{ key: disputeKey(source, id), source, id, orderKey, gateway: GATEWAY, value: charged },
    ...{ state: 'open', openedAt: receivedAt, test: isTest(context) },
  };
}

/**
 * Whether a boleto or Pix will not be paid any more, and the sale with it: who buys after that has another sale. One whose card
 * was refused never was a sale.
 */
function isOver({ isAwaited, state }: Sale): boolean {
  return isAwaited && (state === 'expired' || state === 'cancelled');
}

/** The boleto or Pix that a sale waits for, or waited for in vain; undefined where it waits for nothing. */
export function awaitedOf(sale: Sale, { receivedAt }: StoredWebhook): AwaitedCharge | undefined {
  const { orderKey, method, charged, state, isAwaited, createdAt } = sale;
  const expired = state === 'expired';
  if (!isAwaited || (state !== 'waiting' && !expired)) return undefined;
  return {
    charge: { key: fullPaymentKey(orderKey), gateway: GATEWAY, method, value: charged },
    at: expired ? receivedAt : createdAt,
    expired,
  };
}

/** Of Hotmart's sandbox, and the source does not book that: the address that it is fetched from says so. */
export function isTest({ settings }: SourceContext): boolean {
  const isSandbox = /^https:\/\/sandbox\./.test(textSetting(settings, 'apiUrl') ?? '');
  return isSandbox && !flagSetting(settings, 'bookTestOrders');
}
