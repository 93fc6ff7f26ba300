import { topicOf } from '../identity';
import { Payload } from '../payload';
import { textSetting } from '../settings';
import type { Settings, StoredWebhook } from '../source';

/** What a notification is about. */
export type Subject = 'order' | 'customer';

/** A notification: the store, what happened, and to which order or customer. */
export interface Notification {
  readonly storeId: string;
  readonly topic: string;
  /** The order or customer to fetch; undefined where nothing is fetched. */
  readonly about: { readonly subject: Subject; readonly id: string } | undefined;
  /** Why it means nothing; undefined where something is fetched, or it asks for something. */
  readonly ignored: string | undefined;
}

/** Numbers of stores, orders and customers: they go into the path of a request. */
const NUMBER = /^\d{1,20}$/;

/** What the law on personal data (LGPD) makes Nuvemshop ask of every app. They have no `event` of their own in the documents. */
const PRIVACY = ['store/redact', 'customers/redact', 'customers/data_request'];

/** The topic of a notification; those about personal data are known by what they carry. @param has whether the body has a member */
export function topicOfBody(event: unknown, has: (name: string) => boolean): string {
  if (event !== undefined && event !== null) return topicOf(event);
  if (has('orders_requested') || has('data_request')) return 'customers/data_request';
  if (has('orders_to_redact') || has('customer')) return 'customers/redact';
  return has('store_id') ? 'store/redact' : 'unknown';
}

/** The kind of thing that a topic is about, where it can be fetched. */
export function subjectOfTopic(topic: string): Subject | undefined {
  if (topic.startsWith('order/')) return 'order';
  return topic === 'customer/created' || topic === 'customer/updated' ? 'customer' : undefined;
}

/** @throws UnreadablePayload */
export function readNotification(webhook: StoredWebhook, settings: Settings): Notification {
  const body = Payload.parse(webhook.rawBody);
  const storeId = numberIn(body, 'store_id');
  const topic = topicOfBody(body.text('event'), (name) => body.has(name));
  const own = textSetting(settings, 'storeId');
  const ignore = (ignored: string): Notification => ({ storeId, topic, about: undefined, ignored });
  if (own !== undefined && own !== storeId)
    return ignore(`the notification ${topic} is of the store ${storeId}, and the source is of another`);
  if (PRIVACY.includes(topic)) return { storeId, topic, about: undefined, ignored: undefined };
  const subject = subjectOfTopic(topic);
  if (subject === undefined) return ignore(`topic ${topic} is none that Ponte reads`);
  return { storeId, topic, about: { subject, id: numberIn(body, 'id') }, ignored: undefined };
}

function numberIn(body: Payload, key: string): string {
  const id = body.identifier(key) ?? body.missing(key);
  return NUMBER.test(id) ? id : body.fail(key, 'is not a number');
}
