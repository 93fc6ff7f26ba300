import { type ImportedWebhook, notification } from '../missed-webhooks';
import { Payload } from '../payload';
import { SIGNED_ID } from './mercado-pago.signer';

/**
 * A notification as it was sent, or of a payment as the API gives it the notification that names it. The address of both
 * names the same.
 * @throws UnreadablePayload
 */
export function importMercadoPagoLine(line: Buffer): ImportedWebhook {
  const record = Payload.parse(line);
  if (record.has('type')) {
    const named = record.loosely('data').identifier('id');
    return { ...(named !== undefined && { query: { [SIGNED_ID]: named } }), body: line };
  }
  if (!record.has('transaction_amount')) record.fail('type', 'is missing, and it is no payment either');
  const id = record.identifier('id') ?? record.missing('id');
  return { query: { [SIGNED_ID]: id }, body: notification({ type: 'payment', data: { id } }) };
}
