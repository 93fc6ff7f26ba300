import { createHmac } from 'node:crypto';
import type { MessageToSign } from '../source';
import { topLevelBytes, topLevelMember } from '../top-level-member';

/** The name of the part of the address that carries the signature. */
export const SIGNATURE = 'signature';

/** Lower-case hex of HMAC-SHA1 over the body; the key is the webhook's token. */
export function kiwifySignature(token: string, body: string | Uint8Array): string {
  return createHmac('sha1', token).update(body).digest('hex');
}

/** Signs as Kiwify does: in the address. */
export function signAsKiwify({ secret, body }: MessageToSign): Record<string, string> {
  return { [SIGNATURE]: kiwifySignature(secret, body) };
}

/** What some of Kiwify's webhooks have a sale or a cart in, beside the address that they are sent to and the signature. */
const WRAPPERS = ['order', 'cart'];
const EVENT = 'webhook_event_type';
const OPEN_OBJECT = '{'.charCodeAt(0);

/** What a webhook of Kiwify's says. */
export interface Message {
  /** The sale or the cart, to the byte: nothing else of the body is read, because a signature may cover no more. */
  readonly content: Buffer;
  /** The signature that is in the body; absent: there is none, and the address has it. */
  readonly signature?: string;
}

/** The sale is the body itself, which then names its event, or one member of it. It never throws. */
export function messageIn(rawBody: Buffer): Message {
  if (topLevelBytes(rawBody, EVENT) !== undefined) return { content: rawBody };
  for (const name of WRAPPERS) {
    const content = topLevelBytes(rawBody, name);
    if (content?.[0] !== OPEN_OBJECT) continue;
    const signature = topLevelMember(rawBody, SIGNATURE);
    return { content, ...(typeof signature === 'string' && { signature }) };
  }
  return { content: rawBody };
}
