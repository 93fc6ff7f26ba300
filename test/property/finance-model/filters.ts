import { later } from './books';
import type { ModelAccount, ModelCostCenter, ModelSchedule, ModelStakeholder } from './books';

/** A `$filter`, and what it means of a record of the model. */
export interface Filter<Row> {
  text: string;
  matches: (row: Row) => boolean;
}

/** What a filter compares with: any number will do, and each stands for an amount, a day and a name. */
export interface Operand {
  number: number;
  today: string;
}

/** Filters of the lists that show schedules in full; what is missing compares as false, and `ne` finds it. */
export function scheduleFilters({ number, today }: Operand): Filter<ModelSchedule>[] {
  const cents = number % 5_000;
  const amount = decimal(cents);
  const date = later(today, (number % 81) - 40);
  const month = 1 + (number % 12);
  const name = `Customer ${number % 10}`;
  return [
    { text: `openValue gt ${amount}`, matches: ({ open }) => open > cents },
    {
      text: `value le ${amount} and isFlagged eq true`,
      matches: ({ value, isFlagged }) => value <= cents && isFlagged,
    },
    {
      text: `isPaid eq true or reference eq 'R-1'`,
      matches: ({ open, reference }) => open === 0 || reference === 'R-1',
    },
    { text: `reference ne 'R-2'`, matches: ({ reference }) => reference !== 'R-2' },
    { text: 'reference eq null', matches: ({ reference }) => reference === undefined },
    { text: `dueDate lt ${date}`, matches: ({ dueDate }) => dueDate < date },
    { text: `not (dueDate ge ${date})`, matches: ({ dueDate }) => dueDate < date },
    { text: `month(dueDate) eq ${month}`, matches: ({ dueDate }) => Number(dueDate.slice(5, 7)) === month },
    { text: 'isDued eq false', matches: ({ open, dueDate }) => !(open > 0 && dueDate < today) },
    { text: `scheduleDate eq ${date}`, matches: ({ scheduleDate }) => scheduleDate === date },
    { text: 'category/id ne null', matches: ({ category }) => category !== undefined },
    {
      text: `costCenter/description in ('Shop', 'Geral')`,
      matches: ({ costCenter }) => ['Shop', 'Geral'].includes(costCenter?.description ?? ''),
    },
    {
      text: `startswith(stakeholder/name, '${name}')`,
      matches: ({ stakeholder }) => stakeholder.name.startsWith(name),
    },
    {
      text: `contains(tolower(description), 'order - 2/')`,
      matches: ({ description }) => description.toLowerCase().includes('order - 2/'),
    },
  ];
}

/** Filters of overdue receivables: `value` is what is open, `date` the due date. */
export function overdueFilters({ number, today }: Operand): Filter<ModelSchedule>[] {
  const cents = number % 5_000;
  const date = later(today, -(number % 60));
  return [
    { text: `value ge ${decimal(cents)}`, matches: ({ open }) => open >= cents },
    { text: `date gt ${date}`, matches: ({ dueDate }) => dueDate > date },
    { text: `date gt ${date} and not isFlagged`, matches: (row) => row.dueDate > date && !row.isFlagged },
    { text: `endswith(description, '/2')`, matches: ({ description }) => description.endsWith('/2') },
    { text: 'isReconciliated or isTransfer', matches: () => false },
  ];
}

/** Filters of accounts, by the names that one of the two lists of them has. */
export function accountFilters(
  { number, today }: Operand,
  names: { name: string; amount: string },
  amountOf: (row: ModelAccount) => number,
): Filter<ModelAccount>[] {
  const cents = (number % 1_800) - 900;
  return [
    { text: `${names.amount} lt ${decimal(cents)}`, matches: (row) => amountOf(row) < cents },
    { text: `${names.amount} eq 0`, matches: (row) => amountOf(row) === 0 },
    {
      text: `${names.name} eq 'Till' or ${names.name} eq 'Safe'`,
      matches: ({ name }) => name === 'Till' || name === 'Safe',
    },
    { text: `length(trim(${names.name})) le 9`, matches: ({ name }) => name.length <= 9 },
    ...(names.name === 'name' ? [openedBefore(later(today, -(number % 60)))] : []),
  ];
}

function openedBefore(date: string): Filter<ModelAccount> {
  return { text: `dateOfOpenBalance le ${date}`, matches: ({ openedOn }) => openedOn <= date };
}

export function costCenterFilters({ number }: Operand): Filter<ModelCostCenter>[] {
  const code = `CC-${1 + (number % 4)}`;
  return [
    { text: `externalCode eq '${code}'`, matches: ({ externalCode }) => externalCode === code },
    { text: `externalCode ne '${code}'`, matches: ({ externalCode }) => externalCode !== code },
    { text: 'externalCode eq null', matches: ({ externalCode }) => externalCode === undefined },
    { text: `contains(description, 'shop')`, matches: ({ description }) => description.includes('shop') },
  ];
}

export function supplierFilters({ number }: Operand): Filter<ModelStakeholder>[] {
  const letter = 'aeiou'[number % 5]!;
  return [
    { text: `name in ('Paper', 'Rent')`, matches: ({ name }) => name === 'Paper' || name === 'Rent' },
    { text: `not contains(name, '${letter}')`, matches: ({ name }) => !name.includes(letter) },
    { text: 'document/number ne null', matches: ({ document }) => document !== undefined },
  ];
}

/** Cents as a literal. */
function decimal(cents: number): string {
  return (cents / 100).toFixed(2);
}
