import { CalendarDate } from '../../kernel/calendar-date';
import type { Clock } from '../../kernel/clock';
import { isRefused } from '../outcome';
import type { Organization } from '../../kernel/organization';
import type { NewCreditSchedule } from '../schedules/credit-schedule';
import { createCreditSchedules } from '../schedules/schedules.repository';
import { applyReadable, type EffectHandler, type ReservedEffect } from './effect-handler';
import type { CreditScheduleInput } from './effect';
import { attempt, readDay, readId, readMoney, readRequired, readText } from './effect-input';

/** What an effect says of a receivable. */
export type ReadSchedule = Omit<NewCreditSchedule, 'ids' | 'organization' | 'scheduleDate' | 'isFlagged'> & {
  reference: string;
};

/** @param clock tells the day on which a receivable is entered */
export function createCreditSchedule(clock: Clock): EffectHandler<'credit-schedule.create'> {
  return {
    recordsOf: ({ instalments }) => Math.max(1, instalments?.length ?? 0),
    outputOf: (ids) => ({ id: ids[0], all: [...ids] }),
    async applyMany(posting, effects) {
      const now = clock.now();
      const schedules = effects.map((effect) => attempt(() => toNewSchedule(effect, now)));
      const created = await applyReadable(schedules, (readable) => createCreditSchedules(posting, readable));
      return created.map((outcome) =>
        isRefused(outcome)
          ? outcome
          : {
              output: { id: outcome.ids[0], all: outcome.ids },
              attention: [],
              changes: outcome.ids.map((id) => ({ type: 'credit-schedule.created', id })),
            },
      );
    },
  };
}

function toNewSchedule(
  { organization, input, ids }: ReservedEffect<'credit-schedule.create'>,
  now: Date,
): NewCreditSchedule {
  return {
    ids,
    organization,
    scheduleDate: CalendarDate.fromInstant(now, organization.timeZone),
    isFlagged: false,
    ...readSchedule(input, organization),
  };
}

/** A receivable as it is written, by whatever way. @throws Problem */
export function readSchedule(input: CreditScheduleInput, organization: Organization): ReadSchedule {
  return {
    stakeholderId: readId('customer', input.customer),
    description: readText('description', input.description) ?? '',
    reference: readRequired('reference', input.reference),
    value: readMoney('value', input.value, organization),
    dueDate: readDay('due date', input.dueDate),
    category: readText('category', input.category),
    costCenter: readText('cost center', input.costCenter),
    instalments: (input.instalments ?? []).map((instalment) => ({
      value: readMoney('value of an instalment', instalment.value, organization),
      dueDate: readDay('due date of an instalment', instalment.dueDate),
      description: readText('description of an instalment', instalment.description),
    })),
  };
}
