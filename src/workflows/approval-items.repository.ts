import type { Transaction } from '../database/transaction';

/**
 * Takes the item of an approval off the list: it is decided, or another one is asked for in its place. The item names it at
 * its end, see `approvalRequired`.
 * @param approval its identifier
 */
export async function resolveItemOf(
  tx: Transaction,
  organizationId: string,
  approval: string,
  now: Date,
): Promise<void> {
  await tx.attention.updateMany({
    where: { organizationId, code: 'approval-required', resolvedAt: null, detail: { endsWith: approval } },
    data: { resolvedAt: now },
  });
}
