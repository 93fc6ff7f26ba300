import type { AboutLine, ImportedWebhook } from '../missed-webhooks';
import { Payload } from '../payload';
import { UnreadablePayload } from '../source';

/** The topic whose webhooks have the order as it is, and nothing of what has just happened to it. */
export const OF_ORDERS = 'orders/updated';

/**
 * Webhooks and the REST API have orders and customers in the same form; only the header of a webhook says which it is.
 * @throws UnreadablePayload for what is no order, where no topic is named
 */
export function importShopifyLine(line: Buffer, { topic }: AboutLine): ImportedWebhook {
  if (topic === undefined) {
    const record = Payload.parse(line);
    if (!record.has('line_items') || !record.has('total_price'))
      throw new UnreadablePayload('it is no order of Shopify; where all lines are of one topic, name that');
  }
  return { headers: { 'x-shopify-topic': topic ?? OF_ORDERS }, body: line };
}
