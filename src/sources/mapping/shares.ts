import type { OrderLine } from '../../events/event';
import type { Unbooked } from '../../events/unbooked';
import { Money } from '../../kernel/money';
import { defined } from './defined';
import { lineOfPrice, moneyOf } from './lines';
import { shown } from './sums';

const ONE = 1_000_000n;

/** How a sale's money is divided between the shop, those who sell with it, and the platform that takes the payment. */
export interface Shares {
  /** What the buyer was charged. */
  readonly charged: Money;
  /** What the product costs, in the same currency; absent: the platform does not say. */
  readonly price?: Money;
  /** What is credited to the shop; absent: the platform does not say. */
  readonly own?: Money;
  /** What co-producers and affiliates get of it. */
  readonly others: Money;
  /** What the platform keeps, the interest of instalments included; absent: the platform does not say. */
  readonly fee?: Money;
  /** Sentences where these amounts disagree. */
  readonly differences: string[];
}

/**
 * The platform keeps what neither the shop nor anybody else is credited with, so that the rest is what it pays out. Where that
 * is more than the fee that it names, the buyer's interest has to explain it.
 * @param platform what people call it, for sentences
 * @param named all in one currency; `fee` as the platform names it
 */
export function divideSale(platform: string, named: Omit<Shares, 'differences'>): Shares {
  const { charged, price, own, others } = named;
  const kept = own && charged.minor - own.minor - others.minor;
  if (kept === undefined) return { ...named, differences: [] };
  if (kept < 0n)
    return {
      ...named,
      others: Money.zero(charged.currency),
      differences: [
        `The commissions come to more than the buyer paid, ${charged.withCurrency()}: those of others are left out.`,
      ],
    };
  const fee = Money.ofMinor(kept, charged.currency);
  return { ...named, fee, differences: feeDifference(platform, fee, named.fee, charged, price) };
}

function feeDifference(
  platform: string,
  fee: Money,
  named: Money | undefined,
  charged: Money,
  price: Money | undefined,
): string[] {
  if (!named || named.equals(fee)) return [];
  const interest = price === undefined ? 0n : charged.minor - price.minor;
  if (fee.minor - named.minor === interest) return [];
  return [
    `${platform} names a fee of ${named.withCurrency()}, but keeps ${fee.withCurrency()} of what the buyer paid.`,
  ];
}

/** What the total is made of, and what those who sell with the shop get of it. @param gateway the platform, as payments have it */
export function partsOfSale({ charged, price, others }: Shares, gateway: string) {
  const off = price === undefined ? 0n : price.minor - charged.minor;
  return defined({
    discount: moneyOf([off], charged.currency),
    ...(others.isPositive && { commission: others, marketplace: gateway }),
  });
}

/** The product, and what the buyer pays for instalments besides. */
export function linesOfSale(
  { charged, price = charged }: Pick<Shares, 'charged' | 'price'>,
  title: string,
): OrderLine[] {
  const interest = moneyOf([charged.minor - price.minor], charged.currency);
  return [
    lineOfPrice(title, undefined, ONE, price),
    ...(interest ? [lineOfPrice('Acréscimo do parcelamento', undefined, ONE, interest)] : []),
  ];
}

/** What the platform and others kept of a sale that went back, where nothing says whether it comes back too. */
export function keptDifference(platform: string, { fee, others, charged }: Shares): string[] {
  const kept = (fee?.minor ?? 0n) + others.minor;
  if (kept === 0n) return [];
  const text = shown(kept, charged.currency);
  return [
    `The whole sale went back to the buyer. Whether the fee and commissions of ${text} came back to the shop is in ${platform}'s statement (extrato) alone: enter what did.`,
  ];
}

/**
 * The commission of a sale that this shop brought or helped with: the sale belongs to the producer's books.
 * @param businessKey of the sale
 * @param role what the shop is in it, as the platform spells it
 */
export function unbookedCommission(
  businessKey: string,
  role: string,
  value: Money,
  isTakenBack: boolean,
): Unbooked {
  const what = isTakenBack ? 'was taken back' : 'was earned';
  const detail = `A commission of ${value.withCurrency()} ${what} as ${role} of a sale of somebody else: enter it by hand`;
  return { businessKey, code: 'order-differs', detail, value };
}
