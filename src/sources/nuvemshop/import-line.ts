import { type AboutLine, type ImportedWebhook, notification } from '../missed-webhooks';
import { Payload } from '../payload';
import { textSetting } from '../settings';
import { UnreadablePayload } from '../source';

/**
 * Of an order as the API gives it: the notification that names it, for the order is fetched as it is now. Its store is that of
 * the source where the order does not name one.
 * @throws UnreadablePayload
 */
export function importNuvemshopLine(line: Buffer, { settings }: AboutLine): ImportedWebhook | undefined {
  const record = Payload.parse(line);
  if (record.has('event') || !record.has('payment_status')) return undefined;
  const store = record.identifier('store_id') ?? textSetting(settings, 'storeId');
  if (store === undefined)
    throw new UnreadablePayload('the order names no store: set storeId on the source, or add store_id');
  const id = record.identifier('id') ?? record.missing('id');
  return { body: notification({ store_id: store, event: 'order/updated', id }) };
}
