import type { IncomeAfterWriteOff } from '../../finance/api/effects/receipt-allocate';
import type { Contradiction, GivenInputs } from './action';
import { flag, optional, text } from './input-types';

/** Inputs of actions that settle receivables: what becomes of money that comes after they were written off. */
export const incomeInputs = {
  writeOff: optional(
    text,
    'key of the creditSchedule.writeOff of these receivables, for example ${order.key}/cancelled: what is paid after it and finds nothing open is income',
  ),
  late: optional(
    flag,
    'true where the event says that it was paid after the write-off, which may not be made yet: all of it is income',
  ),
  category: optional(text, 'reference code or UUID of a category of type in, for that income'),
  description: optional(text, 'what that income was for; needed where writeOff is given'),
};

const NO_WRITE_OFF =
  'the inputs "category" and "description" are about what is paid after "writeOff", which is not given';
const NO_DESCRIPTION = 'the input "writeOff" needs a "description"';

/** Of {@link incomeInputs}: which cannot go together, as far as that is known without an event. */
export function incomeContradiction(given: GivenInputs): Contradiction | undefined {
  if (given.has('writeOff'))
    return given.has('description') ? undefined : { input: 'writeOff', message: NO_DESCRIPTION };
  const input = ['category', 'description'].find((name) => given.has(name));
  return input === undefined ? undefined : { input, message: NO_WRITE_OFF };
}

/** The part of an effect's input that {@link incomeInputs} come to, or why they come to none. */
export function afterWriteOff({
  writeOff,
  late = false,
  category,
  description,
}: {
  writeOff?: string;
  late?: boolean;
  category?: string;
  description?: string;
}): { refused?: string; income?: { afterWriteOff: IncomeAfterWriteOff } } {
  if (writeOff === undefined)
    return category === undefined && description === undefined ? {} : { refused: NO_WRITE_OFF };
  if (description === undefined) return { refused: NO_DESCRIPTION };
  const rest = { ...(late && { late }), ...(category !== undefined && { category }), description };
  return { income: { afterWriteOff: { key: `write-off/${writeOff}`, ...rest } } };
}
