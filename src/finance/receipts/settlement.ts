import type { CalendarDate } from '../../kernel/calendar-date';
import { newId } from '../../kernel/identifier';
import { formatMinor, Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import type { FoundAccount } from '../accounts/accounts.repository';
import { NO_CATEGORY, type NewEntry } from '../ledger/ledger';
import type { OpenSchedule } from '../ledger/open-schedules';

/** One payment on its way to the receivables it settles. */
export interface Settlement {
  organization: Organization;
  /** UUIDs of receivables; none twice. */
  schedules: readonly string[];
  /** Above zero. */
  value: Money;
  date: CalendarDate;
  /** UUID or code. */
  account: string;
  identifier?: string;
  payingType?: string;
  /**
   * `exact`: refused when it is more than what is open. `close`: as `exact`, and what stays open is written off.
   * `oldest-first`: from the oldest due date on, never more than is open; what is left over is told.
   */
  mode: 'exact' | 'close' | 'oldest-first';
  /** UUIDs for the receipts, made beforehand, at least one for each schedule. */
  receiptIds: readonly string[];
}

export interface Settled {
  /** UUIDs of the receipts, in the order of the schedules they reached. */
  receiptIds: string[];
  /** Minor units that found nothing open. */
  leftOverMinor: bigint;
}

interface Share {
  schedule: OpenSchedule;
  minor: bigint;
}

/**
 * Spreads a payment over receivables whose rows are locked and lowers their `openMinor` by what they get, so
 * that the next payment of the same batch sees it.
 */
export function settle(
  settlement: Settlement,
  account: FoundAccount,
  schedules: readonly OpenSchedule[],
): { settled: Settled; entries: NewEntry[] } | Problem {
  const { value, mode, receiptIds } = settlement;
  const open = schedules.reduce((total, { openMinor }) => total + openMinor, 0n);
  if (mode !== 'oldest-first' && value.minor > open) return exceedsOpenValue(value, open);
  const shares = allocate(value.minor, schedules);
  const entries = shares.map((share, index) => {
    const id = receiptIds[index];
    if (id === undefined) throw new Error('a payment needs an identifier for each receipt');
    return receiptEntry(id, share, account, settlement);
  });
  for (const { schedule, minor } of shares) schedule.openMinor -= minor;
  const receipts = entries.map(({ id }) => id);
  if (mode === 'close') entries.push(...writeOff(schedules, settlement));
  const allocated = shares.reduce((total, { minor }) => total + minor, 0n);
  return { settled: { receiptIds: receipts, leftOverMinor: value.minor - allocated }, entries };
}

/** Oldest due date first, then in the order of creation; schedules that get nothing are left out. */
function allocate(minor: bigint, schedules: readonly OpenSchedule[]): Share[] {
  let rest = minor;
  const shares: Share[] = [];
  for (const schedule of schedules.toSorted(byDueDate)) {
    const share = rest < schedule.openMinor ? rest : schedule.openMinor;
    if (share > 0n) shares.push({ schedule, minor: share });
    rest -= share;
  }
  return shares;
}

function byDueDate(left: OpenSchedule, right: OpenSchedule): number {
  return left.dueDate.compare(right.dueDate) || (left.id < right.id ? -1 : 1);
}

function receiptEntry(id: string, share: Share, account: FoundAccount, settlement: Settlement): NewEntry {
  return {
    ...entryOf(id, share.schedule, share.minor, settlement),
    kind: 'receipt',
    debit: { book: 'account', id: account.id },
  };
}

/** What a closing receipt left open is given up: an expense, visible as a discount. */
function writeOff(schedules: readonly OpenSchedule[], settlement: Settlement): NewEntry[] {
  return schedules
    .filter(({ openMinor }) => openMinor > 0n)
    .map((schedule) => {
      const entry: NewEntry = {
        ...entryOf(newId(), schedule, schedule.openMinor, settlement),
        kind: 'discount',
        debit: { book: 'expense', id: NO_CATEGORY },
      };
      schedule.openMinor = 0n;
      return entry;
    });
}

function entryOf(
  id: string,
  schedule: OpenSchedule,
  minor: bigint,
  settlement: Settlement,
): Omit<NewEntry, 'kind' | 'debit'> {
  return {
    id,
    organizationId: settlement.organization.id,
    date: settlement.date,
    amountMinor: minor,
    credit: { book: 'receivable', id: schedule.id },
    stakeholderId: schedule.stakeholderId,
    categoryId: schedule.categoryId ?? undefined,
    costCenterId: schedule.costCenterId ?? undefined,
    description: schedule.description,
    reference: schedule.reference ?? undefined,
    identifier: settlement.identifier,
    payingType: settlement.payingType,
  };
}

function exceedsOpenValue(value: Money, openMinor: bigint): Problem {
  const open = formatMinor(openMinor, Money.exponentOf(value.currency));
  return new Problem(
    'exceeds-open-value',
    `the value ${value.toString()} is more than the ${open} that is open`,
    {
      errors: [{ pointer: '/value', code: 'exceeds-open-value', message: `must be at most ${open}` }],
      members: { openValue: Number(open) },
    },
  );
}
