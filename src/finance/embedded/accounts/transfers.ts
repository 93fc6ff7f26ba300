import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { unacceptable } from '../../../kernel/problem';
import { called, type Outcome } from '../../api/ports/outcome';
import type { Posting } from '../ledger/posting';
import { findAccounts } from './accounts.repository';

/** Money on its way from one account to another. */
export interface Transfer {
  /** UUID of its entry, made beforehand. */
  id: string;
  organization: Organization;
  /** UUID or code of the account that the money leaves. */
  origin: string;
  /** UUID or code of the account that gets it. */
  destiny: string;
  date: CalendarDate;
  /** Above zero. */
  value: Money;
  description?: string;
  reference?: string;
}

/**
 * Moves money between accounts of any organizations, in the order given: one entry with both sides, so that neither is
 * ever there alone. Two statements besides the posting's own, whatever the number.
 * @returns the transfers, or `validation-failed` for each that names an unknown account, or one and the same
 */
export async function transferMoney(
  posting: Posting,
  transfers: readonly Transfer[],
): Promise<Outcome<Transfer>[]> {
  const accounts = await findAccounts(
    posting.tx,
    transfers.flatMap(({ organization, origin, destiny }) => [
      { organization, account: origin },
      { organization, account: destiny },
    ]),
  );
  await posting.balances.read(
    posting.tx,
    accounts.flatMap((account) => account?.id ?? []),
  );
  return transfers.map((transfer, index) => {
    const [origin, destiny] = [accounts[2 * index], accounts[2 * index + 1]];
    const unknown = (pointer: string, name: string) =>
      unacceptable(pointer, 'unknown', `there is ${called('account', name)}`);
    const same = () =>
      unacceptable('/destinyAccountId', 'same-account', 'the two accounts must be different');
    if (transfer.origin === transfer.destiny) return same();
    if (!origin) return unknown('/originAccountId', transfer.origin);
    if (!destiny) return unknown('/destinyAccountId', transfer.destiny);
    if (origin.id === destiny.id) return same();
    const refused = posting.postWithinRange({
      id: transfer.id,
      organizationId: transfer.organization.id,
      kind: 'transfer',
      date: transfer.date,
      amountMinor: transfer.value.minor,
      debit: { book: 'account', id: destiny.id },
      credit: { book: 'account', id: origin.id },
      description: transfer.description,
      reference: transfer.reference,
    });
    return refused ?? transfer;
  });
}
