import { signWithHmac, verifyHmac } from '../generic-hmac/verify';
import type { IncomingWebhook, MessageToSign, Settings, Verification } from '../source';
import { isBatch } from './events';

/** The types of content of one event and of a batch. */
export const STRUCTURED = 'application/cloudevents+json';
export const BATCH = 'application/cloudevents-batch+json';

/**
 * By the scheme of the settings, which covers the body. In binary mode an event's type and id are headers, which it does not
 * cover: whoever recorded a request could give it another id, or that of an event that is still to come.
 */
export function verifyCloudEvents(
  request: IncomingWebhook,
  secrets: readonly string[],
  settings: Settings,
  now: Date,
): Verification {
  const verified = verifyHmac(request, secrets, settings, now);
  if (!verified.ok) return verified;
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase();
  if (type === STRUCTURED || type === BATCH) return verified;
  const reason =
    request.headers['ce-id'] === undefined
      ? `content-type is neither ${STRUCTURED} nor ${BATCH}`
      : `the event is in binary mode, where no signature covers its type and id: send it as ${STRUCTURED}`;
  return { ok: false, signed: true, reason };
}

/** Signs as a source without settings expects it, an event or a batch. */
export function signCloudEvents(message: MessageToSign): Record<string, string> {
  const type = isBatch(Buffer.from(message.body)) ? BATCH : STRUCTURED;
  return { ...signWithHmac(message), 'content-type': type };
}
