import type { CanonicalEvent } from '../../events/event';
import { Money } from '../../kernel/money';
import { answerTo, isGone } from '../fetched';
import { feeEvent } from '../mapping/fees';
import { feeKey, payoutKey } from '../mapping/keys';
import { moneyOfUnits } from '../mapping/minor-units';
import { askPerson, eventsOr } from '../mapping/normalised';
import { disputeEvent, withRaw } from '../mapping/order-events';
import type { Normalised, SourceContext, StoredWebhook } from '../source';
import { CURRENCY, GATEWAY } from './charge';
import { readAnswers } from './fetch-back';
import { disputedCharge, entityOf, fetchedMovement, isAvailable, isPayout, type Movement } from './movement';
import { readOrder } from './order';
import { disputeOf } from './payment';

/** Fees of a part of a sale: of the sale, of paying it out earlier, of the cover against fraud. */
const FEES = ['fee', 'anticipation_fee', 'fraud_coverage_fee'];

/**
 * What an operation of the balance says that the shop does not: what Pagar.me keeps or gives back of it, chargebacks, and
 * what is paid out. Sales and refunds are the shop's; whatever else there is, a person is asked about.
 * @throws UnreadablePayload
 */
export function normaliseMovement(id: string, webhook: StoredWebhook, context: SourceContext): Normalised {
  const movement = fetchedMovement(webhook, id);
  if (movement === undefined) return { ignored: `the operation ${id} is not there` };
  const key = `${context.source}/${entityOf(movement)}`;
  if (!isAvailable(movement)) return { ignored: 'the operation is not of the available balance', key };
  const main = mainOf(movement, webhook, context);
  if (main.question !== undefined) return { ...asked(movement, key, main.question), key };
  const events = [...(main.events ?? []), ...feesOf(movement, context)];
  return eventsOr(events, 'the shop reports the sale or refund, and no fee was kept', key);
}

interface Main {
  readonly events?: CanonicalEvent[];
  /** What a person has to see to. */
  readonly question?: string;
}

function mainOf(movement: Movement, webhook: StoredWebhook, context: SourceContext): Main {
  const { type, kind, object, amount, id } = movement;
  if (object.has('split_id'))
    return ask(`is a part of a sale that is divided among recipients, and may be another's`);
  if (type === 'transfer') return transferOf(movement, context);
  if (type !== 'payable') return ask(`is of the type ${type}, which Ponte does not know`);
  if (kind === 'credit') return amount.isNegative ? ask('is a sale below zero') : {};
  if (kind === 'refund') return amount.isPositive ? ask('is a refund above zero') : {};
  if (kind === 'chargeback' || kind === 'chargeback_refund')
    return (
      disputedBy(movement, webhook, context) ??
      ask(`is a ${kind} of no charge that Pagar.me calls chargedback`)
    );
  return ask(`is a payable of the type ${kind || id}, which Ponte does not know`);
}

/** @param what continues "operation 17 of 12.00 BRL" */
function ask(what: string): Main {
  return { question: what };
}

function asked({ id, amount }: Movement, businessKey: string, what: string) {
  const value = amount.isNegative ? amount.negated() : amount;
  const detail = `operation ${id} of ${amount.withCurrency()} in Pagar.me's balance ${what}: book it and its fee by hand`;
  return askPerson(businessKey, detail, value, { code: 'movement-not-booked' });
}

function transferOf(movement: Movement, context: SourceContext): Main {
  const { id, object, amount, at, place } = movement;
  if (!amount.isNegative) return ask('is a transfer that came back, or was not made');
  if (!isPayout(movement)) return {};
  if (/inter_recipient/.test(object.word('type') ?? '')) return ask('is a transfer to another recipient');
  const key = payoutKey(context.source, id);
  const { source } = context;
  const payout = { key, source, id, gateway: GATEWAY, value: amount.negated(), paidAt: at, test: false };
  return { events: [withRaw({ type: 'payout.paid', key, occurredAt: at, payout }, place)] };
}

/**
 * The chargeback of the charge, as its own webhook tells it, so that both are known as one; or that all of it came back. Where only
 * a part of it did, nobody knows whether the rest will.
 */
function disputedBy(movement: Movement, webhook: StoredWebhook, context: SourceContext): Main | undefined {
  const { kind, amount, at, place } = movement;
  const named = disputedCharge(movement);
  const first = named && answerTo(webhook, named.kind);
  if (named === undefined || first === undefined || isGone(first)) return undefined;
  const { charges } = readOrder(readAnswers(named, first, webhook), webhook, context);
  const charge = charges.find(({ id }) => id === named.id);
  const dispute = charge && disputeOf(charge, undefined, webhook, context);
  if (dispute === undefined) return undefined;
  if (kind === 'chargeback') {
    if (!amount.isNegative) return ask('is a chargeback above zero');
    return { events: [disputeEvent(dispute, place, 'updated_at')] };
  }
  if (!amount.equals(dispute.value))
    return ask(`is a part of ${dispute.value.withCurrency()} that came back of a chargeback`);
  const won = { ...dispute, state: 'won' as const, closedAt: at };
  return { events: [disputeEvent(won, place, 'updated_at')] };
}

/** What Pagar.me kept of it, or gave back. */
function feesOf(movement: Movement, context: SourceContext): CanonicalEvent[] {
  const { id, type, at, object, place } = movement;
  const [owner, names] = type === 'transfer' ? [place, ['fee']] : [object, FEES];
  const minor = names.reduce((sum, name) => sum + (moneyOfUnits(owner, name, CURRENCY)?.minor ?? 0n), 0n);
  if (minor === 0n) return [];
  const facts = {
    ...{ key: feeKey(context.source, id), source: context.source, id, gateway: GATEWAY, test: false },
    description: descriptionOf(movement),
    chargedAt: at,
  };
  return [feeEvent(facts, Money.ofMinor(minor, CURRENCY), place)];
}

function descriptionOf({ type, kind, object, id }: Movement): string {
  if (type === 'transfer') return `transfer ${object.identifier('id') ?? id}`;
  const charge = object.identifier('charge_id') ?? `payable ${object.identifier('id') ?? id}`;
  const part = object.text('installment');
  return `${kind === 'credit' ? '' : `${kind} of `}${charge}${part === undefined ? '' : `, instalment ${part}`}`;
}
