import type { Transaction } from '../../../database/transaction';
import { newId } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { postEntries } from '../ledger/posting';
import { unacceptable } from '../../../kernel/problem';
import type { TransferShape } from '../../api/shapes/accounts.dto';
import { findAccounts } from './accounts.repository';

/**
 * Moves money from one account to another: one entry with both sides, so that neither is ever there alone.
 * @returns the entry's UUID
 * @throws Problem `validation-failed` for an unknown account, or one and the same
 */
export async function transferMoney(
  tx: Transaction,
  organization: Organization,
  { originAccountId, destinyAccountId, date, value }: TransferShape,
): Promise<string> {
  if (originAccountId === destinyAccountId) {
    throw unacceptable('/destinyAccountId', 'same-account', 'the two accounts must be different');
  }
  const [origin, destiny] = await findAccounts(tx, [
    { organization, account: originAccountId },
    { organization, account: destinyAccountId },
  ]);
  if (!origin) throw unacceptable('/originAccountId', 'unknown', 'there is no such account');
  if (!destiny) throw unacceptable('/destinyAccountId', 'unknown', 'there is no such account');
  const id = newId();
  await postEntries(tx, [
    {
      id,
      organizationId: organization.id,
      kind: 'transfer',
      date,
      amountMinor: value.minor,
      debit: { book: 'account', id: destiny.id },
      credit: { book: 'account', id: origin.id },
    },
  ]);
  return id;
}
