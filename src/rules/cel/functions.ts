import type { Environment } from '@marcbachmann/cel-js';
import { CalendarDate } from '../../kernel/calendar-date';
import { addBankDays, nextBankDay } from '../../kernel/bank-days';
import { Money, type Rounding, ROUNDINGS } from '../../kernel/money';
import { MAX_INSTALMENTS } from './limits';
import { RuleRefusal } from './refusal';

/** One part of an amount paid in parts. */
export class Instalment {
  constructor(
    readonly value: Money,
    readonly dueDate: CalendarDate,
    /** Which part it is, from 1. */
    readonly number: bigint,
  ) {}
}

/** How each function and method is written: what is not here cannot be called. */
export const SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  has: ['has(a.b) : bool'],
  money: ['money(string) : Money'],
  date: ['date(string) : Date', 'date(string, timeZone) : Date'],
  string: ['string(int | double | bool | Money | Date) : string'],
  int: ['int(string | double) : int'],
  double: ['double(string | int) : double'],
  size: ['size(string | list) : int', 'string.size() : int', 'list.size() : int'],
  startsWith: ['string.startsWith(string) : bool'],
  endsWith: ['string.endsWith(string) : bool'],
  contains: ['string.contains(string) : bool'],
  lowerAscii: ['string.lowerAscii() : string'],
  upperAscii: ['string.upperAscii() : string'],
  trim: ['string.trim() : string'],
  indexOf: ['string.indexOf(string) : int', 'string.indexOf(string, int) : int'],
  lastIndexOf: ['string.lastIndexOf(string) : int', 'string.lastIndexOf(string, int) : int'],
  substring: ['string.substring(int) : string', 'string.substring(int, int) : string'],
  split: ['string.split(string) : list<string>', 'string.split(string, int) : list<string>'],
  join: ['list<string>.join() : string', 'list<string>.join(string) : string'],
  all: ['list.all(name, bool) : bool'],
  exists: ['list.exists(name, bool) : bool'],
  exists_one: ['list.exists_one(name, bool) : bool'],
  filter: ['list.filter(name, bool) : list'],
  map: ['list.map(name, value) : list', 'list.map(name, bool, value) : list'],
  addDays: ['Date.addDays(int) : Date'],
  addMonths: ['Date.addMonths(int) : Date'],
  dateIn: ['Instant.dateIn(timeZone) : Date'],
  endOfMonth: ['Date.endOfMonth() : Date'],
  nextBusinessDay: ['Date.nextBusinessDay() : Date'],
  addBusinessDays: ['Date.addBusinessDays(int) : Date'],
  percent: ['Money.percent("4.99", "half-up") : Money'],
  convert: ['Money.convert("5.4321", "half-up") : Money'],
  allocate: ['Money.allocate(list<Money>) : list<Money>'],
  plus: ['Money.plus(list<Money>) : Money'],
  minus: ['Money.minus(list<Money>) : Money'],
  instalments: ['Money.instalments(int, Date) : list<Instalment>'],
};

/** What can be read of the values that rules reckon with, by CEL type. */
export const VALUE_FIELDS = {
  Money: { currency: 'string' },
  Instalment: { value: 'Money', dueDate: 'Date', number: 'int' },
} as const;

const SYNC = { async: false } as const;

/** The types that rules reckon with, and what can be done with them. */
export function registerValueTypes(environment: Environment): void {
  environment
    .registerType('Money', { ctor: Money, fields: { ...VALUE_FIELDS.Money } })
    .registerType('Date', { ctor: CalendarDate, fields: {} })
    // Takes over from the library's own type for the same class, whose methods are not among ours.
    .registerType('Instant', { ctor: Date, fields: {} })
    .registerType('Instalment', { ctor: Instalment, fields: { ...VALUE_FIELDS.Instalment } });
  registerMoney(environment);
  registerDates(environment);
}

function registerMoney(environment: Environment): void {
  environment
    .registerOperator('Money + Money: Money', (left: Money, right: Money) => left.plus(right))
    .registerOperator('Money - Money: Money', (left: Money, right: Money) => left.minus(right))
    .registerOperator('-Money: Money', (amount: Money) => amount.negated())
    .registerFunction('string(Money): string', (amount: Money) => amount.toString(), SYNC)
    .registerFunction('Money.percent(string, string): Money', percent, SYNC)
    .registerFunction(
      'Money.allocate(list<Money>): list<Money>',
      (amount: Money, weights: readonly Money[]) => amount.allocate(weights),
      SYNC,
    )
    .registerFunction(
      'Money.plus(list<Money>): Money',
      (amount: Money, others: readonly Money[]) => others.reduce((sum, other) => sum.plus(other), amount),
      SYNC,
    )
    .registerFunction(
      'Money.minus(list<Money>): Money',
      (amount: Money, others: readonly Money[]) => others.reduce((rest, other) => rest.minus(other), amount),
      SYNC,
    )
    .registerFunction('Money.instalments(int, Date): list<Instalment>', instalments, SYNC);
  registerOrder<Money>(environment, 'Money', (left, right) => left.compare(right));
}

