import type { AboutLine, ImportedWebhook } from '../missed-webhooks';
import { Payload } from '../payload';
import { UnreadablePayload } from '../source';

/** The topic whose webhooks have the order as it is. */
export const OF_ORDERS = 'order.updated';

/**
 * Webhooks and the REST API have orders and customers in the same form; only the header of a webhook says which it is.
 * @throws UnreadablePayload for what is no order, where no topic is named
 */
export function importWooCommerceLine(line: Buffer, { topic }: AboutLine): ImportedWebhook {
  if (topic === undefined) {
    const record = Payload.parse(line);
    if (!record.has('line_items') || !record.has('total'))
      throw new UnreadablePayload(
        'it is no order of WooCommerce; where all lines are of one topic, name that',
      );
  }
  return { headers: { 'x-wc-webhook-topic': topic ?? OF_ORDERS }, body: line };
}
