import type { PaymentFacts } from '../../events/event';
import { MOST_PAYMENTS } from '../../events/limits';
import { Money, MoneyError } from '../../kernel/money';
import { parseDay, parseInstant } from '../instant';
import type { CustomFields } from '../mapping/custom-fields';
import { defined, definedOnly } from '../mapping/defined';
import { fullPaymentKey, paymentKey } from '../mapping/keys';
import type { AwaitedCharge, PaymentDate } from '../mapping/order-events';
import { storeCreditOf } from '../mapping/store-credit';
import { moneyOr, sumOfValues } from '../mapping/sums';
import { ifReadable, type Payload } from '../payload';
import { asaasCharge, asaasFee } from './asaas';
import { instantOf } from './dates';

/** What gateways' plugins call the fee that they keep: decimal text in the currency that they pay out. */
const FEE_NAMES = ['stripefee', 'wcpaytransactionfee', 'paypaltransactionfee', 'paypalfee', 'mercadopagofee'];
const FEE_CURRENCY_NAMES = ['stripecurrency'];
/** What gateways' plugins call the line of a boleto or the text of a Pix, when it is due and until when it can be paid. */
const CHARGE_LINE_NAMES = [
  'mppixqrcode',
  'pagbankpixqrcodetext',
  'pagbankpixtext',
  'pagbankqrcodetext',
  'pagseguroqrcode',
  'pagbankboletobarcodeformatted',
  'pagbankboletobarcode',
  'formattedbarcode',
];
const CHARGE_DUE_DATE_NAMES = ['pagbankboletoduedate', 'pagbankboletoexpirationdate'];
const CHARGE_EXPIRY_NAMES = [
  'checkoutpixdateexpiration',
  'pagbankpixqrcodeexpiration',
  'pagbankpixexpirationdate',
  'pagbankqrcodeexpirationdate',
];

/** What a gift card paid of an order. */
export interface GiftCard {
  readonly id: string;
  readonly value: Money;
}

/**
 * The gift cards of WooCommerce's own extension, which the order's `total` leaves out. What another plugin calls
 * `gift_cards` and has otherwise is none.
 */
export function giftCardsOf(order: Payload, currency: string): GiftCard[] {
  const cards = ifReadable(() =>
    order.items('gift_cards', MOST_PAYMENTS - 1).flatMap((card) => {
      const value = card.amount('amount', currency);
      return value?.isPositive ? [{ id: card.identifier('id') ?? card.missing('id'), value }] : [];
    }),
  );
  return cards ?? [];
}

/** What was sold: what is paid in money and by gift cards. @throws UnreadablePayload when it is out of range */
export function soldFor(order: Payload, inMoney: Money, cards: readonly GiftCard[]): Money {
  return moneyOr(inMoney.minor + sumOfValues(cards), inMoney.currency, (error) =>
    order.fail('gift_cards', `cannot be added up: ${error.message}`),
  );
}

/**
 * The payments of an order that is paid: the one in money, unless gift cards paid all of it, and one for each gift card.
 * @param key the order's business key
 * @param inMoney the order's own `total`
 */
export function paymentsOf(
  order: Payload,
  key: string,
  inMoney: Money,
  cards: readonly GiftCard[],
  own: CustomFields,
  dated: PaymentDate,
): { payments: PaymentFacts[]; differences: string[] } {
  const fee = feeOf(own, inMoney);
  const gateway = order.text('payment_method') ?? '';
  const main: PaymentFacts = {
    ...{ key: fullPaymentKey(key), gateway, method: order.text('payment_method_title') ?? '' },
    ...{ value: inMoney, ...storeCreditOf(gateway), ...definedOnly({ fee: fee.value }), ...dated },
  };
  const byCard = cards.map(({ id, value }): PaymentFacts => ({
    ...{ key: paymentKey(key, `gift-card-${id}`), gateway: 'gift_card', method: '', value },
    ...{ storeCredit: true, ...dated },
  }));
  const hasMain = inMoney.isPositive || byCard.length === 0;
  return { payments: [...(hasMain ? [main] : []), ...byCard], differences: fee.differences };
}

/** Payments without the fees of these gateways, whose own sources tell them. @param gateways as the shop spells them */
export function withoutFeesOf(
  gateways: readonly string[],
  payments: readonly PaymentFacts[],
): PaymentFacts[] {
  return payments.map((payment) => {
    if (!gateways.includes(payment.gateway)) return payment;
    const { fee: _fee, ...rest } = payment;
    return rest;
  });
}

/** What a gateway's plugin says that it keeps; a sentence where that cannot be read or is in another currency. */
function feeOf(own: CustomFields, total: Money): { value?: Money; differences: string[] } {
  const { currency } = total;
  const text = own.first(FEE_NAMES);
  if (text === undefined) return defined({ value: asaasFee(own, total), differences: [] });
  const paidIn = own.first(FEE_CURRENCY_NAMES);
  if (paidIn !== undefined && paidIn.toUpperCase() !== currency)
    return { differences: [`The gateway's fee is in ${paidIn.toUpperCase()}, so it is left out.`] };
  try {
    const value = Money.parse(text, currency);
    return value.isPositive ? { value, differences: [] } : { differences: [] };
  } catch (error) {
    if (!(error instanceof MoneyError)) throw error;
    return { differences: [`The gateway's fee cannot be read, so it is left out: ${error.message}.`] };
  }
}

/** Ways to pay that are paid after the order is placed, as gateways' plugins name them. */
const PAID_LATER =
  /boleto|bolbradesco|billet|[-_]ticket\b|\bpix\b|_pix|pix_|^bacs$|^cheque$|transfer|dep[oó]sito/i;

/**
 * What an order that is not paid waits for: a boleto, a Pix or a transfer, where its gateway or the plugin's fields say
 * so. It waited in vain where its status is `failed`; that of a card only says that the buyer may try another.
 * @param own fields that plugins add
 */
export function awaitedCharge(
  order: Payload,
  status: string,
  key: string,
  total: Money,
  own: CustomFields,
  zone: string,
): AwaitedCharge | undefined {
  if (!['pending', 'on-hold', 'failed'].includes(status) || !total.isPositive) return undefined;
  const gateway = order.text('payment_method') ?? '';
  const method = order.text('payment_method_title') ?? '';
  const asaas = asaasCharge(own, zone);
  const line = own.first(CHARGE_LINE_NAMES) ?? asaas.line;
  if (line === undefined && !PAID_LATER.test(gateway) && !PAID_LATER.test(method)) return undefined;
  const due = own.first(CHARGE_DUE_DATE_NAMES);
  const expiry = own.first(CHARGE_EXPIRY_NAMES);
  const createdAt = instantOf(order, 'date_created', zone) ?? order.missing('date_created_gmt');
  const expired = status === 'failed';
  return {
    charge: defined({
      ...{ key: fullPaymentKey(key), gateway, method, value: total },
      dueDate: due === undefined ? asaas.dueDate : parseDay(due, zone),
      expiresAt: expiry === undefined ? asaas.expiresAt : parseInstant(expiry, zone),
      line,
    }),
    at: expired ? (instantOf(order, 'date_modified', zone) ?? createdAt) : createdAt,
    expired,
  };
}
