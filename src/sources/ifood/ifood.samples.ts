import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { name, document, total, number } = SAMPLE_ORDER;
const VALUE = Number(total);
const ORDER_ID = `5f0c2d1e-9a4b-4c3d-8e2f-${String(number).padStart(12, '0')}`;
const MERCHANT_ID = '0b1d7a52-6c1e-4f7e-9d3a-2f1c6b8e4a10';

const EVENT = {
  id: `8d1f6b7a-0c2e-4d5f-9a8b-${String(number).padStart(12, '0')}`,
  code: 'CON',
  fullCode: 'CONCLUDED',
  orderId: ORDER_ID,
  merchantId: MERCHANT_ID,
  createdAt: '2026-11-20T13:02:41.517Z',
};

const ORDER = {
  id: ORDER_ID,
  displayId: String(number),
  orderType: 'DELIVERY',
  orderTiming: 'IMMEDIATE',
  salesChannel: 'IFOOD',
  createdAt: '2026-11-20T12:12:41.000Z',
  isTest: false,
  merchant: { id: MERCHANT_ID, name: 'Restaurante Ipê' },
  customer: { id: 'c7a0d9e2-1f3b-4a6c-8d5e-7b9f0a1c2d3e', name, documentNumber: document },
  items: [{ index: 1, name: 'Prato do dia', quantity: 1, unitPrice: VALUE, totalPrice: VALUE }],
  total: { subTotal: VALUE, deliveryFee: 0, benefits: 0, additionalFees: 0, orderAmount: VALUE },
  payments: {
    prepaid: VALUE,
    pending: 0,
    methods: [{ value: VALUE, currency: 'BRL', method: 'PIX', type: 'ONLINE', prepaid: true }],
  },
  delivery: { mode: 'DEFAULT', deliveredBy: 'MERCHANT' },
};

export const IFOOD_SAMPLES: readonly Sample[] = [
  {
    name: 'concluded',
    topic: 'CONCLUDED',
    body: jsonBytes(EVENT),
    fetched: [answered('order', ORDER)],
  },
];
