import type {
  Attention,
  CreditScheduleInput,
  EffectRequest,
  ReceiptAllocationInput,
} from '../api/ports/effect';
import type { PlannedBefore } from './planned-before.repository';

/** What two effects under one key say differently: the field, and where it holds nobody's data what it was and is. */
type Difference = string;

/**
 * What a person must look at where an effect that was applied is asked for with other content than its amount, which is
 * compared by itself. Dates count where both are facts: an inferred one gets better with later events. A rule that was
 * changed in between asks for something else on purpose.
 */
export function contentDiffers(
  { organization: { currency }, effect, rule, datesKnown = false }: EffectRequest,
  before: PlannedBefore | undefined,
): Attention[] {
  if (!before || before.effect.operation !== effect.operation) return [];
  if (before.rule === rule?.name && before.ruleVersion !== rule.version) return [];
  const dates = datesKnown && before.datesKnown;
  const differences =
    effect.operation === 'credit-schedule.create'
      ? ofSchedule(before.effect.input as CreditScheduleInput, effect.input, dates, currency)
      : effect.operation === 'receipt.allocate'
        ? ofReceipt(before.effect.input as ReceiptAllocationInput, effect.input, dates)
        : [];
  if (differences.length === 0) return [];
  const detail = `${effect.key} was applied with other content than it is now asked for with, and nothing was changed: ${differences.join('; ')}`;
  return [{ code: 'content-differs', detail, amount: effect.amount ?? '0' }];
}

function ofSchedule(
  before: CreditScheduleInput,
  now: CreditScheduleInput,
  dates: boolean,
  currency: string,
): Difference[] {
  const [partsBefore, parts] = [before.instalments ?? [], now.instalments ?? []];
  const sameCount = partsBefore.length === parts.length;
  return [
    ...(dates ? changed('due date', before.dueDate, now.dueDate) : []),
    ...changed('category', before.category, now.category),
    ...changed('cost center', before.costCenter, now.costCenter),
    ...(before.description === now.description ? [] : ['description']),
    ...changed('number of instalments', String(partsBefore.length || 1), String(parts.length || 1)),
    ...(sameCount && dates
      ? changed('due dates of instalments', listed(partsBefore, 'dueDate'), listed(parts, 'dueDate'))
      : []),
    ...(sameCount && before.value === now.value
      ? changed(`values of instalments (${currency})`, listed(partsBefore, 'value'), listed(parts, 'value'))
      : []),
  ];
}

function ofReceipt(
  before: ReceiptAllocationInput,
  now: ReceiptAllocationInput,
  dates: boolean,
): Difference[] {
  return [
    ...(dates ? changed('date', before.date, now.date) : []),
    ...changed('account', before.account, now.account),
  ];
}

function changed(field: string, before: string | undefined, now: string | undefined): Difference[] {
  return before === now ? [] : [`${field} ${before ?? 'none'}, now ${now ?? 'none'}`];
}

function listed<F extends 'value' | 'dueDate'>(
  parts: NonNullable<CreditScheduleInput['instalments']>,
  field: F,
): string {
  return parts.map((part) => part[field]).join(', ');
}
