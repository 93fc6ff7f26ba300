import type { Money } from '../../kernel/money';
import { parseInstalments } from '../mapping/custom-fields';
import type { Payload } from '../payload';
import { amountOf, nearestAmount } from './amounts';

const PAID = 'paid';
const REFUNDED = 'refunded';
const IN_DISPUTE = 'in_dispute';
const VOIDED = 'voided';
/** Statuses of a transaction that brought money, whether or not it is still there. */
const CAME = [PAID, REFUNDED, IN_DISPUTE];
/** Statuses of a transaction that brings no money any more. */
const FAILED = [VOIDED, 'unauthorized'];
/** Ways to pay, as Ponte's tables call them; any other is as E-Com Plus has it. */
const METHODS: ReadonlyMap<string, string> = new Map([['banking_billet', 'boleto']]);
const DEPOSIT = 'account_deposit';
const POINTS = 'loyalty_points';
/** Gateways are asked for what all instalments come to, to the cent, cut off or rounded: in minor units. */
const CUT_OFF = 1n;
/** What the text of a Pix begins with. */
const PIX_TEXT = /^000201/;

/** One attempt to pay an order, as E-Com Plus has it. */
export class Transaction {
  readonly id: string | undefined;
  /** As E-Com Plus spells it; empty when it has none yet. */
  readonly status: string;
  /** What is paid; without the interest of instalments, unless {@link includesInterest}. */
  readonly amount: Money;
  /** What all instalments come to, where they cost interest; calculated by an application of the shop, in fractions of a cent. */
  private readonly withInterest: Money | undefined;

  /** @throws UnreadablePayload */
  constructor(
    readonly place: Payload,
    currency: string,
  ) {
    const own = place.currency('currency_id') ?? currency;
    if (own !== currency) place.fail('currency_id', `is not ${currency}, as the order is`);
    this.id = place.identifier('_id');
    this.status = place.at('status').word('current') ?? '';
    // Points may be fractions, of which the checkout takes the nearest cent off the total.
    const read = this.isPoints ? nearestAmount : amountOf;
    this.amount = read(place, 'amount', currency) ?? place.missing('amount');
    const instalments = place.loosely('installments');
    this.withInterest = instalments.flag('tax') ? nearestAmount(instalments, 'total', currency) : undefined;
  }

  get cameIn(): boolean {
    return CAME.includes(this.status);
  }

  get wentBack(): boolean {
    return this.status === REFUNDED;
  }

  get isDisputed(): boolean {
    return this.status === IN_DISPUTE;
  }

  get isVoided(): boolean {
    return this.status === VOIDED;
  }

  get isFailed(): boolean {
    return FAILED.includes(this.status);
  }

  /** What the buyer is charged: with the interest of instalments, where they cost some. */
  get charged(): Money {
    const { withInterest, amount } = this;
    return withInterest && withInterest.minor > amount.minor + CUT_OFF ? withInterest : amount;
  }

  /** Whether its amount is what the gateway charged: some applications write that over what the order costs. */
  get includesInterest(): boolean {
    const { withInterest, amount } = this;
    if (withInterest === undefined) return false;
    const apart = withInterest.minor - amount.minor;
    return apart >= -CUT_OFF && apart <= CUT_OFF;
  }

  get instalments(): number | undefined {
    const text = this.place.loosely('installments').textIfAny('number');
    return text === undefined ? undefined : parseInstalments(text);
  }

  /** `credit_card`, `boleto`, `pix`, else E-Com Plus's code. A Pix is a deposit to an account that is called one. */
  get method(): string {
    const method = this.place.at('payment_method');
    const code = method.text('code') ?? '';
    const named = this.place.loosely('intermediator').loosely('payment_method');
    const names = [method.text('name'), named.textIfAny('code'), named.textIfAny('name')];
    const isPix =
      names.some((name) => name !== undefined && /\bpix\b/i.test(name)) || this.pixText !== undefined;
    return code === DEPOSIT && isPix ? 'pix' : (METHODS.get(code) ?? code);
  }

  /** It is paid with points of the shop's programme. */
  get isPoints(): boolean {
    return this.place.at('payment_method').text('code') === POINTS;
  }

  /** The gateway's code, else its name; empty when there is none. Points have none. */
  get gateway(): string {
    const intermediator = this.place.loosely('app').loosely('intermediator');
    if (this.isPoints) return POINTS;
    return intermediator.textIfAny('code') ?? intermediator.textIfAny('name') ?? '';
  }

  get brand(): string | undefined {
    return this.place.loosely('credit_card').textIfAny('company');
  }

  /** What the buyer copies to pay by Pix. */
  get pixText(): string | undefined {
    const text = this.place.loosely('intermediator').textIfAny('transaction_code');
    return text !== undefined && PIX_TEXT.test(text) ? text : undefined;
  }

  /** When it came to its status. */
  changedAt(zone: string): Date | undefined {
    return this.place.at('status').instant('updated_at', zone);
  }
}
