import type { PaymentFacts } from '../../events/event';
import type { PlannedSettlement } from '../../events/settlement';
import type { Money } from '../../kernel/money';
import { instalmentsIn } from '../mapping/custom-fields';
import { defined } from '../mapping/defined';
import { settlementKey } from '../mapping/keys';
import { moneyOf, sumDifference } from '../mapping/lines';
import type { PaymentDate } from '../mapping/order-events';
import type { Payload } from '../payload';

/** The gateway's name in payments, refunds, disputes and what is waited for. */
export const GATEWAY = 'mercado_pago';

const CARDS = ['credit_card', 'debit_card', 'prepaid_card'];

/** `boleto` and `pix`, as the table `paymentTiming` has them; every other method in Mercado Pago's own word. */
export function methodOf(payment: Payload): string {
  const id = payment.textIfAny('payment_method_id') ?? '';
  const type = payment.textIfAny('payment_type_id') ?? '';
  if (id === 'pix') return 'pix';
  return type === 'ticket' && id.startsWith('bol') ? 'boleto' : type;
}

/** The amount of a payment, which is what the shop asked for: the interest that a buyer pays is not in it. */
export function valueOf(payment: Payload): Money {
  const currency = payment.currency('currency_id') ?? payment.missing('currency_id');
  const value = payment.amount('transaction_amount', currency) ?? payment.missing('transaction_amount');
  return value.isPositive ? value : payment.fail('transaction_amount', 'must be more than zero');
}

/**
 * A payment that brought money.
 * @param key its business key
 */
export function paymentOf(
  payment: Payload,
  key: string,
  zone: string,
): { payment: PaymentFacts; differences: string[] } {
  const value = valueOf(payment);
  const { fee, net, differences } = keptOf(payment, value);
  const type = payment.textIfAny('payment_type_id') ?? '';
  const facts: PaymentFacts = defined({
    ...{ key, gateway: GATEWAY, method: methodOf(payment), value },
    brand: CARDS.includes(type) ? payment.textIfAny('payment_method_id') : undefined,
    instalments: instalmentsIn(payment, 'installments'),
    settlements: planOf(payment, key, value, fee, zone),
    ...{ fee, net },
    ...dateOf(payment, zone),
  });
  return { payment: facts, differences: [...differences, ...returnedFee(payment, value.currency)] };
}

/** When it was paid. @throws UnreadablePayload */
export function dateOf(payment: Payload, zone: string): PaymentDate {
  const paidAt = payment.instant('date_approved', zone);
  if (paidAt) return { paidAt };
  const createdAt = payment.instant('date_created', zone) ?? payment.missing('date_approved');
  return { paidAt: createdAt, datedBy: 'date_created' };
}

/** What Mercado Pago keeps of a payment, without what it takes from the buyer, and what it passes on. */
export function keptOf(payment: Payload, value: Money): { fee?: Money; net?: Money; differences: string[] } {
  const { currency } = value;
  const fees = feesOf(payment, currency);
  const net = payment.at('transaction_details').amount('net_received_amount', currency);
  // Payments that pass nothing on say zero: of those without a fee that is no statement.
  const hasFees = net !== undefined && (fees.length > 0 || net.isPositive);
  return defined({
    fee: moneyOf(fees, currency),
    net,
    differences: sumDifference(
      "Mercado Pago's fees and the net value come to",
      hasFees ? [net.minor, ...fees] : [],
      value,
    ),
  });
}

/** Fees in minor units: those of `fee_details`, else the ones that `charges_details` takes from the shop. */
function feesOf(payment: Payload, currency: string): bigint[] {
  const fees = payment
    .items('fee_details')
    .filter((fee) => fee.word('fee_payer') !== 'payer')
    .map((fee) => fee.amount('amount', currency)?.minor ?? 0n);
  return fees.length > 0 ? fees : chargedFees(payment, 'original', currency);
}

/** What `charges_details` say of the fees that are taken from the shop: what they were, or what came back of them. */
function chargedFees(payment: Payload, name: 'original' | 'refunded', currency: string): bigint[] {
  if (payment.countOf('charges_details') === 0) return [];
  return payment
    .items('charges_details')
    .filter((charge) => charge.textIfAny('type') === 'fee')
    .filter((charge) => charge.loosely('accounts').textIfAny('from') === 'collector')
    .map((charge) => charge.loosely('amounts').amount(name, currency)?.minor ?? 0n);
}

/** What Mercado Pago gave back of its fee, over all refunds so far; undefined: nothing. */
export function returnedFeeOf(payment: Payload, currency: string): Money | undefined {
  return moneyOf(chargedFees(payment, 'refunded', currency), currency);
}

/**
 * A sentence where Mercado Pago gave a fee back, as it does with a refund: no refund has it in its value. What is said is the sum of all
 * refunds so far.
 */
function returnedFee(payment: Payload, currency: string): string[] {
  const back = returnedFeeOf(payment, currency);
  if (back === undefined) return [];
  return [
    `Mercado Pago has given ${back.toString()} ${currency} of its fee back in all: book by hand what of it you have not booked yet.`,
  ];
}

/**
 * When Mercado Pago releases the money: all of it at once, whatever became of it since. Once it went back, was taken back or is
 * complained about, the date is another than the one that was planned, or there is none ({@link isReplanned}).
 */
function planOf(
  payment: Payload,
  key: string,
  value: Money,
  fee: Money | undefined,
  zone: string,
): PlannedSettlement[] | undefined {
  const released = payment.day('money_release_date', zone);
  const paid = payment.day('date_approved', zone) ?? payment.day('date_created', zone);
  const on = released ?? (isReplanned(payment) ? paid : undefined);
  return on && [defined({ key: settlementKey(key, 1), number: 1, value, fee, on })];
}

/** Whether a payment that brought money does not say any more on which day its money was to be released. */
export function isReplanned(payment: Payload): boolean {
  return payment.word('status') !== 'approved';
}
