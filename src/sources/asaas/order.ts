import type { OrderFacts, OrderLine, SettlementEvent } from '../../events/event';
import { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { editKey, fullPaymentKey, settlementKey } from '../mapping/keys';
import { lineOfPrice, partOf } from '../mapping/lines';
import { withRaw } from '../mapping/order-events';
import { shown, sumOf } from '../mapping/sums';
import type { Payload } from '../payload';
import { flagSetting, textSetting } from '../settings';
import type { SourceContext, StoredWebhook } from '../source';
import { type Charge, CURRENCY, GATEWAY, isCreditedEarly, keptOf, paymentOf, settledAt } from './charge';
import { customerOf } from './customer';
import { disputedSince } from './dispute';
import { refundsOf } from './refunds';

const ONE = 1_000_000n;

/**
 * The order that a charge is: of Asaas's instalments each is one of its own, with its own due date, fee and refunds.
 * @param differences of what else the charge says
 * @throws UnreadablePayload
 */
export function orderOf(
  charge: Charge,
  customer: Payload | undefined,
  webhook: StoredWebhook,
  context: SourceContext,
  differences: readonly string[],
): OrderFacts {
  const { place, id, orderKey, value, isPaid, isDeleted } = charge;
  const paid = isPaid ? paymentOf(charge, context) : undefined;
  const late = paid && latePart(charge);
  const back = isPaid
    ? refundsOf(charge, disputedSince(charge, context), webhook.receivedAt, context)
    : { refunds: [], differences: [] };
  return defined({
    ...{ key: orderKey, source: context.source, id, total: late ? value.minus(late) : value },
    number: place.text('externalReference') ?? place.text('invoiceNumber') ?? id,
    createdAt: charge.createdAt,
    cancelledAt: isDeleted && !isPaid ? webhook.receivedAt : undefined,
    paidAt: paid?.payment.paidAt,
    instalments: 1,
    test: isTest(charge, context),
    customer: customerOf(place, customer, context.source, orderKey),
    payments: paid ? [paid.payment] : [],
    refunds: back.refunds,
    ...(late && { edits: [{ key: editKey(orderKey, 'late'), value: late, editedAt: paid.payment.paidAt }] }),
    lines: linesOf(charge),
    differences: [
      ...(paid?.differences ?? []),
      ...back.differences,
      ...(isDeleted && isPaid ? ['The payment is removed at Asaas, although it was paid.'] : []),
      ...(isPaid ? splitDifference(place) : []),
      ...differences,
    ],
  });
}

/** Of Asaas's sandbox, and the source does not book that: its invoices, or the address that it is fetched from, say so. */
export function isTest({ place }: Charge, { settings }: SourceContext): boolean {
  const isSandbox =
    /^https:\/\/sandbox\./.test(place.textIfAny('invoiceUrl') ?? '') ||
    /^https:\/\/(?:api-)?sandbox\./.test(textSetting(settings, 'apiUrl') ?? '');
  return isSandbox && !flagSetting(settings, 'bookTestOrders');
}

/**
 * Interest and fine of a buyer who paid late: Asaas adds them to the value once it is paid, and while it waited the order was told
 * without them. Undefined where there are none.
 */
function latePart({ place, value }: Charge): Money | undefined {
  const original = partOf(place, 'originalValue', CURRENCY);
  if (!place.has('originalValue') || original === undefined || original <= 0n) return undefined;
  return value.minor > original ? Money.ofMinor(value.minor - original, CURRENCY) : undefined;
}

/** What was charged, and what the buyer paid for being late. */
function linesOf(charge: Charge): OrderLine[] {
  const title = charge.place.text('description');
  if (title === undefined) return [];
  const late = latePart(charge);
  if (late === undefined) return [lineOfPrice(title, undefined, ONE, charge.value)];
  return [
    lineOfPrice(title, undefined, ONE, charge.value.minus(late)),
    lineOfPrice('Juros e multa', undefined, ONE, late),
  ];
}

/** A sentence about what of a payment goes to other accounts of Asaas. */
function splitDifference(place: Payload): string[] {
  const going = place
    .firstItems('split', 100)
    .filter((one) => !['CANCELLED', 'REFUNDED'].includes(one.textIfAny('status') ?? ''));
  if (going.length === 0) return [];
  const values = going.flatMap((one) => splitValue(one) ?? []);
  const what = values.length === going.length ? shown(sumOf(values), CURRENCY) : 'a part';
  return [`A split sends ${what} of it to other accounts of Asaas: book that by hand.`];
}

/** What goes to one other account, in minor units; undefined where Asaas says a percentage alone. */
function splitValue(split: Payload): bigint | undefined {
  const name = ['totalValue', 'fixedValue'].find((one) => split.has(one));
  return name === undefined ? undefined : partOf(split, name, CURRENCY);
}

/**
 * What Asaas keeps of money that is there before the day that was announced: it was said with the payment, and waits for that day.
 * Where the money came on that day or later, it is posted by then.
 */
function earlyFee(
  charge: Charge,
  context: SourceContext,
): Pick<SettlementEvent['settlement'], 'fee' | 'feeAnnounced'> {
  const { fee } = keptOf(charge);
  return fee && isCreditedEarly(charge, context.timeZone) ? { fee, feeAnnounced: true } : {};
}

/** The money of a card that became available; undefined while it did not. */
export function settlementOf(
  charge: Charge,
  test: boolean,
  context: SourceContext,
): SettlementEvent | undefined {
  const at = settledAt(charge, context);
  if (at === undefined) return undefined;
  const payment = fullPaymentKey(charge.orderKey);
  const key = settlementKey(payment, 1);
  const settlement = {
    ...{ key, source: context.source, id: charge.id, orderKey: charge.orderKey, paymentKey: payment },
    ...{ gateway: GATEWAY, number: 1, of: 1, value: charge.value, settledAt: at, test },
    ...earlyFee(charge, context),
  };
  return withRaw({ type: 'payment.settled', key, occurredAt: at, settlement }, charge.place);
}
