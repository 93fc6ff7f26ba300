import { type DemoOrder, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

/** A sale as Kiwify sends it: by card as it was approved, or the Pix that it waits for. */
export function kiwifySale(order: DemoOrder, paid: boolean): Buffer {
  const charged = Math.round(Number(order.total) * 100);
  const fee = 1_148;
  return jsonBytes({
    order_id: `00000000-0000-4000-8000-${String(order.id).slice(-12)}`,
    order_ref: `R${order.number}`,
    order_status: paid ? 'paid' : 'waiting_payment',
    webhook_event_type: paid ? 'order_approved' : 'pix_created',
    payment_method: paid ? 'credit_card' : 'pix',
    installments: paid ? order.instalments : 1,
    card_type: paid ? 'visa' : null,
    pix_code: paid ? null : '00020126580014br.gov.bcb.pix-exemplo',
    sale_type: 'producer',
    created_at: '2026-11-20 10:00',
    updated_at: '2026-11-20 10:00',
    approved_date: paid ? '2026-11-20 10:00' : null,
    refunded_at: null,
    Product: { product_id: 'prod-exemplo', product_name: 'Curso de marcenaria' },
    Customer: { full_name: order.name, email: order.email, mobile: '+551140000000', CPF: order.document },
    Commissions: {
      charge_amount: charged,
      product_base_price: charged,
      kiwify_fee: fee,
      commissioned_stores: [{ id: 'loja-exemplo', type: 'producer', value: String(charged - fee) }],
      currency: 'BRL',
      my_commission: charged - fee,
    },
  });
}

export const KIWIFY_SAMPLES: readonly Sample[] = [
  { name: 'order-approved', topic: 'order_approved', body: kiwifySale(SAMPLE_ORDER, true) },
  { name: 'pix-created', topic: 'pix_created', body: kiwifySale(SAMPLE_ORDER, false) },
];
