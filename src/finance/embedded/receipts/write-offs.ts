import { beforeOpening, findAccounts, type FoundAccount } from '../accounts/accounts.repository';
import type { CalendarDate } from '../../../kernel/calendar-date';
import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { unacceptable } from '../../../kernel/problem';
import { notFound } from '../../api/ports/not-found';
import { called, isRefused, type Outcome } from '../../api/ports/outcome';
import { type NewEntry, NO_CATEGORY } from '../ledger/entry';
import type { OpenSchedule } from '../ledger/open-schedules';
import type { Posting } from '../ledger/posting';
import { findNamedRecords, type FoundRecords } from '../names/named-records.repository';
import { settle } from './settlement';

/** Receivables that are given up, wholly or in part. */
export interface WriteOff {
  organization: Organization;
  /** UUIDs of receivables; none twice. */
  schedules: readonly string[];
  /** UUID or code of the account through which they are written off. */
  account: string;
  /** UUID or reference code of a category for money that goes out. */
  category: string;
  /** UUID or external code. */
  costCenter?: string;
  date: CalendarDate;
  description: string;
  /** The identifier of the receipts, and the reference of the payment. */
  reference: string;
  /** At most so much, newest due dates first; absent: all that is open. */
  most?: Money;
  /** UUIDs made beforehand: of the payment, and of a receipt for each schedule. */
  paymentId: string;
  receiptIds: readonly string[];
}

export interface WrittenOff {
  /** UUIDs of the receipts, in the order of the schedules they reached; none: nothing was open. */
  receiptIds: string[];
  /** UUIDs of the schedules that were open and are paid by it. */
  paidIds: string[];
}

/** What a write-off names, as it was found. */
interface Found {
  account: FoundAccount | undefined;
  names: Outcome<FoundRecords> | undefined;
  locked: ReadonlyMap<string, OpenSchedule>;
}

/**
 * Gives up what is open of receivables of any organizations, in the order given, with their rows locked: receipts settle
 * it on an account, and a payment takes the same sum off that account, whose balance stays. Three statements besides the
 * posting's own, whatever the number.
 * @returns in the order given
 */
export async function writeOffSchedules(
  posting: Posting,
  writeOffs: readonly WriteOff[],
): Promise<Outcome<WrittenOff>[]> {
  const accounts = await findAccounts(posting.tx, writeOffs);
  const names = await findNamedRecords(
    posting.tx,
    writeOffs.map(({ organization, category, costCenter }) => ({
      ...{ organization, category, costCenter },
      ...{ categoryType: 'out' as const, stakeholder: 'anyone' as const },
    })),
  );
  const locked = await posting.lockSchedules(
    writeOffs.flatMap(({ organization, schedules }) =>
      schedules.map((scheduleId) => ({ organizationId: organization.id, scheduleId })),
    ),
  );
  return writeOffs.map((writeOff, index) => {
    const outcome = writeOffOne(writeOff, { account: accounts[index], names: names[index], locked });
    if (isRefused(outcome)) return outcome;
    posting.post(outcome.entries);
    return outcome.writtenOff;
  });
}

function writeOffOne(
  writeOff: WriteOff,
  { account, names, locked }: Found,
): Outcome<{ writtenOff: WrittenOff; entries: NewEntry[] }> {
  const { organization, date, most, reference: identifier, receiptIds: entryIds } = writeOff;
  const schedules: OpenSchedule[] = [];
  for (const id of writeOff.schedules) {
    const schedule = locked.get(id);
    if (schedule?.organizationId !== organization.id || schedule.kind !== 'credit')
      return notFound('credit schedule');
    schedules.push(schedule);
  }
  if (!account)
    return unacceptable('/accountId', 'unknown', `there is ${called('account', writeOff.account)}`);
  if (!names) throw new Error('a look-up returned fewer rows than were asked for');
  if (isRefused(names)) return names;
  const early = beforeOpening(date, account);
  if (early) return early;
  const open = schedules.reduce((sum, { openMinor }) => sum + openMinor, 0n);
  const minor = most && most.minor < open ? most.minor : open;
  if (minor === 0n) return { writtenOff: { receiptIds: [], paidIds: [] }, entries: [] };
  const value = Money.ofMinor(minor, organization.currency);
  const settled = settle(
    { ...writeOff, kind: 'credit', value, identifier, mode: 'newest-first', entryIds },
    account,
    schedules,
  );
  if (isRefused(settled)) return settled;
  const { entryIds: receiptIds, paidIds } = settled.settled;
  const entries = [...settled.entries, paymentOf(writeOff, minor, account, names)];
  return { writtenOff: { receiptIds, paidIds }, entries };
}

/** Takes off the account what the receipts brought. */
function paymentOf(
  { paymentId, organization, date, description, reference }: WriteOff,
  amountMinor: bigint,
  account: FoundAccount,
  { categoryId, costCenterId }: FoundRecords,
): NewEntry {
  return {
    ...{ id: paymentId, organizationId: organization.id, kind: 'payment', date, amountMinor },
    debit: { book: 'expense', id: categoryId ?? NO_CATEGORY },
    credit: { book: 'account', id: account.id },
    categoryId: categoryId ?? undefined,
    costCenterId: costCenterId ?? undefined,
    ...{ description, reference },
  };
}
