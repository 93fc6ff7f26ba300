import { stringify } from 'lossless-json';
import type { Money } from '../kernel/money';

/** An amount as the finance interface writes it: a JSON number with the exact decimal value. */
export function wireNumber(amount: Money): number {
  // At most 14 digits before and after the point together: a double holds and prints these exactly.
  return Number(amount.toString());
}

/** JSON text of any reply; a bigint becomes a JSON number with all its digits. */
export function wireJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // JSON.stringify knows no bigint and says so with a TypeError; anything else wrong fails again below.
    if (error instanceof TypeError) return stringify(value) ?? 'null';
    throw error;
  }
}
