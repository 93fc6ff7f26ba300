import { signWithHmac } from '../generic-hmac/generic-hmac.signer';
import type { MessageToSign } from '../source';
import { isBatch } from './events';
import { BATCH, STRUCTURED } from './verify';

/** Signs as a source without settings expects it, an event or a batch. */
export function signCloudEvents(message: MessageToSign): Record<string, string> {
  const type = isBatch(Buffer.from(message.body)) ? BATCH : STRUCTURED;
  return { ...signWithHmac(message), 'content-type': type };
}
