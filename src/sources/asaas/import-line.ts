import { type ImportedWebhook, wrapLine } from '../missed-webhooks';
import { Payload } from '../payload';

/**
 * Of a payment as the API gives it: an event that names it, with the payment in it as it is in Asaas's own. The payment is
 * fetched as it is now.
 * @throws UnreadablePayload
 */
export function importAsaasLine(line: Buffer): ImportedWebhook | undefined {
  const record = Payload.parse(line);
  if (record.has('event') || record.textIfAny('object') !== 'payment') return undefined;
  return { body: wrapLine('{"event":"PAYMENT_UPDATED","payment":', line, '}') };
}