function registerDates(environment: Environment): void {
  environment
    .registerFunction('date(string): Date', (text: string) => CalendarDate.parse(text), SYNC)
    .registerFunction('date(string, string): Date', dateOf, SYNC)
    .registerFunction('string(Date): string', (date: CalendarDate) => date.toString(), SYNC)
    .registerFunction(
      'Date.addDays(int): Date',
      (date: CalendarDate, days: bigint) => date.addDays(Number(days)),
      SYNC,
    )
    .registerFunction(
      'Date.addMonths(int): Date',
      (date: CalendarDate, months: bigint) => date.addMonths(Number(months)),
      SYNC,
    )
    .registerFunction('Date.endOfMonth(): Date', endOfMonth, SYNC)
    .registerFunction('Date.nextBusinessDay(): Date', (date: CalendarDate) => nextBankDay(date), SYNC)
    .registerFunction('Date.addBusinessDays(int): Date', addBusinessDays, SYNC)
    .registerFunction('Instant.dateIn(string): Date', dateIn, SYNC);
  registerOrder<CalendarDate>(environment, 'Date', (left, right) => left.compare(right));
  registerOrder<Date>(environment, 'Instant', (left, right) => left.getTime() - right.getTime());
}

/** `==` brings `!=` along. */
function registerOrder<T>(
  environment: Environment,
  type: string,
  compare: (left: T, right: T) => number,
): void {
  environment
    .registerOperator(`${type} == ${type}`, (left: T, right: T) => compare(left, right) === 0)
    .registerOperator(`${type} < ${type}`, (left: T, right: T) => compare(left, right) < 0)
    .registerOperator(`${type} <= ${type}`, (left: T, right: T) => compare(left, right) <= 0)
    .registerOperator(`${type} > ${type}`, (left: T, right: T) => compare(left, right) > 0)
    .registerOperator(`${type} >= ${type}`, (left: T, right: T) => compare(left, right) >= 0);
}

/**
 * Exact parts, the first due on `firstDate` and each next a month later, reckoned from the first. An amount of fewer minor
 * units than parts has a part for each of its units.
 */
export function instalments(amount: Money, count: bigint, firstDate: CalendarDate): Instalment[] {
  if (count < 1n || count > BigInt(MAX_INSTALMENTS)) {
    throw new RuleRefusal(`the number of instalments must be 1 to ${MAX_INSTALMENTS}`);
  }
  const parts = amount.isPositive && amount.minor < count ? amount.minor : count;
  return amount
    .split(Number(parts))
    .map((value, index) => new Instalment(value, firstDate.addMonths(index), BigInt(index + 1)));
}

function percent(amount: Money, rate: string, rounding: string): Money {
  return amount.percent(rate, roundingOf(rounding));
}

/** How a rule says that an amount is rounded. @throws RuleRefusal when there is no such rounding */
export function roundingOf(text: string): Rounding {
  const rounding = ROUNDINGS.find((name) => name === text);
  if (rounding === undefined) throw new RuleRefusal(`rounding is ${ROUNDINGS.join(', ')}`);
  return rounding;
}

function endOfMonth(date: CalendarDate): CalendarDate {
  return CalendarDate.of(date.year, date.month, 1).addMonths(1).addDays(-1);
}

function addBusinessDays(date: CalendarDate, days: bigint): CalendarDate {
  try {
    return addBankDays(date, Number(days));
  } catch (error) {
    if (error instanceof RangeError) throw new RuleRefusal(error.message);
    throw error;
  }
}

function dateIn(instant: Date, timeZone: string): CalendarDate {
  return inKnownZone(() => CalendarDate.fromInstant(instant, timeZone));
}

function dateOf(text: string, timeZone: string): CalendarDate {
  return inKnownZone(() => CalendarDate.parseIn(text, timeZone));
}

function inKnownZone(read: () => CalendarDate): CalendarDate {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) throw new RuleRefusal('there is no such time zone');
    throw error;
  }
}
