import type { Money } from '../../kernel/money';
import { defined } from '../mapping/defined';
import { orderKey } from '../mapping/keys';
import type { Payload } from '../payload';
import type { SourceContext } from '../source';

/** Hotmart takes every payment itself. */
export const GATEWAY = 'hotmart';
/** What people call it. */
export const PLATFORM = 'Hotmart';

/** What has come of a sale, by what Hotmart calls its status. */
export type State =
  'paid' | 'refunded' | 'chargeback' | 'waiting' | 'expired' | 'cancelled' | 'unpaid' | 'unknown';

const STATES: ReadonlyMap<string, State> = new Map([
  ['APPROVED', 'paid'],
  ['COMPLETE', 'paid'],
  // The buyer asks for the money; Hotmart has it still.
  ['PROTESTED', 'paid'],
  ['PARTIALLY_REFUNDED', 'paid'],
  ['REFUNDED', 'refunded'],
  ['CHARGEBACK', 'chargeback'],
  ['PRINTED_BILLET', 'waiting'],
  ['WAITING_PAYMENT', 'waiting'],
  ['EXPIRED', 'expired'],
  ['CANCELLED', 'cancelled'],
  ['STARTED', 'unpaid'],
  ['PROCESSING_TRANSACTION', 'unpaid'],
  ['UNDER_ANALISYS', 'unpaid'],
  ['PRE_ORDER', 'unpaid'],
  ['NO_FUNDS', 'unpaid'],
  ['OVERDUE', 'unpaid'],
  ['BLOCKED', 'unpaid'],
]);
/** States in which money came, whether or not it is still there. */
export const PAID: readonly State[] = ['paid', 'refunded', 'chargeback'];
/** Ways to pay that wait for the buyer; a card that is waited for is only being looked at. */
const AWAITED = [
  'billet',
  'financed_billet',
  'pix',
  'cash_payment',
  'direct_bank_transfer',
  'manual_transfer',
];
/** As the tables of rules have it, where Hotmart calls it otherwise. */
const METHODS: Readonly<Record<string, string>> = { billet: 'boleto' };
const MILLISECONDS = /^\d{1,14}$/;
/** What the shop is in a sale of its own. */
const PRODUCER = 'PRODUCER';

/** A sale as Hotmart's history has it. */
export interface Sale {
  /** The whole answer that it was found in. */
  readonly answer: Payload;
  readonly item: Payload;
  readonly purchase: Payload;
  readonly transaction: string;
  /** The business key of the order that it is. */
  readonly orderKey: string;
  readonly status: string;
  readonly state: State;
  readonly isPaid: boolean;
  /** A boleto, Pix or transfer may pay it, or was to. */
  readonly isAwaited: boolean;
  /** Nothing says that money came, except that it has a day of approval. */
  readonly isDoubtful: boolean;
  /** What this shop is in it: `PRODUCER`, `COPRODUCER`, `AFFILIATE`. */
  readonly role: string;
  readonly isOwn: boolean;
  /** As Ponte's tables have it: `credit_card`, `boleto`, `pix`; empty where Hotmart does not say. */
  readonly method: string;
  /** What the buyer pays, interest of instalments included. */
  readonly charged: Money;
  readonly createdAt: Date;
  readonly approvedAt?: Date;
}

/** @throws UnreadablePayload */
export function readSale(answer: Payload, item: Payload, { source }: Pick<SourceContext, 'source'>): Sale {
  const purchase = item.at('purchase');
  const transaction = purchase.identifier('transaction') ?? purchase.missing('transaction');
  const status = purchase.word('status') ?? purchase.missing('status');
  const state = STATES.get(status) ?? 'unknown';
  const isPaid = PAID.includes(state);
  const type = (purchase.at('payment').word('type') ?? '').toLowerCase();
  const role = purchase.word('commission_as') ?? purchase.missing('commission_as');
  const approvedAt = timeOf(purchase, 'approved_date');
  return defined({
    ...{
      answer,
      item,
      purchase,
      transaction,
      orderKey: orderKey(source, transaction),
      status,
      state,
      isPaid,
    },
    isAwaited: AWAITED.includes(type),
    isDoubtful: !isPaid && state !== 'waiting' && approvedAt !== undefined,
    ...{ role, isOwn: role === PRODUCER, method: METHODS[type] ?? type },
    charged: chargedOf(purchase.at('price')),
    createdAt: timeOf(purchase, 'order_date') ?? purchase.missing('order_date'),
    approvedAt,
  });
}

function chargedOf(price: Payload): Money {
  const currency = currencyIn(price) ?? price.missing('currency_code');
  return price.amount('value', currency) ?? price.missing('value');
}

/** The currency of an amount: Hotmart's answers have it under one of two names. */
export function currencyIn(place: Payload): string | undefined {
  return place.currency('currency_code') ?? place.currency('currency_value');
}

/** A point in time from milliseconds since 1970. */
function timeOf(place: Payload, key: string): Date | undefined {
  const text = place.text(key);
  if (text === undefined) return undefined;
  return MILLISECONDS.test(text)
    ? new Date(Number(text))
    : place.fail(key, 'is not in milliseconds since 1970');
}
