import { dayOf } from '../remote/reads/remote-reads';
import { isObject } from '../../kernel/json-object';
import type { Organization } from '../../kernel/organization';
import { amountOf, type Item, textOf } from './observation';

/** Where days and amounts are read. */
type Place = Pick<Organization, 'currency' | 'timeZone'>;

/**
 * Whether a listed record is just what Ponte's own change made of it: the fields that were announced are as they were
 * announced, all others as they were before. What was announced of a remote service's record is what was sent: dates,
 * amounts and texts are the same however they are spelled, and what the listing does not show does not count.
 * @param before absent: the record was not there; then what was announced is all that is known
 */
export function matchesAnnounced(
  announced: Item,
  listed: Item,
  before: Item | undefined,
  organization: Place,
): boolean {
  return Object.entries(listed).every(([name, value]) => {
    const source = Object.hasOwn(announced, name) ? announced : before;
    return source === undefined || same(source[name], value, organization);
  });
}

function same(one: unknown, other: unknown, { currency, timeZone }: Place): boolean {
  if (typeof one === 'number' || typeof other === 'number')
    return numberOf(one, currency) === numberOf(other, currency);
  if (typeof one === 'boolean' || typeof other === 'boolean') return (one ?? false) === (other ?? false);
  if (isObject(one) || isObject(other)) return JSON.stringify(one) === JSON.stringify(other);
  const [left, right] = [textOf(one), textOf(other)];
  return left === right || sameDay(left, right, timeZone);
}

function numberOf(value: unknown, currency: string): string | undefined {
  return value === null || value === undefined || value === '' ? undefined : amountOf(value, currency);
}

function sameDay(one: string | null, other: string | null, timeZone: string): boolean {
  const day = dayOf(one, timeZone);
  const otherDay = dayOf(other, timeZone);
  return day !== undefined && otherDay !== undefined && day.equals(otherDay);
}
