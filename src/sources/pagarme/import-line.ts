import { type ImportedWebhook, wrapLine } from '../missed-webhooks';
import { Payload } from '../payload';

/** What Pagar.me's API calls orders and charges by, and webhooks about them. */
const RECORDS: Readonly<Record<string, string>> = { or_: 'order.updated', ch_: 'charge.updated' };

/**
 * Of an order or charge as the API gives it: a webhook that names it. The order is fetched as it is now.
 * @throws UnreadablePayload
 */
export function importPagarmeLine(line: Buffer): ImportedWebhook | undefined {
  const record = Payload.parse(line);
  if (record.has('type') || record.has('data')) return undefined;
  const type = RECORDS[(record.textIfAny('id') ?? '').slice(0, 3)];
  return type === undefined ? undefined : { body: wrapLine(`{"type":"${type}","data":`, line, '}') };
}
