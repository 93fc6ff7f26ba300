import type { OrderLine } from '../../events/event';
import { Money, MoneyError } from '../../kernel/money';
import { ifReadable, type Payload, UnreadablePayload } from '../payload';
import { moneyOr, shown, sumOf } from './sums';

const QUANTITY = /^(\d{1,9})(?:\.(\d{1,6}))?$/;
const MILLION = 1_000_000n;

/** Lines that could be read, and a sentence for each that could not. */
export interface Lines {
  lines: OrderLine[];
  differences: string[];
}

/** A positive quantity, in millionths: shops sell 1.5 metres too. */
export function quantityOf(line: Payload, key: string): bigint {
  const match = QUANTITY.exec(line.text(key) ?? line.missing(key));
  const millionths = BigInt(match?.[1] ?? 0) * MILLION + BigInt((match?.[2] ?? '').padEnd(6, '0'));
  return millionths > 0n ? millionths : line.fail(key, 'is not a quantity');
}

/** A line whose shop gives the price of one. */
export function lineOfPrice(
  title: string,
  sku: string | undefined,
  millionths: bigint,
  price: Money,
): OrderLine {
  return { title, ...(sku !== undefined && { sku }), quantity: Number(millionths) / 1e6, price };
}

/**
 * A line whose shop gives what all pieces cost together. Where that cannot be divided among the pieces to
 * the cent, the line stands as one piece, `3 × title`, so that no cent is made up.
 */
export function lineOfSum(title: string, sku: string | undefined, millionths: bigint, sum: Money): OrderLine {
  const scaled = sum.minor * MILLION;
  if (scaled % millionths === 0n) {
    return lineOfPrice(title, sku, millionths, Money.ofMinor(scaled / millionths, sum.currency));
  }
  return lineOfPrice(`${Number(millionths) / 1e6} × ${title}`, sku, MILLION, sum);
}

/**
 * Reads every line. Nothing is booked from lines, so one that cannot be read is left out and reported
 * instead of stopping the order.
 */
export function readLines(items: readonly Payload[], read: (line: Payload) => OrderLine): Lines {
  const result: Lines = { lines: [], differences: [] };
  for (const item of items) {
    try {
      result.lines.push(read(item));
    } catch (error) {
      if (!(error instanceof UnreadablePayload) && !(error instanceof MoneyError)) throw error;
      result.differences.push(`A line is left out: ${error.message}.`);
    }
  }
  return result;
}

/**
 * One part of a sum, in minor units, for comparing only: 0 when the payload leaves it out, undefined when it
 * cannot be told exactly (shops may show more decimals than their currency has).
 */
export function partOf(place: Payload, key: string, currency: string): bigint | undefined {
  return ifReadable(() => place.money(key, currency)?.minor ?? 0n);
}

/** Parts of a sum as money; undefined where they come to nothing, or one is unknown. @param minor see {@link partOf} */
export function moneyOf(minor: readonly (bigint | undefined)[], currency: string): Money | undefined {
  if (minor.some((part) => part === undefined)) return undefined;
  const sum = sumOf(minor.map((part) => part ?? 0n));
  return sum > 0n ? moneyOr(sum, currency, () => undefined) : undefined;
}

/**
 * A sentence when parts do not add up to what the payload calls their sum; none when they do, or when a part
 * is unknown.
 * @param minor the parts in minor units
 */
export function sumDifference(
  what: string,
  minor: readonly (bigint | undefined)[],
  stated: Money | undefined,
): string[] {
  if (stated === undefined || minor.length === 0 || minor.some((part) => part === undefined)) return [];
  const sum = sumOf(minor.map((part) => part ?? 0n));
  if (sum === stated.minor) return [];
  return [`${what} ${shown(sum, stated.currency)}, but the order says ${stated.withCurrency()}.`];
}
