import { topicOf } from '../identity';
import { Payload } from '../payload';
import { textSetting } from '../settings';
import type { Settings, StoredWebhook } from '../source';

/** What a notification is about. */
export type Kind = 'order' | 'payment' | 'claim';

/** An order, payment or claim, by the number that Mercado Livre has for it. */
export interface About {
  readonly kind: Kind;
  readonly id: string;
}

export interface Notification {
  readonly topic: string;
  /** What is to be fetched; undefined where nothing is. */
  readonly about: About | undefined;
  /** Why it means nothing; undefined where something is fetched. */
  readonly ignored: string | undefined;
}

/** The topics that tell of money. `orders` and `claims` are the older names of `orders_v2` and `post_purchase`. */
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ['orders_v2', 'order'],
  ['orders', 'order'],
  ['payments', 'payment'],
  ['post_purchase', 'claim'],
  ['claims', 'claim'],
]);
/** What `resource` looks like, in all the spellings that Mercado Livre documents. */
const RESOURCES: Readonly<Record<Kind, RegExp>> = {
  order: /^\/?orders\/(\d{1,20})$/,
  payment: /^\/?(?:collections|(?:v1\/)?payments)\/(\d{1,20})$/,
  claim: /^\/?(?:post-purchase\/)?(?:v\d\/)?claims\/(\d{1,20})(?:\/returns)?$/,
};

/** Numbers of orders, payments, claims and sellers: they go into the path of a request. */
const NUMBER = /^\d{1,20}$/;

/** Whether a text is a number that Mercado Livre calls something by. */
export function isNumber(text: string | undefined): text is string {
  return text !== undefined && NUMBER.test(text);
}

/** Whether Ponte reads notifications of a topic. */
export function isRead(topic: string): boolean {
  return KINDS.has(topic);
}

/** What a topic's resource names; undefined where Ponte reads nothing of that topic, or it names nothing. */
export function aboutOf(topic: string, resource: unknown): About | undefined {
  const kind = KINDS.get(topic);
  if (kind === undefined || typeof resource !== 'string') return undefined;
  const id = RESOURCES[kind].exec(resource)?.[1];
  return id === undefined ? undefined : { kind, id };
}

/** @throws UnreadablePayload */
export function readNotification(webhook: StoredWebhook, settings: Settings): Notification {
  const body = Payload.parse(webhook.rawBody);
  const topic = topicOf(body.text('topic') ?? body.missing('topic'));
  const seller = body.identifier('user_id') ?? body.missing('user_id');
  if (!isNumber(seller)) body.fail('user_id', 'is not the number of a seller');
  const own = textSetting(settings, 'storeId');
  const ignore = (ignored: string): Notification => ({ topic, about: undefined, ignored });
  if (own !== undefined && own !== seller)
    return ignore(`the notification ${topic} is of the seller ${seller}, and the source is of another`);
  const kind = KINDS.get(topic);
  if (kind === undefined) return ignore(`topic ${topic} is none that Ponte reads`);
  const about = aboutOf(topic, body.text('resource'));
  return { topic, about: about ?? body.fail('resource', `does not name the ${kind}`), ignored: undefined };
}
