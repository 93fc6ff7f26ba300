import { type AboutLine, type ImportedWebhook, notification } from '../missed-webhooks';
import { Payload } from '../payload';
import { CHANGED } from './notification';
import { accountOf } from './settings';

/**
 * Of an order as the API gives it, in a list or by itself: a notification that it changed. It is known by when it last did.
 * @throws UnreadablePayload
 */
export function importVtexLine(line: Buffer, { settings }: AboutLine): ImportedWebhook | undefined {
  const record = Payload.parse(line);
  const id = record.text('orderId');
  if (id === undefined) return undefined;
  const changedAt = record.text('lastChange') ?? record.text('creationDate') ?? record.missing('lastChange');
  const body = {
    OrderId: id,
    State: CHANGED[0],
    LastChange: changedAt,
    Origin: { Account: accountOf(settings) },
  };
  return { body: notification(body) };
}
