import { formatMinor, Money } from '../kernel/money';
import type { PayoutFacts } from './event';

/**
 * A sentence where the lines of a payout do not come to what reached the bank, or its fees not to its fee; undefined where
 * they do, or where there are no lines. A fee that is in no line is taken off what the lines come to.
 */
export function payoutDifference({ value, fee, lines }: PayoutFacts): string | undefined {
  if (lines === undefined || lines.length === 0) return undefined;
  const sum = (minor: readonly bigint[]): bigint => minor.reduce((total, one) => total + one, 0n);
  const fees = lines.filter(({ kind }) => kind === 'fee');
  const inLines = -sum(fees.map((line) => line.value.minor));
  const shown = (minor: bigint): string =>
    `${formatMinor(minor, Money.exponentOf(value.currency))} ${value.currency}`;
  if (fee && fees.length > 0 && inLines !== fee.minor)
    return `The lines of the payout have fees of ${shown(inLines)}, but the payout says ${shown(fee.minor)}.`;
  const total = sum(lines.map((line) => line.value.minor)) - (fees.length === 0 ? (fee?.minor ?? 0n) : 0n);
  return total === value.minor
    ? undefined
    : `The lines of the payout come to ${shown(total)}, but ${shown(value.minor)} were paid out.`;
}
