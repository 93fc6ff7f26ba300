import type { PaymentFacts, RefundFacts, ReturnedItem } from '../../events/event';
import { MOST_LINES, MOST_REFUNDS } from '../../events/limits';
import { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { refundKey } from '../mapping/keys';
import type { Refunds } from '../mapping/order-events';
import { sumOfValues } from '../mapping/sums';
import type { Payload } from '../payload';
import { amountOf } from './units';

/** The invoice of what was sold; every other that has money to give back is of a return. */
const SALE = 'output';
const RETURN = 'input';

/** What refunds of an order are read with. */
export interface RefundReading {
  readonly orderKey: string;
  readonly currency: string;
  readonly payments: readonly PaymentFacts[];
  readonly zone: string;
  /** When it went back, where an invoice has no date. */
  readonly changedAt: Date;
}

/** An invoice that gives money back. */
interface Return {
  readonly invoice: Payload;
  readonly id: string;
  readonly value: Money;
}

/**
 * What went back: one refund for each invoice of a return (nota de devolução), of the sum that it gives back, known by the
 * invoice's number. What a gift card and money paid together goes back in parts by both, or by one of them, as the account at VTEX
 * is set: unless one invoice gives all of it back, nothing says how much of it was money.
 * @throws UnreadablePayload
 */
export function refundsOf(order: Payload, reading: RefundReading): Refunds {
  const titles = titlesOf(order);
  const returns = returnsIn(order, reading.currency);
  const refunds: RefundFacts[] = [];
  const differences: string[] = [];
  for (const one of returns) {
    const parts = partsOf(one, reading);
    if (parts === undefined) differences.push(unclear(one));
    else refunds.push(...parts.map((part, index) => refundOf(one, part, index === 0, titles, reading)));
  }
  return { refunds, differences };
}

/** @throws UnreadablePayload */
function returnsIn(order: Payload, currency: string): Return[] {
  const keys = new Set<string>();
  return order
    .at('packageAttachment')
    .items('packages', MOST_REFUNDS)
    .flatMap((invoice) => {
      const value = wentBack(invoice, currency);
      if (!value?.isPositive) return [];
      const id =
        invoice.identifier('invoiceNumber') ??
        invoice.identifier('invoiceKey') ??
        invoice.missing('invoiceNumber');
      if (keys.has(id)) invoice.fail('invoiceNumber', 'is of a refund that another invoice is of');
      keys.add(id);
      return [{ invoice, id, value }];
    });
}

/** What of a return went back in one way, and the payments that it may be of. */
interface Part {
  readonly id: string;
  readonly value: Money;
  readonly isCredit: boolean;
  readonly of: readonly PaymentFacts[];
}

/** The money first, which has the number of the invoice; undefined where nothing says how much of it is money. */
function partsOf({ invoice, id, value }: Return, { payments }: RefundReading): Part[] | undefined {
  if (restitutionOf(invoice).has('giftCardData')) return [{ id, value, isCredit: true, of: payments }];
  const money = payments.filter(({ storeCredit }) => !storeCredit);
  const credit = payments.filter(({ storeCredit }) => storeCredit);
  if (money.length === 0 || credit.length === 0)
    return [{ id, value, isCredit: credit.length > 0, of: payments }];
  if (sumOfValues(payments) !== value.minor) return undefined;
  const sum = (some: readonly PaymentFacts[]): Money => Money.ofMinor(sumOfValues(some), value.currency);
  return [
    { id, value: sum(money), isCredit: false, of: money },
    { id: `${id}.credit`, value: sum(credit), isCredit: true, of: credit },
  ];
}

function unclear({ id, value }: Return): string {
  return `${value.withCurrency()} went back with invoice ${id}, and VTEX does not say how much of it as money and how much to the gift card: enter what left an account.`;
}

/** A return names goods by their own identifier, or by the one that the seller has for them; the own one goes before. */
function titlesOf(order: Payload): ReadonlyMap<string, string | undefined> {
  const items = order.items('items');
  const named = (key: string) =>
    items.flatMap((item): [string, string | undefined][] => {
      const id = item.textIfAny(key);
      return id === undefined ? [] : [[id, item.textIfAny('name')]];
    });
  return new Map([...named('sellerSku'), ...named('id')]);
}

/** What VTEX was told to give back, else the value of the returned goods. */
function wentBack(invoice: Payload, currency: string): Money | undefined {
  const type = invoice.text('type')?.toLowerCase();
  if (type === SALE) return undefined;
  const stated = amountOf(restitutionOf(invoice), 'value', currency);
  return stated ?? (type === RETURN ? amountOf(invoice, 'invoiceValue', currency) : undefined);
}

function restitutionOf(invoice: Payload): Payload {
  return invoice.loosely('restitutions').loosely('Refund');
}

function refundOf(
  { invoice }: Return,
  { id, value, isCredit, of }: Part,
  isFirst: boolean,
  titles: ReadonlyMap<string, string | undefined>,
  { orderKey, zone, changedAt }: RefundReading,
): RefundFacts {
  const [payment, another] = of;
  const gateways = new Set(of.map(({ gateway }) => gateway));
  const gateway = gateways.size === 1 ? payment?.gateway : undefined;
  const returned = isFirst ? returnedOf(restitutionOf(invoice), titles) : [];
  return defined({
    ...{ key: refundKey(orderKey, id), value },
    paymentKey: another === undefined ? payment?.key : undefined,
    returned: returned.length > 0 ? returned : undefined,
    gateway: isCredit ? undefined : gateway || undefined,
    ...(isCredit && { storeCredit: true }),
    refundedAt: invoice.instant('issuanceDate', zone) ?? changedAt,
  });
}

/** What came back; what is paid to make up for something (`isCompensation`) brings nothing back. */
function returnedOf(restitution: Payload, titles: ReadonlyMap<string, string | undefined>): ReturnedItem[] {
  return restitution.firstItems('items', MOST_LINES).flatMap((item) => {
    const id = item.textIfAny('id');
    const title = titles.get(id ?? '') ?? id;
    const quantity = Number(item.textIfAny('quantity'));
    const isBack = !item.flag('isCompensation') && quantity > 0 && quantity < 1e9;
    return isBack && title !== undefined ? [{ title, quantity }] : [];
  });
}
