import type { MessageToSign } from '../source';
import { signWithKey } from '../standard-webhooks/standard-webhooks.signer';

/** BigCommerce signs with the bytes of the client secret's text, which is not base64. */
export function keyOf(secret: string): Buffer | undefined {
  const text = secret.trim();
  return text === '' ? undefined : Buffer.from(text, 'utf8');
}

/** Signs as BigCommerce does. @throws Error when the secret is blank */
export function signAsBigCommerce(message: MessageToSign): Record<string, string> {
  const key = keyOf(message.secret);
  if (!key) throw new Error('the secret is blank');
  return signWithKey(key, message);
}
