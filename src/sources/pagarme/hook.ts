import { Payload, UnreadablePayload } from '../payload';
import type { FetchedAnswer, StoredWebhook } from '../source';

/** What is asked for first: an order, or a charge that was made without one. */
export type Kind = 'order' | 'charge';

const IDS: Readonly<Record<Kind, RegExp>> = { order: /^or_\w{1,60}$/, charge: /^ch_\w{1,60}$/ };
const TOPIC = /^(order|charge)\.\w+$/;

export interface Named {
  readonly kind: Kind;
  readonly id: string;
}

/** The webhook that is read of a source without sales: the others are about what the shop reports. */
export const CHARGED_BACK = 'charge.chargedback';

/** Whether Ponte reads webhooks of this topic: all those of orders and charges tell of their state. */
export function isRead(topic: string): boolean {
  return TOPIC.test(topic);
}

/** An order or charge that is named so; undefined where nothing is. @throws UnreadablePayload */
export function nameOf(place: Payload, kind: Kind, field = 'id'): Named | undefined {
  const id = place.identifier(field);
  if (id === undefined) return undefined;
  return IDS[kind].test(id)
    ? { kind, id }
    : place.fail(field, `is not what Pagar.me calls an order or charge by`);
}

/**
 * What a webhook is about: the order, also where it is a charge of one that changed; undefined where its topic is none that
 * Ponte reads. Nothing else of its body is read, for nobody signs it.
 * @throws UnreadablePayload
 */
export function readHook({ rawBody }: StoredWebhook): Named | undefined {
  const body = Payload.parse(rawBody);
  const topic = body.word('type') ?? body.missing('type');
  if (!isRead(topic)) return undefined;
  const data = body.at('data');
  if (topic.startsWith('order.')) return nameOf(data, 'order') ?? data.missing('id');
  return nameOf(data.at('order'), 'order') ?? nameOf(data, 'charge') ?? data.missing('id');
}

/** What Pagar.me answered. @throws UnreadablePayload where it is about another one than the one asked for */
export function readAnswer({ body }: FetchedAnswer, { kind, id }: Named): Payload {
  const answer = Payload.parse(body);
  if (answer.identifier('id') === id) return answer;
  throw new UnreadablePayload(`Pagar.me answered with another ${kind} than the one asked for`);
}
