import { Money } from '../../kernel/money';
import { moneyOf, sumDifference } from '../mapping/lines';
import type { Payload } from '../payload';
import { unitsOf } from './units';

/** Most entries of `totals` that are read: VTEX has five. */
const MOST_TOTALS = 50;
/** VTEX counts in hundredths, whatever the currency has. */
const HUNDREDTHS = 2;

/** What an order's value is made of, in minor units of its currency. */
export class Totals {
  private readonly parts: { id: string; minor: bigint | undefined }[];

  constructor(
    order: Payload,
    private readonly currency: string,
  ) {
    this.parts = order
      .firstItems('totals', MOST_TOTALS)
      .map((part) => ({ id: part.textIfAny('id') ?? '', minor: minorOf(part, currency) }));
  }

  /** One part; undefined where it is not there or cannot be read. */
  part(id: string): bigint | undefined {
    return this.parts.find((part) => part.id === id)?.minor;
  }

  /** One part as money; undefined where it comes to nothing. @param sign −1 for what is taken off */
  amount(id: string, sign: 1n | -1n = 1n): Money | undefined {
    return moneyOf([sign * (this.part(id) ?? 0n)], this.currency);
  }

  /** A sentence where the parts do not come to the order's value. */
  difference(value: Money): string[] {
    return sumDifference(
      'Goods, discounts, shipping, taxes and changes come to',
      this.parts.map(({ minor }) => minor),
      value,
    );
  }
}

function minorOf(part: Payload, currency: string): bigint | undefined {
  const units = unitsOf(part, 'value');
  const exponent = Money.exponentOf(currency);
  if (units === undefined || exponent === HUNDREDTHS) return units;
  const scale = 10n ** BigInt(Math.abs(exponent - HUNDREDTHS));
  if (exponent > HUNDREDTHS) return units * scale;
  return units % scale === 0n ? units / scale : undefined;
}
