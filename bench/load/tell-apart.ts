import { formatMinor } from '../../src/kernel/money';

/** So many orders in a row are worth different powers of two; their sum over a run stays below the largest amount of a ledger. */
const BITS = 36;
/** Cents of the first: enough for three instalments. */
const LEAST = 4n;

/** Orders that can be distinguished in the sum of those that were booked. */
export interface AddressedBits {
  /** What the order is worth: `0.04`, `0.08`, `0.16`, … and again from the first. */
  amountOf(index: number): string;
  /**
   * @param grown by how much the sum has grown since the last call, in cents
   * @param sent orders that may be in it: those with a lower index
   * @returns the indexes of those that are in it now and were not before
   * @throws Error when no orders that were sent come to that sum
   */
  take(grown: bigint, sent: number): number[];
}

export function addressedBits(): AddressedBits {
  const taken = new Set<number>();
  let oldest = 0;
  return {
    amountOf: (index) => formatMinor(LEAST << BigInt(index % BITS)),
    take: (grown, sent) => {
      const found: number[] = [];
      let rest = grown;
      // From the highest power down; of orders with one power the oldest, which has had the most time.
      for (let bit = BITS - 1; bit >= 0 && rest > 0n; bit -= 1) {
        const worth = LEAST << BigInt(bit);
        const from = oldest + ((((bit - oldest) % BITS) + BITS) % BITS);
        for (let index = from; index < sent && rest >= worth; index += BITS) {
          if (taken.has(index)) continue;
          taken.add(index);
          found.push(index);
          rest -= worth;
        }
      }
      if (rest !== 0n) throw new Error(`${rest} cents of ${grown} are of no order that was sent`);
      while (taken.delete(oldest)) oldest += 1;
      return found.sort((left, right) => left - right);
    },
  };
}
