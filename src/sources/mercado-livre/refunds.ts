import type { DisputeFacts, RefundFacts } from '../../events/event';
import { MOST_REFUNDS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { disputeKey, refundKey } from '../mapping/keys';
import { shown, sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import { CHARGED_BACK, GATEWAY, type Paid, REFUNDED, statusOf } from './payments';

/** Statuses of a refund whose money did not leave, or not yet. */
const NOT_MADE = ['in_process', 'pending', 'authorized', 'rejected', 'cancelled'];
/** What `status_detail` says where Mercado Livre paid the buyer from its own programme, and the seller keeps the money. */
const COVERED = /^bpp_covered$|^ppv_covered/;
/** What it says where that is so of some refunds: each says where its money came from, or is taken for one of them. */
const PARTLY_COVERED = 'partially_bpp_covered';
/** What it says where the seller paid, although the programme handled it. */
const FROM_SELLER = /bpp_refunded$/;
/** Where a refund's money came from: the programme that protects buyers (Compra Garantida). */
const PROGRAMME = 'bpp';

/** What went back of a payment, and sentences about what is not booked of it. */
export interface Refunds {
  readonly refunds: RefundFacts[];
  /** What the buyer got from Mercado Livre's own programme, in minor units: the seller keeps it. */
  readonly covered: bigint;
  readonly differences: string[];
}

/**
 * What went back of a payment at the seller's cost, each refund by its own number.
 * @param detail the payment as it was asked for: it alone has the refunds; undefined where the application may not see it
 * @throws UnreadablePayload
 */
export function refundsOf(paid: Paid, detail: Payload | undefined, orderKey: string, zone: string): Refunds {
  const { place, value } = paid;
  if (statusOf(place) === CHARGED_BACK) return besideChargeback(paid, detail);
  const stated = statedBack(paid, detail);
  if (detail === undefined)
    return { refunds: [], covered: 0n, differences: stated?.isPositive ? [unseen(stated)] : [] };
  const read = refundsIn(detail, paid);
  const sum = sumOfValues(read);
  const details = [place, detail].map((one) => one.textIfAny('status_detail') ?? '');
  const own = read.filter(({ refund }) => !isCovered(refund, details));
  const covered = sum - sumOfValues(own);
  return {
    refunds: own.map((one) => refundOf(one.refund, one.value, paid, orderKey, zone)),
    covered,
    differences: [
      ...(covered > 0n ? [coveredSentence(covered, value.currency)] : []),
      ...sumDifferences(paid, sum, stated),
    ],
  };
}

/** A refund whose money left, and what of it is the goods'. */
interface Made {
  readonly refund: Payload;
  readonly value: Money;
}

function refundsIn(detail: Payload, paid: Paid): Made[] {
  const made = detail
    .items('refunds', MOST_REFUNDS)
    .filter((refund) => !NOT_MADE.includes(refund.word('status') ?? 'approved'));
  return made.map((refund) => ({ refund, value: valueOf(refund, paid, made.length === 1) }));
}

/** What the payment says that went back; a refunded one went back as a whole. */
function statedBack({ place, value }: Paid, detail: Payload | undefined): Money | undefined {
  const { currency } = value;
  const said =
    detail?.amount('transaction_amount_refunded', currency) ??
    detail?.amount('amount_refunded', currency) ??
    place.amount('transaction_amount_refunded', currency);
  return said ?? (statusOf(place) === REFUNDED ? value : undefined);
}

/**
 * A refund of everything gives the freight back too, which was never the seller's unless it is a part of the value.
 * @param isWhole whether it is the only refund
 */
function valueOf(refund: Payload, { value, goods, shipping }: Paid, isWhole: boolean): Money {
  const amount = refund.amount('amount', value.currency) ?? refund.missing('amount');
  if (!amount.isPositive) refund.fail('amount', 'must be more than zero');
  const hasFreight = isWhole && shipping !== undefined && amount.minor === goods.minor + shipping.minor;
  return hasFreight ? value : amount;
}

function isCovered(refund: Payload, details: readonly string[]): boolean {
  if (details.some((detail) => FROM_SELLER.test(detail))) return false;
  if (details.some((detail) => COVERED.test(detail))) return true;
  const source = refund.loosely('source').textIfAny('type');
  return source === PROGRAMME || (source === undefined && details.includes(PARTLY_COVERED));
}

function refundOf(refund: Payload, value: Money, { key }: Paid, orderKey: string, zone: string): RefundFacts {
  const id = refund.identifier('id') ?? refund.missing('id');
  return {
    ...{ key: refundKey(orderKey, id), value, paymentKey: key, gateway: GATEWAY },
    refundedAt: refund.instant('date_created', zone) ?? refund.missing('date_created'),
  };
}

/** Whether the sum that a payment states has the freight in it is not documented, so that either is taken. */
function sumDifferences({ place, value, goods }: Paid, sum: bigint, stated: Money | undefined): string[] {
  const { currency } = value;
  const back = shown(sum, currency);
  if (sum > value.minor) return [`${back} went back of a payment of ${value.withCurrency()}.`];
  const isAllGoods = stated !== undefined && stated.minor >= goods.minor && sum >= goods.minor;
  if (stated !== undefined && stated.minor !== sum && !isAllGoods)
    return [`The refunds come to ${back}, but the payment says that ${stated.withCurrency()} went back.`];
  return statusOf(place) === REFUNDED && sum < goods.minor
    ? [`The payment of ${value.withCurrency()} is refunded, but its refunds come to ${back}.`]
    : [];
}

function coveredSentence(minor: bigint, currency: string): string {
  return `Mercado Livre gave ${shown(minor, currency)} back to the buyer from its own programme, so that nothing is booked as taken from the seller: see its statement (extrato).`;
}

/** A chargeback takes the whole payment, so that a refund of it besides would be taken twice. */
function besideChargeback(paid: Paid, detail: Payload | undefined): Refunds {
  const sum = detail ? sumOfValues(refundsIn(detail, paid)) : 0n;
  if (sum === 0n) return { refunds: [], covered: 0n, differences: [] };
  const sentence = `${shown(sum, paid.value.currency)} went back of a payment that was also taken back as a whole, and the chargeback alone is booked: see the statement (extrato).`;
  return { refunds: [], covered: 0n, differences: [sentence] };
}

function unseen(stated: Money): string {
  return `${stated.withCurrency()} went back of a payment, and the application may not see by which refunds: enter them by hand.`;
}

/** How a chargeback stands, by the payment's `status_detail`; any other word: it is open. */
const STATES: ReadonlyMap<string, DisputeFacts['state']> = new Map([
  ['reimbursed', 'won'],
  ['settled', 'lost'],
]);

/** What an order says of itself for its chargebacks. */
type Owner = Pick<DisputeFacts, 'source' | 'test'> & { readonly key: string };

/** A chargeback of a payment; undefined where nobody took it back. It is known by the payment, and has no number of its own. */
export function disputeOf(
  { place, id, value }: Paid,
  owner: Owner,
  changedAt: Date,
  zone: string,
): DisputeFacts | undefined {
  if (statusOf(place) !== CHARGED_BACK || !value.isPositive) return undefined;
  const at = place.instant('date_last_modified', zone) ?? changedAt;
  const state = STATES.get(place.textIfAny('status_detail') ?? '') ?? 'open';
  return defined({
    ...{ key: disputeKey(owner.source, id), source: owner.source, id, orderKey: owner.key, gateway: GATEWAY },
    ...{ value, state, openedAt: at },
    closedAt: state === 'open' ? undefined : at,
    test: owner.test,
  });
}
