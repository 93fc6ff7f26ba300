import { answered, jsonBytes, SAMPLE_ORDER } from '../samples';
import type { Sample } from '../source';

const { name, document, email, total, number, instalments } = SAMPLE_ORDER;
const CENTS = Number(total.replace('.', ''));
const ID = `v${number}ipe-01`;
const [firstName, lastName] = name.split(' ');

const NOTIFICATION = {
  Domain: 'Fulfillment',
  OrderId: ID,
  State: 'payment-approved',
  LastState: 'payment-pending',
  LastChange: '2026-11-20T12:14:04.9318201Z',
  CurrentChange: '2026-11-20T12:14:05.1170042Z',
  Origin: { Account: 'lojaipe', Key: 'vtexappkey-lojaipe-PONTEX' },
};

const ORDER = {
  orderId: ID,
  sequence: String(number),
  origin: 'Marketplace',
  status: 'payment-approved',
  value: CENTS,
  creationDate: '2026-11-20T12:12:41.4310000+00:00',
  lastChange: '2026-11-20T12:14:05.1170042+00:00',
  authorizedDate: '2026-11-20T12:14:05.0000000+00:00',
  totals: [{ id: 'Items', name: 'Total dos Itens', value: CENTS }],
  sellers: [{ id: '1', name: 'Loja Ipê' }],
  storePreferencesData: { countryCode: 'BRA', currencyCode: 'BRL' },
  clientProfileData: { firstName, lastName, email, documentType: 'cpf', document, isCorporate: false },
  items: [{ id: '31', refId: 'IPE-1', name: 'Cadeira Ipê', quantity: 1, price: CENTS, sellingPrice: CENTS }],
  paymentData: {
    transactions: [
      {
        isActive: true,
        transactionId: `T${number}`,
        payments: [
          {
            id: `P${number}`,
            group: 'creditCard',
            paymentSystemName: 'Visa',
            value: CENTS,
            referenceValue: CENTS,
            installments: instalments,
          },
        ],
      },
    ],
  },
};

export const VTEX_SAMPLES: readonly Sample[] = [
  {
    name: 'payment-approved',
    topic: 'payment-approved',
    body: jsonBytes(NOTIFICATION),
    fetched: [answered('order', ORDER)],
  },
];
