import type { CalendarDate } from '../../../kernel/calendar-date';
import { newId } from '../../../kernel/identifier';
import { formatMinor, Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import type { FoundAccount } from '../accounts/accounts.repository';
import { NO_CATEGORY, type NewEntry } from '../ledger/entry';
import type { OpenSchedule } from '../ledger/open-schedules';
import { allocate, type AllocationOrder, type Share } from '../../effects/allocation';

/** One receipt or payment on its way to the schedules it settles. */
export interface Settlement {
  organization: Organization;
  /** What is settled: receivables (credit) by a receipt, payables (debit) by a payment. */
  kind: OpenSchedule['kind'];
  /** UUIDs of schedules of that kind; none twice. */
  schedules: readonly string[];
  /** Above zero. */
  value: Money;
  date: CalendarDate;
  /** UUID or code. */
  account: string;
  identifier?: string;
  payingType?: string;
  /** Absent: the schedule's. */
  description?: string;
  /**
   * `exact`: refused when it is more than what is open. `close`, for receivables: as `exact`, and what stays open
   * is written off.
   * `oldest-first`: from the oldest due date on, never more than is open; what is left over is returned.
   * `newest-first`: as `exact`, from the newest due date on.
   */
  mode: 'exact' | 'close' | AllocationOrder;
  /** UUIDs for the receipts or payments, made beforehand, at least one for each schedule. */
  entryIds: readonly string[];
}

export interface Settled {
  /** UUIDs of the receipts or payments, in the order of the schedules they reached. */
  entryIds: string[];
  /** UUIDs of the discounts by which what stayed open was written off. */
  discountIds: string[];
  /** UUIDs of the schedules that were open and are paid by it. */
  paidIds: string[];
  /** Minor units that found nothing open. */
  leftOverMinor: bigint;
}

/**
 * Spreads a settlement over schedules whose rows are locked and lowers their `openMinor` by what they get, so
 * that the next one of the same batch sees it.
 */
export function settle(
  settlement: Settlement,
  account: FoundAccount,
  schedules: readonly OpenSchedule[],
): { settled: Settled; entries: NewEntry[] } | Problem {
  const { value, mode, entryIds } = settlement;
  const open = schedules.reduce((total, { openMinor }) => total + openMinor, 0n);
  const unpaid = schedules.filter(({ openMinor }) => openMinor > 0n);
  if (mode !== 'oldest-first' && value.minor > open) return exceedsOpenValue(value, open);
  const shares = allocate(value.minor, schedules, mode === 'newest-first' ? mode : 'oldest-first');
  const entries = shares.map((share, index) => {
    const id = entryIds[index];
    if (id === undefined) throw new Error('a settlement needs an identifier for each movement');
    return movement(id, share, account, settlement);
  });
  for (const { schedule, minor } of shares) schedule.openMinor -= minor;
  const moved = entries.map(({ id }) => id);
  const discounts = mode === 'close' ? writeOff(schedules, settlement) : [];
  entries.push(...discounts);
  const allocated = shares.reduce((total, { minor }) => total + minor, 0n);
  const discountIds = discounts.map(({ id }) => id);
  const paidIds = unpaid.filter(({ openMinor }) => openMinor === 0n).map(({ id }) => id);
  const leftOverMinor = value.minor - allocated;
  return { settled: { entryIds: moved, discountIds, paidIds, leftOverMinor }, entries };
}

function movement(
  id: string,
  share: Share<OpenSchedule>,
  account: FoundAccount,
  settlement: Settlement,
): NewEntry {
  const { schedule, minor } = share;
  const money = { book: 'account', id: account.id } as const;
  return entryOf(
    id,
    schedule,
    minor,
    settlement,
    schedule.kind === 'credit'
      ? { kind: 'receipt', debit: money, credit: { book: 'receivable', id: schedule.id } }
      : { kind: 'payment', debit: { book: 'payable', id: schedule.id }, credit: money },
  );
}

/** What a closing receipt left open is given up: an expense, visible as a discount. */
function writeOff(schedules: readonly OpenSchedule[], settlement: Settlement): NewEntry[] {
  return schedules
    .filter(({ openMinor }) => openMinor > 0n)
    .map((schedule) => {
      const entry = entryOf(newId(), schedule, schedule.openMinor, settlement, {
        kind: 'discount',
        debit: { book: 'expense', id: NO_CATEGORY },
        credit: { book: 'receivable', id: schedule.id },
      });
      schedule.openMinor = 0n;
      return entry;
    });
}

function entryOf(
  id: string,
  schedule: OpenSchedule,
  minor: bigint,
  settlement: Settlement,
  { kind, debit, credit }: Pick<NewEntry, 'kind' | 'debit' | 'credit'>,
): NewEntry {
  return {
    id,
    kind,
    debit,
    credit,
    organizationId: settlement.organization.id,
    date: settlement.date,
    amountMinor: minor,
    stakeholderId: schedule.stakeholderId,
    categoryId: schedule.categoryId ?? undefined,
    costCenterId: schedule.costCenterId ?? undefined,
    description: settlement.description ?? schedule.description,
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
