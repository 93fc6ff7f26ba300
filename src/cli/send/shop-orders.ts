/** Orders as two storefronts send them, made up for trying Ponte out: nobody's data, real shapes. */

export interface DemoOrder {
  id: number;
  number: number;
  total: string;
  name: string;
  document: string;
  email: string;
  instalments: number;
}

/** A Shopify order as `orders/create` and `orders/paid` carry it. */
export function shopifyOrder(order: DemoOrder, paid: boolean): Buffer {
  const [firstName, ...rest] = order.name.split(' ');
  return json({
    id: order.id,
    admin_graphql_api_id: `gid://shopify/Order/${order.id}`,
    name: `#${order.number}`,
    order_number: order.number,
    created_at: '2026-11-20T09:12:41-03:00',
    updated_at: paid ? '2026-11-20T09:14:05-03:00' : '2026-11-20T09:12:42-03:00',
    processed_at: '2026-11-20T09:12:40-03:00',
    currency: 'BRL',
    total_price: order.total,
    subtotal_price: order.total,
    total_tax: '0.00',
    total_discounts: '0.00',
    financial_status: paid ? 'paid' : 'pending',
    total_outstanding: paid ? '0.00' : order.total,
    payment_gateway_names: ['mercado_pago'],
    test: false,
    cancelled_at: null,
    email: order.email,
    phone: null,
    note_attributes: [
      { name: 'cpf', value: order.document },
      { name: 'parcelas', value: String(order.instalments) },
    ],
    customer: {
      id: order.id + 7,
      email: order.email,
      first_name: firstName,
      last_name: rest.join(' '),
      phone: null,
    },
    billing_address: {
      name: order.name,
      address1: 'Rua das Laranjeiras, 100',
      address2: 'ap 12',
      city: 'São Paulo',
      province_code: 'SP',
      zip: '01310-100',
      country_code: 'BR',
    },
    line_items: [{ id: order.id + 1, title: 'Cadeira Ipê', sku: 'IPE-1', quantity: 1, price: order.total }],
    refunds: [],
  });
}

/** A WooCommerce order as `order.created` and `order.updated` carry it. */
export function wooOrder(order: DemoOrder, status: 'pending' | 'processing'): Buffer {
  const [firstName, ...rest] = order.name.split(' ');
  const paid = status === 'processing';
  return json({
    id: order.id,
    number: String(order.number),
    status,
    currency: 'BRL',
    date_created: '2026-11-20T10:00:00',
    date_created_gmt: '2026-11-20T13:00:00',
    date_modified_gmt: paid ? '2026-11-20T13:05:10' : '2026-11-20T13:00:00',
    date_paid_gmt: paid ? '2026-11-20T13:05:09' : null,
    total: order.total,
    payment_method: 'pagarme-pix',
    payment_method_title: 'Pix',
    transaction_id: paid ? 'tr_demo_1' : '',
    billing: {
      first_name: firstName,
      last_name: rest.join(' '),
      email: order.email,
      phone: '(11) 4000-0000',
      address_1: 'Avenida Central, 9',
      address_2: '',
      city: 'Curitiba',
      state: 'PR',
      postcode: '80010-000',
      country: 'BR',
    },
    meta_data: [{ id: 1, key: '_billing_cpf', value: order.document }],
    line_items: [
      {
        id: 1,
        name: 'Mesa Jatobá',
        sku: 'JAT-2',
        quantity: 1,
        price: Number(order.total),
        subtotal: order.total,
        total: order.total,
      },
    ],
    refunds: [],
  });
}

function json(value: unknown): Buffer {
  return Buffer.from(JSON.stringify(value));
}
