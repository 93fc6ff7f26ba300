import type { PaymentFacts } from '../../events/event';
import { MOST_PAYMENTS } from '../../events/limits';
import { paymentKey } from '../mapping/keys';
import { moneyOf, sumDifference } from '../mapping/lines';
import type { PaymentDate } from '../mapping/order-events';
import { shown } from '../mapping/sums';
import type { Payload } from '../payload';
import { deliveredBy, IFOOD, type Sale } from './sale';

/** The gateway of all that comes with iFood's payout. */
export const GATEWAY = 'ifood';
const OFFLINE = 'OFFLINE';
const ONLINE = 'ONLINE';

/** iFood's ways to pay, and what Ponte's tables call them; any other has iFood's name in lower case. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['CREDIT', 'credit_card'],
  ['DEBIT', 'debit_card'],
]);

/** One way in which the buyer pays. */
interface Method {
  readonly name: string;
  /** Minor units. */
  readonly value: bigint;
  readonly brand: string | undefined;
  /** The restaurant takes it, on delivery or at the counter. */
  readonly isOwn: boolean;
}

/** Who has the money of an order. */
export interface Paid {
  readonly payments: PaymentFacts[];
  /** Minor units that the restaurant took for iFood, which takes them off its payout. */
  readonly owedToIfood: bigint;
  readonly differences: readonly string[];
}

/**
 * What the restaurant took itself is a payment for each way to pay; the rest of the sale comes with iFood's payout, as one
 * payment: what the buyer paid online and the discounts that iFood pays, less what is iFood's.
 * @throws UnreadablePayload
 */
export function paidOf(order: Payload, sale: Sale, orderKey: string, date: PaymentDate): Paid {
  const { currency } = sale.orderAmount;
  const methods = methodsOf(order, currency);
  const own = methods.filter(({ isOwn }) => isOwn);
  const taken = [...new Set(own.map(({ name }) => name))].flatMap((name) => {
    const alike = own.filter((method) => method.name === name);
    const names = { key: paymentKey(orderKey, `till-${name}`), gateway: `${GATEWAY}_${name}`, method: name };
    return paymentOf(sumOf(alike), currency, { ...names, ...brandOf(alike), ...date });
  });
  const rest = sale.value - sumOf(own);
  const online = methods.filter(({ isOwn }) => !isOwn);
  const [method = '', ...others] = new Set(online.map(({ name }) => name));
  const names = {
    key: paymentKey(orderKey, GATEWAY),
    gateway: GATEWAY,
    method: others.length > 0 ? '' : method,
  };
  return {
    payments: [...paymentOf(rest, currency, { ...names, ...brandOf(online), ...date }), ...taken],
    owedToIfood: rest < 0n ? -rest : 0n,
    differences: [...differencesOf(order, methods, sale), ...courierDifference(order, currency)],
  };
}

/** None where it comes to nothing. */
function paymentOf(minor: bigint, currency: string, facts: Omit<PaymentFacts, 'value'>): PaymentFacts[] {
  const value = moneyOf([minor], currency);
  return value ? [{ ...facts, value }] : [];
}

function methodsOf(order: Payload, currency: string): Method[] {
  const isCourier = deliveredBy(order) === IFOOD;
  return payMethods(order)
    .map((place) => {
      const name = place.word('method') ?? place.missing('method');
      const own = place.currency('currency') ?? currency;
      if (own !== currency) place.fail('currency', 'is not the currency of the order');
      return {
        name: METHODS.get(name) ?? name.toLowerCase(),
        value: place.amount('value', currency)?.minor ?? place.missing('value'),
        brand: place.loosely('card').textIfAny('brand'),
        isOwn: isOffline(place) && !isCourier,
      };
    })
    .filter(({ value }) => value > 0n);
}

function payMethods(order: Payload): readonly Payload[] {
  return order.at('payments').items('methods', MOST_PAYMENTS);
}

/** By its type, else by whether it was paid before. */
function isOffline(method: Payload): boolean {
  const type = method.word('type');
  return type === undefined ? !method.flag('prepaid') : type === OFFLINE;
}

/** Where the buyer's payments are not what the buyer had to pay, or not said to be online or offline. */
function differencesOf(order: Payload, methods: readonly Method[], { orderAmount }: Sale): string[] {
  const { currency } = orderAmount;
  const payments = order.at('payments');
  const parts = (['prepaid', 'pending'] as const).map((key) => payments.amount(key, currency)?.minor ?? 0n);
  const unknown = payMethods(order)
    .map((place) => place.word('type'))
    .filter((type) => type !== undefined && type !== ONLINE && type !== OFFLINE);
  return [
    ...sumDifference('The payments come to', [sumOf(methods)], orderAmount),
    ...(payments.has('prepaid') || payments.has('pending')
      ? sumDifference('What was paid before and what is still to be paid come to', parts, orderAmount)
      : []),
    ...unknown.map(
      (type) =>
        `A payment is ${type}, neither ONLINE nor OFFLINE: it is taken for one that comes with iFood's payout.`,
    ),
  ];
}

/** What the buyer pays on delivery to a courier of iFood's is not in the restaurant's till. */
function courierDifference(order: Payload, currency: string): string[] {
  if (deliveredBy(order) !== IFOOD) return [];
  const offline = payMethods(order).filter(isOffline);
  const minor = offline.reduce((sum, place) => sum + (place.amount('value', currency)?.minor ?? 0n), 0n);
  if (minor === 0n) return [];
  return [
    `${shown(minor, currency)} are paid on delivery, where a courier of iFood's delivers: they are taken for money that comes with iFood's payout.`,
  ];
}

/** The brand of the only card; none where there are several. */
function brandOf(methods: readonly Method[]): Pick<PaymentFacts, 'brand'> {
  const [first, ...others] = methods;
  return others.length === 0 && first?.brand !== undefined ? { brand: first.brand } : {};
}

function sumOf(methods: readonly Method[]): bigint {
  return methods.reduce((sum, { value }) => sum + value, 0n);
}
