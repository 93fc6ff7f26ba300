import { gatewaysOf } from './accounts';
import type { Draw } from './draw';
import { type Charge, type Order, type Payment, type PlannedPart, sum } from './facts';

/** An order that was placed and of which nothing else is known yet. */
export type PlacedOrder = Order & { readonly payments: readonly [] };

/** What becomes of an order after it was placed. */
export type Life = (order: PlacedOrder, draw: Draw) => Order;

type Method = 'card' | 'pix' | 'boleto';

const METHOD_NAMES = { card: 'credit_card', pix: 'pix', boleto: 'boleto' } as const;

const paidBy =
  (method: Method): Life =>
  (order, draw) => ({ ...order, payments: [paymentOf(order, method, order.cents, draw)] });

const byBoleto: Life = (order, draw) => ({
  ...order,
  charge: chargeOf(order),
  payments: [paymentOf(order, 'boleto', order.cents, draw)],
});

const boletoExpired: Life = (order) => ({
  ...order,
  charge: chargeOf(order),
  expiredAt: later(order.placedAt, 4 * 24 * 60),
});

/** The acquirer pays the first instalment two weeks after the sale, and the others a month apart. */
const inInstalments: Life = (order, draw) => {
  const instalments = draw.between(2, 4);
  const payment = paymentOf(order, 'card', order.cents, draw);
  const plan = order.shop === 'standard' ? { plan: planOf(payment, instalments) } : {};
  return { ...order, instalments, payments: [{ ...payment, ...plan }] };
};

const twoPayments: Life = (order, draw) => {
  const first = (order.cents * BigInt(draw.between(20, 80))) / 100n;
  const pix = paymentOf(order, 'pix', first, draw);
  return { ...order, payments: [pix, paymentOf(order, 'card', order.cents - first, draw, 90)] };
};

const giftCardPart: Life = (order, draw) => {
  const part = (order.cents * BigInt(draw.between(10, 60))) / 100n;
  const pix = paymentOf(order, 'pix', order.cents - part, draw);
  const credit = {
    ...pix,
    id: `${order.id}9`,
    gateway: 'gift_card',
    method: 'gift_card',
    cents: part,
    fee: 0n,
  };
  return {
    ...order,
    payments: [
      { ...credit, isCredit: true },
      { ...pix, at: later(pix.at, 1) },
    ],
  };
};

/** More is bought after the order was paid, and paid for itself. */
const editedUp: Life = (order, draw) => {
  const more = BigInt(draw.between(900, 9_900));
  const payment = paymentOf(order, 'card', order.cents, draw);
  const at = later(payment.at, 300);
  const second = { ...paymentOf(order, 'pix', more, draw), at: later(at, 40) };
  return { ...order, edits: [{ id: 'e1', cents: more, at }], payments: [payment, second] };
};

/** Something is left out after the order was paid, and its price given back. */
const editedDown: Life = (order, draw) => {
  const less = order.cents / BigInt(draw.between(3, 9));
  const paid = paidBy('card')(order, draw);
  const at = later(paid.payments[0]?.at ?? order.placedAt, 400);
  const edited = { ...paid, edits: [{ id: 'e1', cents: -less, at }] };
  return withRefund(edited, less, later(at, 30));
};

const cancelledUnpaid: Life = (order, draw) => ({
  ...order,
  charge: chargeOf(order),
  cancelledAt: later(order.placedAt, draw.between(60, 2_000)),
});

const refundedPartly: Life = (order, draw) => {
  const paid = paidBy(draw.oneOf(['card', 'pix'] as const))(order, draw);
  const back = order.cents / BigInt(draw.between(2, 9));
  return withRefund(paid, back, later(order.placedAt, draw.between(1, 4) * 1_440));
};

const refundedWholly: Life = (order, draw) =>
  withRefund(paidBy('pix')(order, draw), order.cents, later(order.placedAt, draw.between(1, 4) * 1_440));

const chargeback =
  (isWon: boolean): Life =>
  (order, draw) => {
    const paid = paidBy('card')(order, draw);
    const openedAt = later(order.placedAt, draw.between(3, 5) * 1_440);
    const closedAt = later(openedAt, 4 * 1_440);
    const { gateway } = paid.payments[0] ?? { gateway: '' };
    const dispute = { id: order.id + 500_000, gateway, cents: order.cents, openedAt, closedAt, isWon };
    return { ...paid, disputes: [dispute] };
  };

const throughMarketplace: Life = (order, draw) => {
  const payment = { ...paymentOf(order, 'pix', order.cents, draw), gateway: 'mercado_livre', fee: 0n };
  return { ...order, payments: [payment], commission: (order.cents * 16n) / 100n };
};

export const LIVES: Readonly<Record<string, Life>> = {
  'paid by card': paidBy('card'),
  'paid by Pix': paidBy('pix'),
  'boleto paid': byBoleto,
  'boleto expired': boletoExpired,
  'card in instalments': inInstalments,
  'two payments': twoPayments,
  'gift card part': giftCardPart,
  'edited up': editedUp,
  'edited down': editedDown,
  'cancelled before payment': cancelledUnpaid,
  'refunded partly': refundedPartly,
  'refunded wholly': refundedWholly,
  'chargeback lost': chargeback(false),
  'chargeback won': chargeback(true),
  'through a marketplace': throughMarketplace,
};

function paymentOf(order: PlacedOrder, method: Method, cents: bigint, draw: Draw, wait = 0): Payment {
  const gateways = gatewaysOf(order.shop);
  // A boleto is paid in the next days, everything else within minutes.
  const minutes = method === 'boleto' ? draw.between(300, 2_800) : draw.between(1, 9);
  return {
    ...{ id: `${order.id}${method === 'card' ? 1 : 2}`, gateway: gateways[method] },
    ...{ method: METHOD_NAMES[method], cents, fee: gateways.feeOf(method, cents) },
    at: later(order.placedAt, wait + minutes),
  };
}

function chargeOf({ id, shop, placedAt }: PlacedOrder): Charge {
  const dueOn = later(placedAt, 3 * 1_440).slice(0, 10);
  return { id: `${id}2`, gateway: gatewaysOf(shop).boleto, method: 'boleto', dueOn };
}

function withRefund(order: Order, cents: bigint, at: string): Order {
  const { gateway } = order.payments[0] ?? { gateway: '' };
  return { ...order, refunds: [{ id: `${order.id}7`, gateway, cents, at }] };
}

function planOf({ cents, fee, at }: Payment, count: number): PlannedPart[] {
  const values = partsOf(cents, count);
  const fees = partsOf(fee, count);
  return values.map((value, index) => ({
    ...{ number: index + 1, cents: value, fee: fees[index] ?? 0n },
    on: later(at, (14 + 30 * index) * 1_440).slice(0, 10),
  }));
}

/** Equal parts; what is left over goes to the last one. */
function partsOf(cents: bigint, count: number): bigint[] {
  const each = cents / BigInt(count);
  const parts = Array.from({ length: count - 1 }, () => each);
  return [...parts, cents - sum(parts)];
}

/** So many minutes later. */
export function later(at: string, minutes: number): string {
  const local = new Date(new Date(at).getTime() + (minutes - 180) * 60_000);
  return `${local.toISOString().slice(0, 19)}-03:00`;
}
