import type { Period } from '../missed-webhooks';

/** How long the parts of a period are by the period's own length, in milliseconds: the shortest first, up to `Infinity`. */
export type PartLengths = readonly { readonly upTo: number; readonly length: number }[];

/**
 * A period in short parts, for lists that do not say when something changed: what is in the list of a part changed in that
 * part. Parts begin at the same times whichever period they are of, so that the same change has the same part in every
 * comparison of periods that are as long.
 */
export class PeriodParts {
  private readonly length: number;

  /** @throws RangeError where no length is for a period that is as long */
  constructor({ from, to }: Period, lengths: PartLengths) {
    const whole = to.getTime() - from.getTime();
    const found = lengths.find(({ upTo }) => whole <= upTo);
    if (!found) throw new RangeError('there is no length of parts for a period that is as long');
    this.length = found.length;
  }

  /** When the part that an instant is in begins, were the period to begin no later. Both in milliseconds. */
  beginOf(ms: number): number {
    return Math.floor(ms / this.length) * this.length;
  }

  /** When it ends, in milliseconds. */
  endOf(ms: number): number {
    return this.beginOf(ms) + this.length;
  }

  /** Names it: `2026-07-11T12:00:00.000Z/15`, with its length in minutes. */
  nameOf(ms: number): string {
    return `${new Date(this.beginOf(ms)).toISOString()}/${this.length / 60_000}`;
  }
}
