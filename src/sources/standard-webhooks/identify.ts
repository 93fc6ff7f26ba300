import { isObject } from '../../kernel/json-object';
import { laneOf, peekJson, topicOf } from '../identity';
import type { IncomingWebhook, WebhookIdentity } from '../source';

/** What messages are about besides orders, by their types' beginning. */
const ENTITIES: Readonly<Record<string, string>> = {
  customer: 'customer',
  payout: 'payout',
  payment: 'dispute',
  bill: 'bill',
  fee: 'fee',
};

function entityOf(topic: string): string {
  return topic === 'payment.settled' ? 'settlement' : (ENTITIES[topic.split('.')[0] ?? ''] ?? 'order');
}

/** What names a message by its body: its type, and the entity that it speaks of. */
export function identifyMessage(
  { rawBody }: IncomingWebhook,
  dedupeKeyOf: (topic: string) => string,
): WebhookIdentity {
  const message = peekJson(rawBody);
  const topic = topicOf(message.type);
  const dedupeKey = dedupeKeyOf(topic);
  return { topic, dedupeKey, orderingKey: laneOfMessage(message, dedupeKey), attributes: {} };
}

/** The lane of the entity that a message speaks of; of the delivery alone when it names none. */
export function laneOfMessage(message: Readonly<Record<string, unknown>>, dedupeKey: string): string {
  const id = isObject(message.data) ? message.data.id : undefined;
  return laneOf(entityOf(topicOf(message.type)), id, dedupeKey);
}
