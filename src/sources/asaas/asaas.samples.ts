import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { id, number, name, document, email, total } = SAMPLE_ORDER;
const PAYMENT_ID = `pay_${id}`;
const CUSTOMER_ID = `cus_${id + 7}`;

const PAYMENT = {
  object: 'payment',
  id: PAYMENT_ID,
  dateCreated: '2026-11-20',
  customer: CUSTOMER_ID,
  value: Number(total),
  netValue: Number(total) - 3.48,
  description: 'Consultoria Pau-brasil',
  billingType: 'CREDIT_CARD',
  status: 'CONFIRMED',
  dueDate: '2026-11-20',
  confirmedDate: '2026-11-20',
  clientPaymentDate: '2026-11-20',
  paymentDate: null,
  creditDate: null,
  estimatedCreditDate: '2026-12-22',
  externalReference: String(number),
  invoiceNumber: '00001777',
  creditCard: { creditCardNumber: '4321', creditCardBrand: 'VISA' },
  deleted: false,
  refunds: null,
};

const CUSTOMER = { object: 'customer', id: CUSTOMER_ID, name, email, cpfCnpj: document.replace(/\D/g, '') };

export const ASAAS_SAMPLES: readonly Sample[] = [
  {
    name: 'payment-confirmed',
    topic: 'PAYMENT_CONFIRMED',
    body: jsonBytes({
      id: 'evt_sample&1777',
      event: 'PAYMENT_CONFIRMED',
      dateCreated: '2026-11-20 10:14:05',
      payment: PAYMENT,
    }),
    fetched: [answered('payment', PAYMENT), answered('customer', CUSTOMER)],
  },
];
