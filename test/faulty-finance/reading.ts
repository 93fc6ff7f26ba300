import type { Answer } from './answer';
import type { Company, Schedule } from './company';

/** What answers a request that changes nothing. @throws Refusal when what it names is not there */
export type Read = (company: Company, ids: readonly string[], url: URL) => Answer;

const PAGE = 100;

export const customerSchedules: Read = (company, [customerId = '']) => {
  const { id } = company.listedCustomer(customerId);
  const found = company.listed(company.schedules).filter(({ stakeholderId }) => stakeholderId === id);
  return { status: 200, body: found.map((schedule) => fullView(company, schedule)) };
};

export const debitSchedules: Read = (company, _ids, url) =>
  page(
    url,
    company
      .listed(company.schedules)
      .filter(({ kind }) => kind === 'debit')
      .map((schedule) => fullView(company, schedule)),
  );

/** Receivables that are due: the date in the past, something open. */
export const duedCredits: Read = (company, _ids, url) =>
  page(
    url,
    company
      .listed(company.schedules)
      .filter(isDued)
      .map((schedule) => ({
        entryId: schedule.id,
        scheduleId: schedule.id,
        account: null,
        stakeholder: stakeholderOf(company, schedule),
        category: categoryOf(company, schedule),
        date: midnight(schedule.dueDate),
        identifier: null,
        value: schedule.openMinor / 100,
        description: schedule.description ?? null,
        reference: schedule.reference ?? null,
        isReconciliated: false,
        isTransfer: false,
        isFlagged: schedule.isFlagged,
      })),
  );

export const accounts: Read = (company, _ids, url) =>
  page(
    url,
    company.listed(company.accounts).map(({ id, name, openMinor, dateOfOpenBalance }) => {
      const dated = midnight(dateOfOpenBalance);
      return { id, name, openBalance: openMinor / 100, dateOfOpenBalance: dated, isVirtual: false };
    }),
  );

export const balances: Read = (company, _ids, url) =>
  page(
    url,
    company.listed(company.accounts).map(({ id, name, openMinor, balanceMinor }) => ({
      accountId: id,
      accountName: name,
      balance: (openMinor + balanceMinor) / 100,
      bank: null,
    })),
  );

export const costCenters: Read = (company, _ids, url) =>
  page(
    url,
    company.listed(company.costCenters).map(({ id, description, externalCode = null }) => ({
      costCenterId: id,
      description,
      externalCode,
    })),
  );

export const suppliers: Read = ({ settings }, _ids, url) => page(url, settings.suppliers ?? []);

/** As services in the field do it: whoever passes records over says in which order. */
function page(url: URL, listed: readonly object[]): Answer {
  const order = url.searchParams.get('$orderby');
  if (url.searchParams.has('$skip') && order === null)
    return { status: 500, body: { error: 'The method Skip is only supported for sorted input' } };
  const records = order === null ? listed : sorted(listed, order.split(','));
  const skip = Number(url.searchParams.get('$skip') ?? 0);
  const top = Number(url.searchParams.get('$top') ?? PAGE);
  const next = new URL(url);
  next.searchParams.set('$skip', String(skip + top));
  const nextPageLink = skip + top < records.length ? next.href : null;
  const items = records.slice(skip, skip + top);
  return { status: 200, body: { items, nextPageLink, count: records.length } };
}

/** Up, by texts. */
function sorted(records: readonly object[], names: readonly string[]): object[] {
  const key = (record: object): string =>
    names.map((name) => String((record as Record<string, unknown>)[name.trim()])).join('\n');
  return records.toSorted((left, right) => (key(left) < key(right) ? -1 : 1));
}

function fullView(company: Company, schedule: Schedule): object {
  return {
    scheduleId: schedule.id,
    description: schedule.description ?? null,
    reference: schedule.reference ?? null,
    value: schedule.minor / 100,
    openValue: schedule.openMinor / 100,
    scheduleDate: midnight(schedule.scheduleDate),
    accrualDate: midnight(schedule.dueDate),
    dueDate: midnight(schedule.dueDate),
    stakeholder: stakeholderOf(company, schedule),
    category: categoryOf(company, schedule),
    costCenter: costCenterOf(company, schedule),
    isDued: isDued(schedule),
    isPaid: schedule.openMinor <= 0,
    isFlagged: schedule.isFlagged,
    isEntry: false,
    type: schedule.kind === 'credit' ? 'Credit' : 'Debit',
  };
}

function stakeholderOf({ customers }: Company, { stakeholderId }: Schedule): object | null {
  const customer = customers.get(stakeholderId ?? '');
  return customer ? { id: customer.id, name: customer.name, isDeleted: false } : null;
}

function categoryOf({ settings }: Company, { categoryId }: Schedule): object | null {
  const category = settings.categories.find(({ id }) => id === categoryId);
  return category ? { id: category.id, name: category.name, isDeleted: false } : null;
}

function costCenterOf({ costCenters: known }: Company, { costCenterId }: Schedule): object | null {
  const found = known.get(costCenterId ?? '');
  return found ? { id: found.id, description: found.description, isDeleted: false } : null;
}

function isDued({ kind, dueDate, openMinor }: Schedule): boolean {
  return kind === 'credit' && openMinor > 0 && dueDate < new Date().toISOString().slice(0, 10);
}

function midnight(day: string): string {
  return `${day}T00:00:00`;
}
