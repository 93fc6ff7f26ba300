import type { Transaction } from '../../../database/transaction';
import { newId } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { beforeOpening, findAccounts } from '../accounts/accounts.repository';
import { NO_CATEGORY } from '../ledger/entry';
import { postEntries } from '../ledger/posting';
import { findNamedRecords } from '../names/named-records.repository';
import { unacceptable } from '../../../kernel/problem';
import { single } from '../../api/ports/outcome';
import type { DirectRegistrationShape } from '../../api/shapes/payments.dto';

/**
 * Books money that reaches an account as income (a receipt) or leaves it as an expense (a payment) without a
 * schedule.
 * @returns the entry's UUID
 * @throws Problem `validation-failed` for what it names and is not there or does not fit; `before-opening-date`
 */
export async function registerDirectly(
  tx: Transaction,
  organization: Organization,
  kind: 'receipt' | 'payment',
  shape: DirectRegistrationShape,
): Promise<string> {
  const [account] = await findAccounts(tx, [{ organization, account: shape.accountId }]);
  if (!account) throw unacceptable('/accountId', 'unknown', 'there is no such account');
  const names = {
    organization,
    stakeholderId: shape.stakeholderId ?? undefined,
    category: shape.categoryId ?? undefined,
    costCenter: shape.costCenterId ?? undefined,
  };
  const categoryType = kind === 'receipt' ? 'in' : 'out';
  const { stakeholderId, categoryId, costCenterId } = single(
    await findNamedRecords(tx, [{ ...names, stakeholder: 'anyone', categoryType }]),
  );
  const early = beforeOpening(shape.date, account);
  if (early) throw early;
  const money = { book: 'account', id: account.id } as const;
  const category = categoryId ?? NO_CATEGORY;
  const id = newId();
  await postEntries(tx, [
    {
      id,
      organizationId: organization.id,
      kind,
      date: shape.date,
      amountMinor: shape.value.minor,
      ...(kind === 'receipt'
        ? { debit: money, credit: { book: 'income', id: category } }
        : { debit: { book: 'expense', id: category }, credit: money }),
      stakeholderId: stakeholderId ?? undefined,
      categoryId: categoryId ?? undefined,
      costCenterId: costCenterId ?? undefined,
      description: shape.description ?? undefined,
      reference: shape.reference ?? undefined,
      isFlagged: shape.isFlag ?? false,
    },
  ]);
  return id;
}
