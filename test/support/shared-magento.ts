import type { FetchedAnswer } from '../../src/sources/source';

type Json = Record<string, unknown>;

const COMMERCE = 'com.adobe.commerce.observer';
const PRODUCT = `${COMMERCE}.catalog_product_save_commit_after`;
/** `state` of an invoice, which for an order is a word. */
const PAID = 2;

/** What the shared files of Adobe Commerce must come to. */
export const MAGENTO_ROWS = [
  {
    file: 'magento/order_pending_banktransfer.json',
    topic: `${COMMERCE}.sales_order_save_commit_after`,
    told: ['order.pending 165.00 USD, loja/customer/3 Jane Doe, no document'],
  },
  {
    file: 'magento/invoice_for_order.json',
    topic: `${COMMERCE}.sales_order_invoice_save_commit_after`,
    told: [
      'order.paid 165.00 USD, 165.00 by banktransfer on 2017-08-21, loja/customer/3 Jane Doe, no document',
    ],
  },
  {
    file: 'cloudevents/adobe_commerce_product_save.json',
    provider: 'magento',
    topic: PRODUCT,
    ignored: `type ${PRODUCT} is none that Ponte reads`,
  },
];

/** The event that names an order, or the order of an invoice; undefined where the file is an event itself. */
export function eventOfMagento({ entity_id, order_id }: Json, type: string): object | undefined {
  // Whom it is for is written into it when it is sent.
  const recipient = { recipient_client_id: '' };
  return entity_id === undefined
    ? undefined
    : { type, data: { value: { entity_id, order_id } }, ...recipient };
}

/**
 * What the shop answers about an order, or about an invoice, whose order is then paid.
 * @param order the shared order
 */
export function answersOfMagento(one: Json, order: Json): FetchedAnswer[] {
  const isInvoice = one['state'] === PAID;
  const paid = { state: 'processing', total_paid: one['grand_total'], total_due: 0 };
  const invoices = isInvoice ? [one] : [];
  return [
    answer('order', isInvoice ? { ...order, ...paid } : one),
    answer('invoices', { items: invoices, total_count: invoices.length }),
    answer('creditmemos', { items: [], total_count: 0 }),
  ];
}

function answer(name: string, body: object): FetchedAnswer {
  return { name, status: 200, body: Buffer.from(JSON.stringify(body)) };
}
