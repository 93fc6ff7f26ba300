import { Payload } from '../payload';
import { textSetting } from '../settings';
import type { Settings, StoredWebhook } from '../source';

/** What the short codes stand for, where an event has no full one. */
const FULL_CODES: ReadonlyMap<string, string> = new Map([
  ['PLC', 'PLACED'],
  ['CFM', 'CONFIRMED'],
  ['SPS', 'SEPARATION_STARTED'],
  ['SPE', 'SEPARATION_ENDED'],
  ['RTP', 'READY_TO_PICKUP'],
  ['DSP', 'DISPATCHED'],
  ['CON', 'CONCLUDED'],
  ['CAN', 'CANCELLED'],
  ['HSS', 'HANDSHAKE_SETTLEMENT'],
]);

export const CONCLUDED = 'CONCLUDED';
export const CANCELLED = 'CANCELLED';
/** A negotiation between buyer and restaurant came to an end. */
export const SETTLEMENT = 'HANDSHAKE_SETTLEMENT';
/** iFood asks whether anybody is there. */
export const HEARTBEAT = 'KEEPALIVE';

/** Events that stand between an order and its conclusion: it may still be cancelled. */
const BEFORE_CONCLUSION = [
  'PLACED',
  'CONFIRMED',
  'SEPARATION_STARTED',
  'SEPARATION_ENDED',
  'READY_TO_PICKUP',
  'DISPATCHED',
];

/** Stages of a cancellation, as `[PRE_CONFIRMED]`, that lie before the order's conclusion. */
const BEFORE = /^\[?PRE_/;
/** What a negotiation ends with where nothing changes. */
const REJECTED = 'REJECTED';

/** An order's identifier: fit to stand in an address. */
const ORDER_ID = /^[A-Za-z0-9-]{1,64}$/;

/** What an event says, and all that is believed of it: iFood signs it. */
export interface OrderEventMessage {
  /** Its full code: `CONCLUDED`. */
  readonly code: string;
  readonly orderId: string;
  readonly merchantId: string | undefined;
  readonly createdAt: Date;
}

/** An event about which the order is to be fetched, or the reason why it means nothing. */
export type Understood = OrderEventMessage | { readonly ignored: string };

/** The topic of an event: its full code. @param fields the event's `fullCode` and `code`, as they came */
export function codeOf({ fullCode, code }: { fullCode?: unknown; code?: unknown }): string | undefined {
  if (typeof fullCode === 'string' && fullCode !== '') return fullCode;
  return typeof code === 'string' && code !== '' ? (FULL_CODES.get(code) ?? code) : undefined;
}

/**
 * What an event means for the books. Nothing is sold before the order is concluded.
 * @throws UnreadablePayload
 */
export function readOrderEvent({ rawBody }: Pick<StoredWebhook, 'rawBody'>, settings: Settings): Understood {
  const event = Payload.parse(rawBody);
  const code = codeOf({ fullCode: event.word('fullCode'), code: event.word('code') });
  if (code === undefined) return event.missing('fullCode');
  if (code === HEARTBEAT) return { ignored: 'a heartbeat: iFood asks whether anybody is there' };
  const merchantId = event.identifier('merchantId');
  const own = textSetting(settings, 'storeId');
  if (own !== undefined && merchantId !== own)
    return { ignored: 'the event is of another restaurant than the one of this source (storeId)' };
  const meaningless = meaninglessness(code, event);
  if (meaningless !== undefined) return { ignored: meaningless };
  const orderId = event.text('orderId') ?? event.missing('orderId');
  if (!ORDER_ID.test(orderId)) return event.fail('orderId', 'is not the identifier of an order');
  const createdAt = event.instant('createdAt', 'UTC') ?? event.missing('createdAt');
  return { code, orderId, merchantId, createdAt };
}

/** Why an event has nothing for the books; undefined where it has. */
function meaninglessness(code: string, event: Payload): string | undefined {
  if (BEFORE_CONCLUSION.includes(code))
    return `the order is ${code}: it is a sale when it is concluded, and may be cancelled until then`;
  const metadata = event.loosely('metadata');
  switch (code) {
    case CONCLUDED:
      return undefined;
    case CANCELLED:
      return BEFORE.test(metadata.textIfAny('CANCEL_STAGE') ?? '')
        ? 'the order was cancelled before it was concluded: nothing was sold'
        : undefined;
    case SETTLEMENT:
      return metadata.textIfAny('status') === REJECTED
        ? 'a negotiation about the order was rejected: nothing changes'
        : undefined;
    default:
      return `an event ${code} says nothing of a sale`;
  }
}
