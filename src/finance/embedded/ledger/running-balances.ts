import { queryInTransaction } from '../../../database/transaction-statements';
import type { Transaction } from '../../../database/transaction';
import { MAX_MINOR } from '../../../kernel/money';
import { Problem } from '../../../kernel/problem';
import { readBalancesWithin } from './balances';

/** 9,999,999,999,999.99 in a currency of two decimals: whole digits that every double has exactly. */
export const MAX_BALANCE_MINOR = 10n ** 15n - 1n;

/**
 * What the balances of some accounts come to with what one transaction does to them, so that what no reader could be
 * shown exactly is refused before it is booked. Accounts whose balance is beyond any single amount are locked first, so
 * that those who book on them at the same time cannot pass the limit together.
 */
export class RunningBalances {
  private readonly known = new Map<string, bigint>();

  /** Reads the balances that are not known yet. @param accountIds UUIDs */
  async read(tx: Transaction, accountIds: Iterable<string>): Promise<void> {
    const unknown = [...new Set(accountIds)].filter((id) => !this.known.has(id));
    await this.take(tx, unknown);
    const large = unknown.filter((id) => abs(this.known.get(id) ?? 0n) > MAX_MINOR);
    if (large.length === 0) return;
    const lock = `select id from account where id = any($1::uuid[]) order by id for no key update`;
    await queryInTransaction(tx, lock, [large]);
    await this.take(tx, large);
  }

  /**
   * Why no more than what was read and added can be booked on an account.
   * @param minor what would be added to its balance; negative: taken off
   * @returns undefined when it can
   */
  refusal(accountId: string, minor: bigint): Problem | undefined {
    const balance = (this.known.get(accountId) ?? 0n) + minor;
    // Whatever brings an account back is welcome.
    if (abs(balance) <= MAX_BALANCE_MINOR || abs(balance) < abs(balance - minor)) return undefined;
    const message = "the account's balance would have more than 15 digits, more than can be shown exactly";
    return new Problem('validation-failed', message, {
      errors: [{ pointer: '/value', code: 'balance-range', message }],
    });
  }

  /** Takes in what is booked on an account. */
  add(accountId: string, minor: bigint): void {
    this.known.set(accountId, (this.known.get(accountId) ?? 0n) + minor);
  }

  private async take(tx: Transaction, accountIds: readonly string[]): Promise<void> {
    for (const [id, minor] of await readBalancesWithin(tx, accountIds)) this.known.set(id, minor);
  }
}

function abs(minor: bigint): bigint {
  return minor < 0n ? -minor : minor;
}
