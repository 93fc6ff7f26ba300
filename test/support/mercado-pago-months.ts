import type { ShopSale } from './two-months-of-shops';

/** What Mercado Pago keeps of a sale, and what becomes of it. */
interface Kept {
  readonly cents: number;
  /** In cents; absent: nothing comes back with the refund. */
  readonly returned?: number;
  readonly chargeback?: 'open' | 'won';
}

const ACCOUNT = 7_001;

function sale(id: number, total: string, method: string, instalments: number, paidAt: string): ShopSale {
  return { id, total, gateway: 'mercado-pago', method, instalments, paidAt };
}

/** Two months of a shop: cards, Pix and a boleto, a refund of all and one of a part, two chargebacks of which one is won. */
export const MERCADO_PAGO_SALES: readonly ShopSale[] = [
  sale(1_612_008_001, '300.00', 'credit_card', 3, '2026-06-02T12:00:00'),
  sale(1_612_008_002, '80.00', 'pix', 1, '2026-06-05T15:30:00'),
  {
    ...sale(1_612_008_003, '120.00', 'boleto', 1, '2026-06-09T10:00:00'),
    refund: { value: '40.00', at: '2026-06-20T13:00:00' },
  },
  {
    ...sale(1_612_008_004, '250.00', 'credit_card', 1, '2026-06-15T18:00:00'),
    refund: { value: '250.00', at: '2026-06-22T09:00:00' },
  },
  sale(1_612_008_005, '180.00', 'credit_card', 1, '2026-07-03T11:00:00'),
  sale(1_612_008_006, '95.50', 'credit_card', 2, '2026-07-08T20:00:00'),
];

const KEPT: readonly Kept[] = [
  { cents: 1_495 },
  { cents: 79 },
  { cents: 349 },
  { cents: 1_247, returned: 1_247 },
  { cents: 898, chargeback: 'won' },
  { cents: 476, chargeback: 'open' },
];

const decimal = (cents: number): number => Number((cents / 100).toFixed(2));
const centsOf = (text: string): number => Number(text.replace('.', ''));

/** Cents by which Mercado Pago's statement changes: sales less fees, refunds and chargebacks. */
export const MERCADO_PAGO_STATEMENT = MERCADO_PAGO_SALES.reduce((sum, { total, refund }, index) => {
  const { cents = 0, returned = 0, chargeback } = KEPT[index] ?? {};
  const taken = chargeback === 'open' ? centsOf(total) : 0;
  return sum + centsOf(total) - cents + returned - centsOf(refund?.value ?? '0.00') - taken;
}, 0);

/** Each sale's payment, as Mercado Pago answers it in the end; and one that no shop asked for. */
export const MERCADO_PAGO_PAYMENTS = [
  ...MERCADO_PAGO_SALES.map(({ id, total, method, instalments, paidAt, refund }, index) => {
    const { cents = 0, returned = 0, chargeback } = KEPT[index] ?? {};
    const isWhole = refund?.value === total;
    return {
      ...payment(90_000_000_000 + id, centsOf(total), cents, `${paidAt}.000Z`),
      ...{ external_reference: String(id), payment_method_id: method, payment_type_id: method },
      installments: instalments,
      status: chargeback ? 'charged_back' : isWhole ? 'refunded' : 'approved',
      transaction_amount_refunded: Number(refund?.value ?? 0),
      refunds: refund
        ? [
            {
              id: id + 1,
              amount: Number(refund.value),
              status: 'approved',
              date_created: `${refund.at}.000Z`,
            },
          ]
        : [],
      charges_details: [
        {
          ...{ id: `${id}-1`, name: 'mercadopago_fee', type: 'fee' },
          ...{ accounts: { from: 'collector', to: 'mp' } },
          amounts: { original: decimal(cents), refunded: decimal(returned) },
        },
      ],
    };
  }),
  { ...payment(98_000_000_001, 5_000, 49, '2026-07-10T12:00:00.000Z'), external_reference: null },
];

function payment(id: number, cents: number, fee: number, at: string) {
  return {
    ...{ id, collector_id: ACCOUNT, live_mode: true, currency_id: 'BRL', operation_type: 'regular_payment' },
    ...{
      status: 'approved',
      status_detail: 'accredited',
      payment_method_id: 'pix',
      payment_type_id: 'bank_transfer',
    },
    ...{ transaction_amount: decimal(cents), date_created: at, date_approved: at, date_last_updated: at },
    ...{ fee_details: [{ type: 'mercadopago_fee', fee_payer: 'collector', amount: decimal(fee) }] },
    transaction_details: { net_received_amount: decimal(cents - fee) },
  };
}

/** The chargebacks, by the number of their payment, as Mercado Pago finds them. */
export const MERCADO_PAGO_CHARGEBACKS = MERCADO_PAGO_PAYMENTS.flatMap((one, index) => {
  const { chargeback } = KEPT[index] ?? {};
  if (chargeback === undefined) return [];
  const told = {
    ...{ id: `21700000${index}`, payments: [one.id], amount: one.transaction_amount, currency: 'BRL' },
    ...{ coverage_applied: chargeback === 'won' ? true : null, live_mode: true },
    ...{ date_created: '2026-07-20T13:00:00.000Z', date_last_updated: '2026-08-03T15:30:00.000Z' },
  };
  return [{ payment: one.id, told }];
});

export const MERCADO_PAGO_ACCOUNT = { id: ACCOUNT };
