import type { ShopSale } from './two-months-of-shops';

/** A row of Pagar.me's statement. */
interface Operation {
  readonly id: number;
  readonly status: string;
  readonly type: string;
  readonly amount: number;
  readonly fee: number;
  /** All fees of a payable, where there are others than `fee`. */
  readonly parts?: number;
  readonly created_at: string;
  readonly movement_object: object;
}

const CARD = 'woo-pagarme-payments-credit_card';

/** Two months of a shop: cards at once and in instalments, a Pix, a boleto, refunds, and two chargebacks of which one is won. */
export const PAGARME_SALES: readonly ShopSale[] = [
  sale(7001, '300.00', CARD, 'Cartão de crédito', 3, '2026-06-02T12:00:00'),
  sale(7002, '80.00', 'woo-pagarme-payments-pix', 'Pix', 1, '2026-06-05T15:30:00'),
  {
    ...sale(7003, '120.00', 'woo-pagarme-payments-billet', 'Boleto', 1, '2026-06-09T10:00:00'),
    refund: { value: '40.00', at: '2026-06-20T13:00:00' },
  },
  {
    ...sale(7004, '250.00', CARD, 'Cartão de crédito', 1, '2026-06-15T18:00:00'),
    refund: { value: '250.00', at: '2026-06-22T09:00:00' },
  },
  sale(7005, '180.00', CARD, 'Cartão de crédito', 1, '2026-07-03T11:00:00'),
  sale(7006, '95.50', CARD, 'Cartão de crédito', 2, '2026-07-08T20:00:00'),
];

function sale(
  id: number,
  total: string,
  gateway: string,
  method: string,
  instalments: number,
  paidAt: string,
): ShopSale {
  return { id, total, gateway, method, instalments, paidAt };
}

const DISPUTED = [7005, 7006];

/** Each sale's charge, as Pagar.me answers it in the end. */
export const PAGARME_CHARGES = PAGARME_SALES.map(({ id, total, paidAt }) => {
  const amount = Number(total.replace('.', ''));
  return {
    ...{ id: `ch_Sale${id}`, code: String(id), amount, paid_amount: amount, currency: 'BRL' },
    ...{ status: DISPUTED.includes(id) ? 'chargedback' : 'paid', payment_method: 'credit_card' },
    ...{ paid_at: `${paidAt}Z`, created_at: `${paidAt}Z`, updated_at: '2026-07-20T14:00:00Z' },
    order: { id: `or_Sale${id}`, code: String(id) },
  };
});

export const PAGARME_ORDERS = PAGARME_CHARGES.map(({ order, ...charge }) => ({
  ...{ ...order, amount: charge.amount, currency: 'BRL', status: 'paid', items: [], charges: [charge] },
  ...{ created_at: charge.created_at, updated_at: charge.updated_at },
  customer: { name: 'Joaquim Pedrosa', email: 'joaquim.pedrosa@example.com' },
}));

let lastId = 18_958_961_000;

function operation(
  type: string,
  [amount, fee]: readonly [amount: number, fee: number],
  at: string,
  movement_object: object,
  more: object = {},
): Operation {
  lastId += 1;
  const created_at = `${at}T03:11:47Z`;
  return { id: lastId, status: 'available', type, amount, fee, created_at, movement_object, ...more };
}

function payable(
  kind: string,
  sale: number,
  amounts: readonly [amount: number, fee: number],
  at: string,
  { installment = 1, anticipation = 0 } = {},
): Operation {
  const [amount, fee] = amounts;
  const object = {
    ...{ object: 'payable', id: `9${lastId}`, type: kind, status: 'paid', amount, fee, installment },
    ...{ anticipation_fee: anticipation, fraud_coverage_fee: 0, charge_id: `ch_Sale${sale}` },
    ...{
      recipient_id: 're_Aroeira0000000001',
      payment_date: `${at}T03:00:00Z`,
      payment_method: 'credit_card',
    },
  };
  return operation('payable', amounts, at, object, anticipation > 0 ? { parts: fee + anticipation } : {});
}

function transfer(amount: number, fee: number, at: string, more: object = {}): Operation {
  const object = { object: 'transfer', id: lastId, type: 'ted', status: 'transferred', fee, ...more };
  return operation('transfer', [amount, fee], at, object);
}

/** The statement of the balance, with what Pagar.me keeps of each part, and what it pays out. */
export const PAGARME_STATEMENT: readonly Operation[] = [
  payable('credit', 7001, [10_000, 365], '2026-07-02'),
  payable('credit', 7001, [10_000, 365], '2026-08-03', { installment: 2 }),
  payable('credit', 7001, [10_000, 366], '2026-08-05', { installment: 3, anticipation: 41 }),
  payable('credit', 7002, [8_000, 95], '2026-06-06'),
  payable('credit', 7003, [12_000, 349], '2026-06-10'),
  transfer(-4_000, 367, '2026-06-20', { transaction_id: 2_208_039_444 }),
  payable('credit', 7004, [25_000, 910], '2026-07-15'),
  payable('refund', 7004, [-25_000, -910], '2026-07-15'),
  payable('credit', 7005, [18_000, 657], '2026-08-03'),
  payable('chargeback', 7005, [-18_000, 0], '2026-08-04'),
  payable('chargeback_refund', 7005, [18_000, 0], '2026-09-21'),
  payable('credit', 7006, [4_775, 174], '2026-08-07'),
  payable('credit', 7006, [4_775, 175], '2026-09-07', { installment: 2 }),
  payable('chargeback', 7006, [-4_775, 0], '2026-08-07'),
  payable('chargeback', 7006, [-4_775, 0], '2026-09-07', { installment: 2 }),
  transfer(-15_000, 0, '2026-06-30'),
  transfer(-30_000, 367, '2026-08-31'),
  operation('fee_collection', [-4_990, 0], '2026-09-01', { object: 'fee_collection', id: 71 }),
  operation(
    'payable',
    [5_000, 200],
    '2026-09-02',
    { object: 'payable', type: 'credit' },
    { status: 'waiting_funds' },
  ),
];
