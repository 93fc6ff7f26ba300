import type { Transaction } from './transaction';

/**
 * For the rest of the transaction, whatever PostgreSQL believes of a table: it is not read as a whole, and what is
 * asked for in an index's order comes in that order without being sorted, by one process. For lists of tables so large that a plan
 * made on stale statistics would slow the whole service down.
 */
export async function alongAnIndex(tx: Transaction): Promise<void> {
  await tx.$executeRaw`
    select set_config('enable_seqscan', 'off', true), set_config('enable_sort', 'off', true),
      set_config('enable_bitmapscan', 'off', true), set_config('max_parallel_workers_per_gather', '0', true)`;
}
