import { jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { name, document, email, total, number, instalments } = SAMPLE_ORDER;
const CENTS = Number(total.replace('.', ''));
const PAID_AT = 1_795_176_845;

const CHARGE = {
  id: `ch_${number}`,
  object: 'charge',
  amount: CENTS,
  amount_captured: CENTS,
  amount_refunded: 0,
  balance_transaction: `txn_${number}`,
  billing_details: {
    address: {
      city: 'São Paulo',
      country: 'BR',
      line1: 'Rua das Laranjeiras, 100',
      line2: 'ap 12',
      postal_code: '01310-100',
      state: 'SP',
    },
    email,
    name,
    phone: null,
  },
  captured: true,
  created: PAID_AT,
  currency: 'brl',
  customer: null,
  livemode: true,
  metadata: { order_id: String(number), cpf: document, parcelas: String(instalments) },
  paid: true,
  payment_intent: `pi_${number}`,
  payment_method_details: { type: 'card', card: { brand: 'visa', installments: null } },
  refunded: false,
  status: 'succeeded',
};

function sample(type: string, data: object): Sample {
  const event = { object: 'event', api_version: '2025-09-30.clover', created: PAID_AT, livemode: true, type };
  return {
    name: type.replaceAll('.', '-'),
    topic: type,
    body: jsonBytes({ id: `evt_${number}`, ...event, data }),
  };
}

export const STRIPE_SAMPLES: readonly Sample[] = [sample('charge.succeeded', { object: CHARGE })];
