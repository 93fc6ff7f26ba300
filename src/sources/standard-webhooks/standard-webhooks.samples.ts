import { jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { name, document, email, total, instalments, number } = SAMPLE_ORDER;

const CUSTOMER = { id: `C-${number}`, name, document, email };

const MADE = {
  id: String(number),
  number: String(number),
  currency: 'BRL',
  total,
  createdAt: '2026-11-20T09:12:41-03:00',
  instalments,
  customer: CUSTOMER,
  lines: [{ title: 'Cadeira Ipê', sku: 'IPE-1', quantity: 1, price: total }],
};

const PAYMENT = {
  id: `pay-${number}`,
  gateway: 'mercado_pago',
  value: total,
  paidAt: '2026-11-20T09:14:05-03:00',
};

function sample(topic: string, data: object): Sample {
  const body = jsonBytes({ type: topic, timestamp: '2026-11-20T12:14:06Z', data });
  return { name: topic.replace('.', '-'), topic, body };
}

export const STANDARD_WEBHOOKS_SAMPLES: readonly Sample[] = [
  sample('order.created', MADE),
  sample('order.paid', { ...MADE, payment: PAYMENT }),
  sample('customer.updated', CUSTOMER),
];
