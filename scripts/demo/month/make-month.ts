import { makeBuyers } from './buyers';
import { Draw } from './draw';
import { type Month, type Order, type Shop } from './facts';
import { later, LIVES, type PlacedOrder } from './lives';
import { makePayouts } from './payouts';

/** How many orders of each kind a shop has: 200 in all. */
const KINDS: Readonly<Record<Shop, Readonly<Record<string, number>>>> = {
  shopify: {
    ...{
      'paid by card': 18,
      'paid by Pix': 14,
      'boleto paid': 8,
      'boleto expired': 4,
      'card in instalments': 6,
    },
    ...{ 'two payments': 4, 'gift card part': 4, 'cancelled before payment': 3, 'refunded partly': 4 },
    ...{ 'refunded wholly': 2, 'chargeback lost': 2, 'chargeback won': 2 },
  },
  woocommerce: {
    ...{
      'paid by card': 18,
      'paid by Pix': 12,
      'boleto paid': 8,
      'boleto expired': 4,
      'card in instalments': 6,
    },
    ...{ 'cancelled before payment': 4, 'refunded partly': 4, 'refunded wholly': 3 },
  },
  standard: {
    ...{
      'paid by Pix': 10,
      'boleto paid': 6,
      'boleto expired': 3,
      'card in instalments': 16,
      'two payments': 5,
    },
    ...{ 'gift card part': 4, 'edited up': 4, 'edited down': 3, 'cancelled before payment': 3 },
    ...{ 'refunded partly': 4, 'refunded wholly': 2, 'chargeback lost': 2, 'chargeback won': 2 },
    ...{ 'through a marketplace': 6 },
  },
};

/** Where each shop's numbers of orders begin. */
const FIRST_IDS: Readonly<Record<Shop, number>> = {
  shopify: 6_400_000,
  woocommerce: 3_100,
  standard: 810_000,
};

/**
 * The same month for the same seed: March 2026, in which everything happens but what an acquirer pays later.
 * @param share of the orders, above 0 and at most 1; there is at least one of each kind
 */
export function makeMonth(seed: number, share = 1): Month {
  const draw = new Draw(seed);
  const buyers = makeBuyers();
  const orders: Order[] = [];
  for (const shop of ['shopify', 'woocommerce', 'standard'] as const)
    for (const [kind, count] of Object.entries(KINDS[shop]))
      for (let made = 0; made < Math.max(1, Math.round(count * share)); made += 1) {
        const number = orders.filter((order) => order.shop === shop).length + 1;
        const placed: PlacedOrder = {
          ...{ shop, kind, id: FIRST_IDS[shop] + number * 11, number: 1_000 + number },
          ...{ buyer: draw.oneOf(buyers), cents: BigInt(draw.between(1_990, 189_999)), instalments: 1 },
          placedAt: later('2026-03-01T08:00:00-03:00', draw.between(0, 19) * 1_440 + draw.between(0, 800)),
          ...{ payments: [], edits: [], refunds: [], disputes: [] },
        };
        orders.push(lifeOf(kind)(placed, draw));
      }
  const bills = ['Madeiras Serra Azul Ltda', 'Embalagens Ouro Ltda', 'Transportes Rio Doce Ltda'].map(
    (supplier, index) => ({
      ...{ id: `b-${index + 1}`, supplier, cents: BigInt(draw.between(20_000, 300_000)) },
      at: `2026-03-${12 + 5 * index}T15:00:00-03:00`,
    }),
  );
  return { orders, payouts: makePayouts(orders), bills };
}

function lifeOf(kind: string) {
  const life = LIVES[kind];
  if (!life) throw new Error(`there is no life ${kind}`);
  return life;
}
