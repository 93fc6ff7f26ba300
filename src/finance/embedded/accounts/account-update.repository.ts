import { Prisma, type Account } from '../../../database/client/client';
import type { Transaction } from '../../../database/transaction';
import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Organization } from '../../../kernel/organization';
import { postEntries } from '../ledger/posting';
import { reversalOf } from '../ledger/reversal';
import { notFound } from '../../api/ports/not-found';
import { unacceptable } from '../../../kernel/problem';
import { columnOf, dayOf } from '../../api/shapes/wire';
import { requireReferences } from './account-references.repository';
import type { AccountUpdateShape } from '../../api/shapes/accounts.dto';
import { openingEntries } from './accounts.repository';
import { virtualDetails } from './virtual-details';

/**
 * Replaces what the body brings. The account's row is locked: of two updates at once, the second starts from
 * what the first left, and no settlement slips in before a new opening date.
 * @param id UUID
 * @throws Problem `not-found`; `validation-failed` for an unknown record, or an opening date after money moved
 *   on the account
 */
export async function updateAccount(
  tx: Transaction,
  organization: Organization,
  id: string,
  body: AccountUpdateShape,
): Promise<void> {
  await tx.$queryRaw`
    select id from account where id = ${id}::uuid and organization_id = ${organization.id}::uuid for update`;
  const account = await tx.account.findFirst({ where: { id, organizationId: organization.id } });
  if (!account) throw notFound('account');
  await requireReferences(tx, organization, body);
  const opening = await moveOpening(tx, account, body);
  await tx.account.update({
    where: { id },
    data: {
      ...opening,
      name: body.name,
      bankId: body.bankId,
      agency: body.bankAgency,
      number: body.bankAccount,
      verificationNumber: body.bankAccountVerificationNumber,
      type: body.type,
      virtualDetails: toColumn(account, body.virtualAccountDetails),
    },
  });
}

/** Takes the opening entry back and books another where the balance or its date changes. */
async function moveOpening(
  tx: Transaction,
  account: Account,
  { openBalance, dateOfOpenBalance }: AccountUpdateShape,
): Promise<{ openBalanceMinor: bigint; openedOn: Date }> {
  const before = dayOf(account.openedOn);
  const openedOn = dateOfOpenBalance ?? before;
  const minor = openBalance === null ? 0n : (openBalance?.minor ?? account.openBalanceMinor);
  if (openedOn.compare(before) > 0) await refuseEarlierMovements(tx, account, openedOn);
  if (minor !== account.openBalanceMinor || !openedOn.equals(before)) {
    const { id, organizationId } = account;
    const openings = await tx.entry.findMany({ where: { organizationId, kind: 'opening', debitId: id } });
    const reversals = await tx.entry.findMany({
      where: { reversesId: { in: openings.map((entry) => entry.id) } },
    });
    const live = openings.filter((entry) => !reversals.some(({ reversesId }) => reversesId === entry.id));
    await postEntries(tx, [
      ...live.map(reversalOf),
      ...openingEntries({ id, organizationId, openBalanceMinor: minor, openedOn }),
    ]);
  }
  return { openBalanceMinor: minor, openedOn: columnOf(openedOn) };
}

async function refuseEarlierMovements(
  tx: Transaction,
  { id, organizationId }: Account,
  openedOn: CalendarDate,
): Promise<void> {
  const [earlier] = await tx.$queryRaw<{ date: string }[]>`
    select e.date::text as date from entry e
    where ((e.debit_id = ${id}::uuid and e.debit_book = 'account')
        or (e.credit_id = ${id}::uuid and e.credit_book = 'account'))
      and e.organization_id = ${organizationId}::uuid and e.kind in ('receipt', 'payment')
      and e.date < ${openedOn.toString()}::date
      and not exists (select from entry r where r.reverses_id = e.id)
    order by e.date limit 1`;
  if (earlier) {
    const message = `there is a payment or receipt of ${earlier.date}, before ${openedOn.toString()}`;
    throw unacceptable('/dateOfOpenBalance', 'after-movement', message);
  }
}

function toColumn(
  { virtualDetails: kept }: Account,
  brought: AccountUpdateShape['virtualAccountDetails'],
): Prisma.InputJsonObject | typeof Prisma.DbNull | undefined {
  if (brought === undefined) return undefined;
  return brought === null ? Prisma.DbNull : virtualDetails(kept, brought);
}
