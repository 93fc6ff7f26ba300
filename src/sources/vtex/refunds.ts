import type { PaymentFacts, RefundFacts, ReturnedItem } from '../../events/event';
import { MOST_LINES, MOST_REFUNDS } from '../../events/limits';
import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { refundKey } from '../mapping/keys';
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

/**
 * What went back: one refund for each invoice of a return (nota de devolução), of the sum that it gives back, known by the
 * invoice's number.
 * @throws UnreadablePayload
 */
export function refundsOf(order: Payload, reading: RefundReading): RefundFacts[] {
  const titles = titlesOf(order);
  const keys = new Set<string>();
  return order
    .at('packageAttachment')
    .items('packages', MOST_REFUNDS)
    .flatMap((invoice) => {
      const value = wentBack(invoice, reading.currency);
      if (!value?.isPositive) return [];
      const id =
        invoice.identifier('invoiceNumber') ??
        invoice.identifier('invoiceKey') ??
        invoice.missing('invoiceNumber');
      if (keys.has(id)) invoice.fail('invoiceNumber', 'is of a refund that another invoice is of');
      keys.add(id);
      return [refundOf(invoice, id, value, titles, reading)];
    });
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
  invoice: Payload,
  id: string,
  value: Money,
  titles: ReadonlyMap<string, string | undefined>,
  { orderKey, payments, zone, changedAt }: RefundReading,
): RefundFacts {
  const [payment, another] = payments;
  const only = another === undefined ? payment : undefined;
  const restitution = restitutionOf(invoice);
  const isCredit = restitution.has('giftCardData') || only?.storeCredit === true;
  const returned = returnedOf(restitution, titles);
  return defined({
    ...{ key: refundKey(orderKey, id), value },
    paymentKey: only?.key,
    returned: returned.length > 0 ? returned : undefined,
    gateway: isCredit ? undefined : only?.gateway || undefined,
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
