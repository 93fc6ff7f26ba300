import type { Transaction } from '../../../database/transaction';
import type { CalendarDate } from '../../../kernel/calendar-date';
import { newId } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { Posting } from '../ledger/posting';
import { findNamedRecords } from '../names/named-records.repository';
import { single } from '../../api/ports/outcome';
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
  const books = new Posting(tx);
  books.open([
    {
      id,
      organizationId: organization.id,
      kind: 'debit',
      stakeholderId,
      description: schedule.description ?? '',
      reference: schedule.reference,
      valueMinor: value.minor,
      scheduleDate: schedule.scheduleDate,
      dueDate,
      categoryId,
      costCenterId,
      isFlagged: schedule.isFlagged ?? false,
      groupId: id,
      instalment: 1,
      instalmentCount: 1,
    },
  ]);
  await books.write();
  return id;
}
