import type { Transaction } from '../../database/transaction';
import type { CalendarDate } from '../../kernel/calendar-date';
import { newId } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import { NO_CATEGORY, postEntries } from '../ledger/ledger';
import { findNamedRecords } from '../named-records.repository';
import { single } from '../outcome';
import { columnOf } from '../shapes/wire';
import type { NewDebitSchedule } from './payables';

/**
 * Stores a payable and opens it with its first entry.
 * @returns the new schedule's UUID
 * @throws Problem `validation-failed` for a record it names that is not there or does not fit
 */
export async function createDebitSchedule(
  tx: Transaction,
  organization: Organization,
  schedule: NewDebitSchedule & { scheduleDate: CalendarDate },
): Promise<string> {
  const { stakeholderId, categoryId: category, costCenterId: costCenter, dueDate, value } = schedule;
  const names = { organization, stakeholderId, category, costCenter };
  const found = await findNamedRecords(tx, [{ ...names, stakeholder: 'payee', categoryType: 'out' }]);
  const { categoryId, costCenterId } = single(found);
  const id = newId();
  const shared = {
    organizationId: organization.id,
    stakeholderId,
    description: schedule.description ?? '',
    reference: schedule.reference,
    isFlagged: schedule.isFlagged ?? false,
  };
  await tx.schedule.create({
    data: {
      ...shared,
      id,
      kind: 'debit',
      valueMinor: value.minor,
      openMinor: 0n,
      scheduleDate: columnOf(schedule.scheduleDate),
      accrualDate: columnOf(dueDate),
      dueDate: columnOf(dueDate),
      categoryId,
      costCenterId,
      groupId: id,
    },
  });
  await postEntries(tx, [
    {
      ...shared,
      id: newId(),
      kind: 'payable',
      date: dueDate,
      amountMinor: value.minor,
      debit: { book: 'expense', id: categoryId ?? NO_CATEGORY },
      credit: { book: 'payable', id },
      categoryId: categoryId ?? undefined,
      costCenterId: costCenterId ?? undefined,
    },
  ]);
  return id;
}
