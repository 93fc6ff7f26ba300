/** What must come of the payloads of ERPs, marketplaces and two shops in the shared folder: rows of `test/contract/shared-fixtures.spec.ts`. */
export const ERP_ROWS = [
  {
    file: 'bling/webhook_order_created_test.json',
    topic: 'order.created',
    unreadable: 'the order was not fetched from Bling',
  },
  {
    file: 'bling/webhook_order_created_test.json',
    topic: 'order.created',
    settings: { storeId: 'another' },
    ignored: 'it is about another company than the one of this source (storeId)',
  },
  {
    file: 'bling/webhook_order_data_doc.json',
    topic: 'order.created',
    told: [
      'order.created 123.45 BRL, loja/customer/12345678 Guest, no document',
      'order.pending 123.45 BRL, loja/customer/12345678 Guest, no document',
    ],
  },
  {
    file: 'bling/webhook_order_data_doc.json',
    topic: 'order.updated',
    settings: { storeId: '1', paidSituations: '12345678' },
    told: ['order.paid 123.45 BRL, 123.45 by ? on 2026-08-10, loja/customer/12345678 Guest, no document'],
  },
  {
    file: 'tiny/webhook_inclusao_pedido.json',
    topic: 'inclusao_pedido',
    settings: { cnpj: '59.573.950/0001-58' },
    unreadable: 'the order was not fetched from Tiny',
  },
  {
    file: 'tiny/webhook_inclusao_pedido.json',
    topic: 'inclusao_pedido',
    settings: { cnpj: '11.222.333/0001-81' },
    unreadable: '$.cnpj is another account than the one of this source',
  },
  // It is a page of a search, and no order.
  {
    file: 'tiny/pedidos_pesquisa.json',
    topic: 'atualizacao_pedido',
    unreadable: '$.retorno.pedido.id is missing',
  },
  {
    file: 'omie/webhook_cliente_alterado.json',
    topic: 'ClienteFornecedor.Alterado',
    told: ['customer.updated loja/customer/1 Prestador Alterado, 12345678901'],
  },
  {
    file: 'mercadolivre/notification_orders_v2.json',
    topic: 'orders_v2',
    unreadable: 'the order was not fetched from Mercado Livre',
  },
  {
    file: 'mercadolivre/notification_orders_v2.json',
    topic: 'orders_v2',
    settings: { storeId: '3638003734' },
    ignored: 'the notification orders_v2 is of the seller 3638003733, and the source is of another',
  },
  {
    file: 'vtex/order_handling_full.json',
    topic: 'handling',
    told: [
      'order.paid 11.60 BRL, 11.60 by ? on 2024-02-04, 10.15 back on 2024-02-09, loja/customer/5660c55f-714d-4b14-88a7-b03e9bfbdd2y Rodrigo Smith, 845.134.270-19',
      'order.refunded 11.60 BRL, 10.15 back on 2024-02-09, loja/customer/5660c55f-714d-4b14-88a7-b03e9bfbdd2y Rodrigo Smith, 845.134.270-19',
    ],
    differences: [
      'Goods, discounts, shipping, taxes and changes come to 3.99 BRL, but the order says 11.60 BRL.',
      'The order was changed after it was made, and its changes do not come to what its totals say of them: 11.60 BRL is taken for what it costs.',
      'The payments come to 39.90 BRL, but the order to 11.60 BRL. Where they pay for other orders of the purchase too, this is right: it is paid with its own 11.60 BRL.',
    ],
  },
  {
    file: 'vtex/hook_notification_payment_approved.json',
    topic: 'payment-approved',
    unreadable: 'the order was not fetched from VTEX',
  },
  {
    file: 'ecomplus/order_pending_2x.json',
    topic: 'order',
    ignored: 'the order is pending: nothing was paid, and no boleto or Pix is waited for',
  },
  { file: 'ecomplus/customer.json', topic: 'order', unreadable: '$._id is missing' },
  { file: 'vtex/hook_ping.json', topic: 'payment-approved', unreadable: '$.OrderId is missing' },
];
