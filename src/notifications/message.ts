import { hash } from 'node:crypto';
import type { NotificationInput } from '../finance/api/effects/http-notify';
import { signStandardWebhook } from '../sources/standard-webhooks/verify';

/** A message on its way: the same for every try, its timestamp and signature apart. */
export interface Message {
  /** What a receiver knows repetitions by: a digest of organization and key. */
  readonly id: string;
  readonly body: string;
}

/** @param key of the effect @param askedAt when the effect was asked for */
export function messageOf(
  organizationId: string,
  key: string,
  { type, data }: Pick<NotificationInput, 'type' | 'data'>,
  askedAt: Date,
): Message {
  const id = messageIdOf(organizationId, key);
  return { id, body: JSON.stringify({ type, timestamp: askedAt.toISOString(), data }) };
}

/** What a receiver knows repetitions by. @param key of the effect */
export function messageIdOf(organizationId: string, key: string): string {
  return `msg_${hash('sha256', `${organizationId}/${key}`, 'hex').slice(0, 40)}`;
}

/** Headers of Standard Webhooks, with a signature for each secret. */
export function signedHeaders(
  { id, body }: Message,
  secrets: readonly string[],
  sentAt: Date,
): Record<string, string> {
  const signed = secrets.map((secret) =>
    signStandardWebhook({ secret, body: Buffer.from(body), id, sentAt, topic: '' }),
  );
  const [headers = {}] = signed;
  const signature = signed.map((each) => each['webhook-signature']).join(' ');
  return { ...headers, 'webhook-signature': signature };
}
