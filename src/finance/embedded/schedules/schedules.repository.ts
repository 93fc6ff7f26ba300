import type { Posting } from '../ledger/posting';
import { findNamedRecords, type NamedRecords } from '../names/named-records.repository';
import { isRefused, type Outcome } from '../../api/ports/outcome';
import { bookCredit, type BookableCredit } from './credit-booking';
import { partsOf, problemOf, type NewCreditSchedule } from './credit-schedule';
import { insertRecurrences } from './recurrence.repository';

export interface CreatedSchedules {
  /** UUIDs, one for each instalment or occurrence in order. */
  ids: string[];
}

/** A new receivable and the records it names. */
interface Accepted extends BookableCredit {
  schedule: NewCreditSchedule;
}

/**
 * Registers receivables of any organizations and books them: each schedule is owed from its accrual date
 * (its due date unless given) on, as income of its category. Two statements at most besides the posting's own, whatever the number of
 * schedules.
 * @returns in the order given
 */
export async function createCreditSchedules(
  posting: Posting,
  schedules: readonly NewCreditSchedule[],
): Promise<Outcome<CreatedSchedules>[]> {
  const problems = schedules.map(problemOf);
  const found = await findNamedRecords(posting.tx, schedules.map(namesOf));
  const outcomes = schedules.map((schedule, index): Outcome<Accepted> => {
    const records = problems[index] ?? found[index];
    if (!records) throw new Error('a look-up returned fewer rows than were asked for');
    return isRefused(records) ? records : { ...records, schedule, parts: partsOf(schedule) };
  });
  const accepted = outcomes.filter((outcome): outcome is Accepted => !isRefused(outcome));
  await insertRecurrences(posting.tx, accepted);
  bookCredit(posting, accepted);
  return outcomes.map((outcome) =>
    isRefused(outcome) ? outcome : { ids: outcome.parts.map(({ id }) => id) },
  );
}

function namesOf({ organization, stakeholderId, category, costCenter }: NewCreditSchedule): NamedRecords {
  return { organization, stakeholderId, stakeholder: 'payer', category, categoryType: 'in', costCenter };
}
