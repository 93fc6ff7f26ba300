import { CalendarDate } from '../../../kernel/calendar-date';
import { isRefused } from '../../api/ports/outcome';
import type { NewCreditSchedule } from '../schedules/credit-schedule';
import { createCreditSchedules } from '../schedules/schedules.repository';
import { applyReadable, type EffectHandler, type ReservedEffect } from './effect-handler';
import { attempt } from '../../api/effects/effect-input';
import { type CreditScheduleInput, readSchedule } from '../../api/effects/credit-schedule-create';

export const createCreditSchedule: EffectHandler<CreditScheduleInput> = {
  recordsOf: ({ instalments }) => Math.max(1, instalments?.length ?? 0),
  outputOf: (ids) => ({ id: ids[0], all: [...ids] }),
  async applyMany(posting, effects, now) {
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

function toNewSchedule(
  { organization, input, ids }: ReservedEffect<CreditScheduleInput>,
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
