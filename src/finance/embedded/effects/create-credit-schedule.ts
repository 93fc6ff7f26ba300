import { CalendarDate } from '../../../kernel/calendar-date';
import type { Clock } from '../../../kernel/clock';
import { isRefused } from '../../api/ports/outcome';
import type { NewCreditSchedule } from '../schedules/credit-schedule';
import { createCreditSchedules } from '../schedules/schedules.repository';
import { applyReadable, type EffectHandler, type ReservedEffect } from './effect-handler';
import { attempt } from '../../api/effects/effect-input';
import { readSchedule } from '../../api/effects/credit-schedule-create';

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
