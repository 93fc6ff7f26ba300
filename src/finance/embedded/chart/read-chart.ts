import { SettingError } from '../../../config/settings';
import { CalendarDate } from '../../../kernel/calendar-date';
import { Money } from '../../../kernel/money';
import type { Chart } from './chart';

type Fields = Record<string, unknown>;

/**
 * Reads a chart document, as parsed from YAML. Codes must be quoted there: `1.10` unquoted is the number 1.1.
 * @param place what to call the document in errors, for example its file name
 * @throws SettingError with one line that names the first thing wrong
 */
export function readChart(document: unknown, place: string): Chart {
  const chart = fields(document, place, ['banks', 'groups', 'costCenters', 'accounts', 'defaultAccount']);
  const read: Chart = {
    banks: list(chart, 'banks', place, readBank),
    groups: list(chart, 'groups', place, readGroup),
    costCenters: list(chart, 'costCenters', place, readCostCenter),
    accounts: list(chart, 'accounts', place, readAccount),
    defaultAccount: text(chart, 'defaultAccount', place, false),
  };
  checkCodes(read, place);
  return read;
}

function readBank(value: unknown, place: string): Chart['banks'][number] {
  const bank = fields(value, place, ['code', 'name', 'color']);
  const code = required(bank, 'code', place);
  if (!/^\d{3}$/.test(code)) throw wrong(`${place}.code`, 'must be three digits in quotes (COMPE)');
  return { code, name: required(bank, 'name', place), color: text(bank, 'color', place, false) };
}

function readGroup(value: unknown, place: string): Chart['groups'][number] {
  const group = fields(value, place, ['code', 'name', 'categories']);
  return {
    code: required(group, 'code', place),
    name: required(group, 'name', place),
    categories: list(group, 'categories', place, readCategory),
  };
}

function readCategory(value: unknown, place: string): Chart['groups'][number]['categories'][number] {
  const category = fields(value, place, ['code', 'name', 'type']);
  const type = required(category, 'type', place);
  if (type !== 'in' && type !== 'out') throw wrong(`${place}.type`, 'must be in or out');
  return { code: required(category, 'code', place), name: required(category, 'name', place), type };
}

function readCostCenter(value: unknown, place: string): Chart['costCenters'][number] {
  const costCenter = fields(value, place, ['code', 'description']);
  return {
    code: required(costCenter, 'code', place),
    description: required(costCenter, 'description', place),
  };
}

function readAccount(value: unknown, place: string): Chart['accounts'][number] {
  const account = fields(value, place, ['code', 'name', 'bank', 'openBalance', 'openedOn']);
  const openBalance = text(account, 'openBalance', place, false) ?? '0';
  const openedOn = required(account, 'openedOn', place);
  // The currency is the organization's; the check here is for plain decimal text.
  kernel(`${place}.openBalance`, () => Money.parse(openBalance, 'BRL'));
  return {
    code: required(account, 'code', place),
    name: required(account, 'name', place),
    bank: text(account, 'bank', place, false),
    openBalance,
    openedOn: kernel(`${place}.openedOn`, () => CalendarDate.parse(openedOn)),
  };
}

function checkCodes(chart: Chart, place: string): void {
  const lists = {
    banks: chart.banks,
    groups: chart.groups,
    categories: chart.groups.flatMap(({ categories }) => categories),
    costCenters: chart.costCenters,
    accounts: chart.accounts,
  };
  for (const [name, records] of Object.entries(lists)) {
    const codes = records.map(({ code }) => code);
    const twice = codes.find((code, index) => codes.indexOf(code) !== index);
    if (twice !== undefined) throw wrong(`${place}.${name}`, `hold the code ${twice} twice`);
  }
  const { accounts, defaultAccount } = chart;
  if (defaultAccount !== undefined && !accounts.some(({ code }) => code === defaultAccount)) {
    throw wrong(`${place}.defaultAccount`, 'names no account of the chart');
  }
  const bankless = accounts.find(
    ({ bank }) => bank !== undefined && !chart.banks.some(({ code }) => code === bank),
  );
  if (bankless)
    throw wrong(`${place}.accounts`, `name the bank ${bankless.bank}, which the chart does not have`);
}

function fields(value: unknown, place: string, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw wrong(place, 'must be a mapping');
  }
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw wrong(`${place}.${unknown}`, `is not known here; known are ${known.join(', ')}`);
  return value as Fields;
}

function list<T>(
  owner: Fields,
  name: string,
  place: string,
  read: (value: unknown, place: string) => T,
): T[] {
  const value = owner[name] ?? [];
  if (!Array.isArray(value)) throw wrong(`${place}.${name}`, 'must be a list');
  return value.map((member, index) => read(member, `${place}.${name}[${index}]`));
}

function text(owner: Fields, name: string, place: string, needed: boolean): string | undefined {
  const value = owner[name];
  if (value === undefined || value === null) {
    if (needed) throw wrong(`${place}.${name}`, 'is missing');
    return undefined;
  }
  if (typeof value !== 'string' || value.trim() === '') {
    throw wrong(`${place}.${name}`, 'must be text; put numbers in quotes');
  }
  return value.trim();
}

function required(owner: Fields, name: string, place: string): string {
  const value = text(owner, name, place, true);
  if (value === undefined) throw wrong(`${place}.${name}`, 'is missing');
  return value;
}

function kernel<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw wrong(place, error instanceof Error ? `is ${error.message}` : 'cannot be read');
  }
}

function wrong(place: string, message: string): SettingError {
  return new SettingError(`${place} ${message}`);
}
