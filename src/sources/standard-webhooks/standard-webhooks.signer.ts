import type { MessageToSign } from '../source';
import { keyOf, signatureOf } from './verify';

/** Signs as the Standard Webhooks specification says. @throws Error when the secret is not base64 */
export function signStandardWebhook(message: MessageToSign): Record<string, string> {
  const key = keyOf(message.secret);
  if (!key) throw new Error('the secret is not base64 after whsec_');
  return signWithKey(key, message);
}

/** The headers of Standard Webhooks for a message, signed with this key. */
export function signWithKey(
  key: Buffer,
  { body, id, sentAt }: Omit<MessageToSign, 'secret'>,
): Record<string, string> {
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatureOf(key, id, timestamp, body),
  };
}
