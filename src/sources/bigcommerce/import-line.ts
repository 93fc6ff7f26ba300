import { type AboutLine, type ImportedWebhook, notification } from '../missed-webhooks';
import { Payload } from '../payload';
import { textSetting } from '../settings';

/**
 * Of an order as the API gives it: the notification that names it, for the order is fetched as it is now.
 * @throws UnreadablePayload
 */
export function importBigCommerceLine(line: Buffer, { settings }: AboutLine): ImportedWebhook | undefined {
  const record = Payload.parse(line);
  if (record.has('scope') || !record.has('status_id')) return undefined;
  const id = record.identifier('id') ?? record.missing('id');
  const producer = `stores/${textSetting(settings, 'storeHash') ?? ''}`;
  return { body: notification({ scope: 'store/order/updated', producer, data: { type: 'order', id } }) };
}
