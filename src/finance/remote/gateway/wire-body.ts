import { CalendarDate } from '../../../kernel/calendar-date';
import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { wireAmount, wireDate } from '../../api/shapes/wire';

/**
 * A body as it was read and checked, spelled as the interface documents it: amounts as doubles, days as date and
 * time. What was left out stays out, and null, which clears, stays null.
 */
export function wireBody(shape: object, organization: Organization): object {
  return spelled(shape, organization) as object;
}

function spelled(value: unknown, organization: Organization): unknown {
  if (value instanceof Money) return wireAmount(value.minor, value.currency);
  if (value instanceof CalendarDate) return wireDate(value, organization.timeZone);
  if (Array.isArray(value)) return value.map((item) => spelled(item, organization));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(fields.map(([name, field]) => [name, spelled(field, organization)]));
}
