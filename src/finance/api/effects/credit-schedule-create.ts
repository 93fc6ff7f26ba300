import { ERASED } from '../../../kernel/erased';
import type { CalendarDate } from '../../../kernel/calendar-date';
import type { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { readDay, readId, readMoney, readRequired, readText } from './effect-input';
import { changed, changedRecords, type EffectDeclaration } from './declaration';
import type { Reference } from './reference';

export interface CreditScheduleInput {
  /** A customer's UUID. */
  customer: string | Reference;
  /** Decimal text in the organization's currency: `100.00`. */
  value: string;
  /** `YYYY-MM-DD` */
  dueDate: string;
  description: string;
  /** The business reference every instalment carries: how the records are found again. */
  reference: string;
  /** A category's UUID or reference code; absent: none. */
  category?: string;
  /** A cost center's UUID or external code; absent: none. */
  costCenter?: string;
  /** Two or more; their values add up to `value`. Absent: one schedule. */
  instalments?: { value: string; dueDate: string; description?: string }[];
  /** All of it is paid: a receivable that is there already is not compared in when, and in how many parts, it was due. Absent: false. */
  settled?: boolean;
  /**
   * Key of the effect that writes it off. Where that wrote something off, a receivable that is there already is not compared: what is
   * paid from then on is income, whatever the order comes to. Absent: it is compared.
   */
  writeOff?: string;
}

/** One receivable, or one for each instalment, created together. */
export const creditScheduleCreate: EffectDeclaration<CreditScheduleInput> = {
  differences(before, now, context) {
    const { currency } = context;
    const dates = context.dates && context.names;
    const [partsBefore, parts] = [before.instalments ?? [], now.instalments ?? []];
    const sameCount = partsBefore.length === parts.length;
    const said = [
      ...changedRecords(before, now, context),
      ...(isSameText(before.description, now.description) ? [] : ['description']),
    ];
    if (now.settled) return said;
    return [
      ...(dates ? changed('due date', before.dueDate, now.dueDate) : []),
      ...said,
      ...changed('number of instalments', String(partsBefore.length || 1), String(parts.length || 1)),
      ...(sameCount && dates
        ? changed('due dates of instalments', listed(partsBefore, 'dueDate'), listed(parts, 'dueDate'))
        : []),
      ...(sameCount && before.value === now.value
        ? changed(`values of instalments (${currency})`, listed(partsBefore, 'value'), listed(parts, 'value'))
        : []),
    ];
  },
};

/** What was removed because it was about a person is no difference. */
function isSameText(before: string, now: string): boolean {
  return before === now || before.includes(ERASED);
}

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

function listed<F extends 'value' | 'dueDate'>(
  parts: NonNullable<CreditScheduleInput['instalments']>,
  field: F,
): string {
  return parts.map((part) => part[field]).join(', ');
}
