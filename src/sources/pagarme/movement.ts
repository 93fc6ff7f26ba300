import type { Money } from '../../kernel/money';
import { parseAnswer } from '../fetched';
import { moneyOfUnits } from '../mapping/minor-units';
import { Payload } from '../payload';
import type { StoredWebhook } from '../source';
import { CURRENCY } from './charge';
import { nameOf, type Named } from './hook';
import { ZONE } from './operations';

/**
 * The topic of one operation of Pagar.me's balance. Pagar.me sends no webhooks about them: Ponte makes them of its list, and
 * fetches the operation again, because whoever knows the address of the source could make one too.
 */
export const MOVEMENT = 'balance.operation';
/** The part of the balance that a shop can have paid out; what is waited for comes into it later, by an operation of its own. */
export const AVAILABLE = 'available';

/** What moved money into the balance, or out of it. */
export interface Movement {
  readonly place: Payload;
  readonly id: string;
  /** `payable`, `transfer`, in Pagar.me's own word. */
  readonly type: string;
  readonly at: Date;
  /** Before fees; below zero where it went out. */
  readonly amount: Money;
  /** The payable or transfer. */
  readonly object: Payload;
  /** What a payable is: `credit`, `refund`, `chargeback`, `chargeback_refund`. */
  readonly kind: string;
}

/** The operation that a webhook names; undefined where its topic is another one. @throws UnreadablePayload */
export function movementNamed({ rawBody }: StoredWebhook): string | undefined {
  const body = Payload.parse(rawBody);
  if (body.word('type') !== MOVEMENT) return undefined;
  const data = body.at('data');
  const id = data.identifier('id') ?? data.missing('id');
  return /^\d{1,20}$/.test(id) ? id : data.fail('id', 'is not the number of an operation');
}

/** @throws UnreadablePayload */
export function readMovement(place: Payload): Movement {
  const object = place.at('movement_object');
  return {
    ...{ place, object, id: place.identifier('id') ?? place.missing('id') },
    type: place.word('type') ?? place.missing('type'),
    at: place.instant('created_at', ZONE) ?? place.missing('created_at'),
    amount: moneyOfUnits(place, 'amount', CURRENCY) ?? place.missing('amount'),
    kind: object.word('type') ?? '',
  };
}

/** Whether an operation is of the balance that can be paid out. */
export function isAvailable({ place }: Movement): boolean {
  return (place.word('status') ?? place.missing('status')) === AVAILABLE;
}

/** The entity that an operation is known by, as keys have it after the source. */
export function entityOf(movement: Movement): string {
  return isPayout(movement) ? `payout/${movement.id}` : `fee/${movement.id}`;
}

/** Whether money left for the bank. What gives a boleto back to its buyer is told by the shop, as a refund. */
export function isPayout({ type, amount, object }: Movement): boolean {
  return type === 'transfer' && amount.isNegative && !object.has('transaction_id');
}

/** The charge that a chargeback is of, or was of; undefined where an operation is of none. @throws UnreadablePayload */
export function disputedCharge({ kind, object }: Movement): Named | undefined {
  if (!kind.startsWith('chargeback')) return undefined;
  const id = object.identifier('charge_id');
  return id === undefined ? undefined : nameOf(object, 'charge', 'charge_id');
}

/** The operation as Pagar.me answered it; undefined where it is not there. @throws UnreadablePayload */
export function fetchedMovement({ fetched = [] }: StoredWebhook, id: string): Movement | undefined {
  const place = parseAnswer(fetched[0], 'the operation was not fetched from Pagar.me');
  if (place === undefined) return undefined;
  const movement = readMovement(place);
  return movement.id === id ? movement : place.fail('id', 'is not that of the operation that was asked for');
}
