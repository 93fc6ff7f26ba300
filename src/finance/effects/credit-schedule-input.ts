import type { CalendarDate } from '../../kernel/calendar-date';
import type { Money } from '../../kernel/money';
import type { Organization } from '../../kernel/organization';
import type { CreditScheduleInput } from '../api/ports/effect';
import { readDay, readId, readMoney, readRequired, readText } from './effect-input';

/** A receivable as an effect says it. */
export interface ReadSchedule {
  /** UUID of a customer or partner. */
  stakeholderId: string;
  description: string;
  reference: string;
  value: Money;
  dueDate: CalendarDate;
  /** UUID or reference code. */
  category?: string;
  /** UUID or external code. */
  costCenter?: string;
  /** Empty: one schedule of the whole value. */
  instalments: readonly { value: Money; dueDate: CalendarDate; description?: string }[];
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
