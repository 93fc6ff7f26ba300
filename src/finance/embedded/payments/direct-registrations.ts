import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { unacceptable } from '../../../kernel/problem';
import type { Transaction } from '../../../database/transaction';
import { newId } from '../../../kernel/identifier';
import { called, isRefused, type Outcome, single } from '../../api/ports/outcome';
import type { DirectRegistrationShape } from '../../api/shapes/payments.dto';
import { beforeOpening, findAccounts, type FoundAccount } from '../accounts/accounts.repository';
import { type NewEntry, NO_CATEGORY } from '../ledger/entry';
import { type Posting, posting } from '../ledger/posting';
import { findNamedRecords, type FoundRecords } from '../names/named-records.repository';

/** Money on its way to or from an account, without a schedule. */
export interface DirectRegistration {
  /** UUID of its entry, made beforehand. */
  id: string;
  organization: Organization;
  /** A receipt reaches the account as income; a payment leaves it as an expense. */
  kind: 'receipt' | 'payment';
  /** UUID or code. */
  account: string;
  /** UUID of a customer, supplier or partner. */
  stakeholderId?: string;
  /** UUID or reference code. */
  category?: string;
  /** UUID or external code. */
  costCenter?: string;
  /** Above zero. */
  value: Money;
  date: CalendarDate;
  description?: string;
  reference?: string;
  isFlagged?: boolean;
}

/**
 * Books money that moves on accounts without a schedule, of any organizations, in the order given. Three statements
 * besides the posting's own, whatever the number.
 * @returns the registrations, or for each that is refused `validation-failed` for what it names and is not there or does
 *   not fit, or `before-opening-date`
 */
export async function registerDirectly(
  books: Posting,
  registrations: readonly DirectRegistration[],
): Promise<Outcome<DirectRegistration>[]> {
  const accounts = await findAccounts(books.tx, registrations);
  const names = await findNamedRecords(
    books.tx,
    registrations.map(({ organization, kind, stakeholderId, category, costCenter }) => ({
      ...{ organization, stakeholderId, category, costCenter, stakeholder: 'anyone' as const },
      categoryType: kind === 'receipt' ? ('in' as const) : ('out' as const),
    })),
  );
  await books.balances.read(
    books.tx,
    accounts.flatMap((account) => account?.id ?? []),
  );
  return registrations.map((registration, index) => {
    const entry = entryOf(registration, accounts[index], names[index]);
    return isRefused(entry) ? entry : (books.postWithinRange(entry) ?? registration);
  });
}

/**
 * Books one, as operations 3 and 4 ask for it.
 * @returns the entry's UUID
 * @throws Problem as {@link registerDirectly} refuses it
 */
export async function registerOne(
  tx: Transaction,
  organization: Organization,
  kind: DirectRegistration['kind'],
  shape: DirectRegistrationShape,
): Promise<string> {
  const registration: DirectRegistration = {
    ...{ id: newId(), organization, kind, value: shape.value, date: shape.date },
    account: shape.accountId,
    stakeholderId: shape.stakeholderId ?? undefined,
    category: shape.categoryId ?? undefined,
    costCenter: shape.costCenterId ?? undefined,
    description: shape.description ?? undefined,
    reference: shape.reference ?? undefined,
    isFlagged: shape.isFlag ?? false,
  };
  return single(await posting(tx, (books) => registerDirectly(books, [registration]))).id;
}

function entryOf(
  registration: DirectRegistration,
  account: FoundAccount | undefined,
  named: Outcome<FoundRecords> | undefined,
): Outcome<NewEntry> {
  const { id, organization, kind, value, date, description, reference, isFlagged = false } = registration;
  if (!account)
    return unacceptable('/accountId', 'unknown', `there is ${called('account', registration.account)}`);
  if (!named) throw new Error('a look-up returned fewer rows than were asked for');
  if (isRefused(named)) return named;
  const early = beforeOpening(date, account);
  if (early) return early;
  const { stakeholderId, categoryId, costCenterId } = named;
  const money = { book: 'account', id: account.id } as const;
  const category = categoryId ?? NO_CATEGORY;
  return {
    id,
    organizationId: organization.id,
    kind,
    date,
    amountMinor: value.minor,
    ...(kind === 'receipt'
      ? { debit: money, credit: { book: 'income', id: category } }
      : { debit: { book: 'expense', id: category }, credit: money }),
    stakeholderId: stakeholderId ?? undefined,
    categoryId: categoryId ?? undefined,
    costCenterId: costCenterId ?? undefined,
    description,
    reference,
    isFlagged,
  };
}
