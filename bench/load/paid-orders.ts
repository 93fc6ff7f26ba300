import { shopifyOrder } from '../../scripts/demo/shop-orders';
import { cpfNumber } from '../../test/support/documents';
import { webhookRequest } from './orders';

/** A webhook as bytes of HTTP. */
export interface SignedWebhook {
  /** The number of its order. */
  number: number;
  /** What Ponte recognizes repetitions by. */
  dedupeKey: string;
  request: Buffer;
}

export interface OrderKind {
  /** What Shopify calls the secret that it signs with. */
  secret: string;
  /** Slug of whom it is for. */
  organization: string;
  /** `orders/paid` is booked; `orders/create` is stored, and no rule acts on it. */
  topic: 'orders/paid' | 'orders/create' | 'orders/updated';
  instalments: number;
}

const FIRST_ID = 8_000_000_000_000;
/** Every fourth order is of a customer who bought before. */
const NEW_CUSTOMERS = 4;
/** Line items a shop sends that no rule reads; they make an order about as large as real ones are: 4.8 KB. */
const LINE_ITEMS = Array.from({ length: 7 }, (_, item) => ({
  id: FIRST_ID + item,
  admin_graphql_api_id: `gid://shopify/LineItem/${FIRST_ID + item}`,
  title: `Cadeira Ipê com braços, estofada, modelo ${item}`,
  variant_title: 'Mel / Linho cru',
  sku: `IPE-${item}-MEL-LINHO`,
  quantity: 1,
  price: '129.90',
  total_discount: '0.00',
  fulfillment_service: 'manual',
  requires_shipping: true,
  taxable: true,
  grams: 7_400,
  vendor: 'Oficina das Laranjeiras',
  properties: [{ name: 'gravação', value: 'sem gravação' }],
  tax_lines: [{ title: 'ICMS', price: '23.38', rate: 0.18 }],
}));
/** What the whole order brings after its first brace, before what differs. */
const FILLING = Buffer.from(`{"client_details":${JSON.stringify({ items: LINE_ITEMS })},`);

/** Makes orders that nobody has sent before, one after another. */
export class PaidOrders {
  private made: number;
  private readonly host: string;

  /**
   * @param url of the service they are for
   * @param after numbers up to this one belong to others
   */
  constructor(
    url: string,
    private readonly kind: OrderKind,
    after = 0,
  ) {
    this.host = new URL(url).host;
    this.made = after;
  }

  /** The number of the last one made. */
  get last(): number {
    return this.made;
  }

  next(): SignedWebhook {
    const number = (this.made += 1);
    const { topic } = this.kind;
    const customer = number % NEW_CUSTOMERS === 0 ? Math.ceil(number / 2) : number;
    const plain = shopifyOrder(
      {
        id: FIRST_ID + number,
        number,
        total: `${100 + (number % 900)}.${String(number % 100).padStart(2, '0')}`,
        name: `Cliente ${customer}`,
        document: cpfNumber(customer),
        email: `cliente${customer}@example.com`,
        instalments: this.kind.instalments,
      },
      topic !== 'orders/create',
    );
    const body = Buffer.concat([FILLING, plain.subarray(1)]);
    const id = `load-${FIRST_ID + number}`;
    const path = `/hooks/${this.kind.organization}/shopify`;
    const request = webhookRequest(path, this.host, id, body, this.kind);
    return { number, dedupeKey: `${topic}:${id}`, request };
  }
}
