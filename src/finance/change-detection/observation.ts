import { createHash } from 'node:crypto';
import { reckonedDecimal } from '../../kernel/exact-decimal';
import type { CalendarDate } from '../../kernel/calendar-date';
import { isUuid } from '../../kernel/identifier';
import type { Organization } from '../../kernel/organization';
import { isObject } from '../../kernel/json-object';
import { Money } from '../../kernel/money';
import { dayOf, moneyOf } from '../remote/reads/remote-reads';

/** The listings that are polled, each at its own time. */
export const LISTING_KINDS = [
  'accounts',
  'balances',
  'cost-centers',
  'debit-schedules',
  'overdue-credit',
  'customer-schedules',
] as const;

export type ListingKind = (typeof LISTING_KINDS)[number];

/** A listed record, as it came. */
export type Item = Readonly<Record<string, unknown>>;

/** A record of a listing, as far as it is compared. */
export interface Observation {
  /** UUID in lower case. */
  readonly id: string;
  /** SHA-256 of what counts as a change, so that two polls are compared without their records. */
  readonly digest: string;
  /** The due date, `YYYY-MM-DD`, of what is open and was due before today. */
  readonly due?: string;
  readonly data: Item;
}

/** A schedule, as far as it is compared. */
export interface ScheduleFacts {
  /** Minor units; nothing or less: it is paid. */
  readonly open: bigint;
  /** `YYYY-MM-DD` */
  readonly dueDate: string;
  /** Everything else that counts, as JSON text. */
  readonly terms: string;
}

/** A listing has something that cannot be read, or not all of its records: nothing is concluded from it. */
export class UnusableListing extends Error {
  override readonly name = 'UnusableListing';
}

/** The field of a record's identifier. */
const ID_FIELDS: Readonly<Record<ListingKind, string>> = {
  accounts: 'id',
  balances: 'accountId',
  'cost-centers': 'costCenterId',
  'debit-schedules': 'scheduleId',
  'overdue-credit': 'scheduleId',
  'customer-schedules': 'scheduleId',
};

/**
 * @param today the organization's
 * @returns undefined for a record of the listing that is not compared
 * @throws UnusableListing
 */
export function observationOf(
  kind: ListingKind,
  item: unknown,
  organization: Organization,
  today: CalendarDate,
): Observation | undefined {
  if (!isObject(item)) throw new UnusableListing('a listing holds something that is no record');
  const id = item[ID_FIELDS[kind]];
  if (typeof id !== 'string' || !isUuid(id)) throw new UnusableListing(`a record has no ${ID_FIELDS[kind]}`);
  const comparable = compared(kind, item, organization, today);
  return (
    comparable && { id: id.toLowerCase(), data: item, ...comparable, digest: digestOf(comparable.digest) }
  );
}

/** @throws UnusableListing when value, open value or due date cannot be read */
export function scheduleFacts(item: Item, { currency, timeZone }: Organization): ScheduleFacts {
  const value = moneyOf(item['value'], currency);
  const open = moneyOf(item['openValue'], currency);
  const dueDate = dayOf(item['dueDate'], timeZone)?.toString();
  if (!value || !open || dueDate === undefined)
    throw new UnusableListing('a listed schedule has no value, open value or due date');
  const days = ['scheduleDate', 'accrualDate'].map((name) => dayOf(item[name], timeZone)?.toString() ?? null);
  const texts = ['description', 'reference'].map((name) => textOf(item[name]));
  const others = ['stakeholder', 'category', 'costCenter'].map((name) => idWithin(item[name]));
  const terms = [value.minor.toString(), dueDate, ...days, ...texts, ...others, item['isFlagged'] === true];
  return { open: open.minor, dueDate, terms: JSON.stringify(terms) };
}

/** An amount as plain decimal text. @throws UnusableListing */
export function amountOf(value: unknown, currency: string): string {
  const text = reckonedDecimal(value, Money.exponentOf(currency));
  if (text === undefined) throw new UnusableListing('a listed amount cannot be read');
  return text;
}

/** Longest text that is composed before it is compared: a long run of combining marks takes time by its square. */
const LONGEST_COMPOSED = 2_000;

/** What is left out, null and an empty text are the same: services differ in how they write that there is none. */
export function textOf(value: unknown): string | null {
  if (typeof value !== 'string' || value === '') return null;
  return (value.length > LONGEST_COMPOSED ? value : value.normalize('NFC')).trim();
}

/** The digest as the text that it is made of. */
function compared(
  kind: ListingKind,
  item: Item,
  organization: Organization,
  today: CalendarDate,
): Pick<Observation, 'digest' | 'due'> | undefined {
  switch (kind) {
    case 'accounts':
    case 'cost-centers':
      return { digest: plainText(item) };
    case 'balances':
      return { digest: amountOf(item['balance'], organization.currency) };
    case 'overdue-credit':
      return overdueEntry(item, organization, today);
    case 'debit-schedules':
    case 'customer-schedules':
      return schedule(kind, item, organization, today);
  }
}

function schedule(
  kind: ListingKind,
  item: Item,
  organization: Organization,
  today: CalendarDate,
): Pick<Observation, 'digest' | 'due'> | undefined {
  const isDebit = textOf(item['type'])?.toLowerCase() === 'debit';
  // A partner's payables come with those of all others.
  if (isDebit && kind === 'customer-schedules') return undefined;
  const { open, dueDate, terms } = scheduleFacts(item, organization);
  const isOverdue = kind === 'debit-schedules' && open > 0n && dueDate < today.toString();
  const due = isOverdue ? { due: dueDate } : {};
  return { digest: JSON.stringify([open.toString(), due.due ?? null, terms]), ...due };
}

/** The service's own day may be another: what is not overdue by the organization's is not. */
function overdueEntry(
  item: Item,
  { currency, timeZone }: Organization,
  today: CalendarDate,
): Pick<Observation, 'digest' | 'due'> {
  const open = moneyOf(item['value'], currency);
  const due = dayOf(item['date'], timeZone)?.toString();
  if (!open || due === undefined) throw new UnusableListing('a listed entry has no value or date');
  return open.minor > 0n && due < today.toString() ? { digest: due, due } : { digest: 'not overdue' };
}

/** Flat and in the order of names, nothing and null alike. */
function plainText(item: Item): string {
  const fields = Object.entries(item)
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([name, value]): [string, unknown] => [name, typeof value === 'string' ? textOf(value) : value])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify(fields);
}

function idWithin(value: unknown): string | null {
  return isObject(value) ? (textOf(value['id'])?.toLowerCase() ?? null) : null;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
