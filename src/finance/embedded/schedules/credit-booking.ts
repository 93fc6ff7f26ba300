import type { NewSchedule, Posting } from '../ledger/posting';
import type { NewCreditSchedule, SchedulePart } from './credit-schedule';

/** Schedules of one receivable, and what they have in common. */
export interface BookableCredit {
  schedule: Pick<
    NewCreditSchedule,
    'organization' | 'stakeholderId' | 'reference' | 'scheduleDate' | 'isFlagged'
  >;
  parts: readonly SchedulePart[];
  /** UUID */
  categoryId: string | null;
  /** UUID */
  costCenterId: string | null;
}

/** Opens schedules that were found acceptable. */
export function bookCredit(posting: Posting, credits: readonly BookableCredit[]): void {
  posting.open(credits.flatMap(schedulesOf));
}

function schedulesOf({ schedule, parts, categoryId, costCenterId }: BookableCredit): NewSchedule[] {
  return parts.map((part) => ({
    id: part.id,
    organizationId: schedule.organization.id,
    kind: 'credit',
    stakeholderId: schedule.stakeholderId,
    description: part.description,
    reference: schedule.reference,
    valueMinor: part.value.minor,
    scheduleDate: schedule.scheduleDate,
    dueDate: part.dueDate,
    accrualDate: part.accrualDate,
    categoryId,
    costCenterId,
    isFlagged: schedule.isFlagged,
    groupId: part.groupId,
    instalment: part.instalment,
    instalmentCount: part.instalmentCount,
    recurrenceId: part.occurrence?.recurrenceId,
    occurrence: part.occurrence?.number,
  }));
}
