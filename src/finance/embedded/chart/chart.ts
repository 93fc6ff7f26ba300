import type { Transaction } from '../../../database/transaction';
import type { CalendarDate } from '../../../kernel/calendar-date';
import { newId } from '../../../kernel/identifier';
import { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { openAccounts } from '../accounts/accounts.repository';
import { accountsOpened, announceOwn, type RecordChange } from '../changes/announce';
import {
  bankIds,
  hasChart,
  nameAccounts,
  putBanks,
  putCategories,
  putCategoryGroups,
  putCostCenters,
  setDefaultAccount,
  type WrittenCostCenter,
} from './chart.repository';

/** What an organization's books begin with. Codes stay, names may change. */
export interface Chart {
  /** COMPE codes, three digits. */
  banks: { code: string; name: string; color?: string }[];
  groups: {
    code: string;
    name: string;
    categories: { code: string; name: string; type: 'in' | 'out' }[];
  }[];
  costCenters: { code: string; description: string }[];
  accounts: {
    code: string;
    name: string;
    /** A bank's code. */
    bank?: string;
    /** Decimal text; may be negative. Booked once, when the account is opened. */
    openBalance: string;
    openedOn: CalendarDate;
  }[];
  /** An account's code: where receipts go when nothing names an account. */
  defaultAccount?: string;
}

/**
 * Brings an organization's chart in line with the document: what is missing is made, a changed name is written,
 * what the document does not name is left alone. Doing it again changes nothing, and replicas that do it at the
 * same time end up with one of each. An opening balance is booked with the account and never changed here. What an
 * organization begins with is not announced; what a later document makes or changes is.
 */
export async function applyChart(
  tx: Transaction,
  organization: Organization,
  chart: Chart,
  now: Date,
): Promise<void> {
  const isFirst = !(await hasChart(tx, organization.id));
  await putBanks(tx, organization.id, chart.banks);
  await putCategoryGroups(tx, organization.id, chart.groups);
  await putCategories(
    tx,
    organization.id,
    chart.groups.flatMap(({ code: group, categories }) =>
      categories.map((category) => ({ ...category, group })),
    ),
  );
  const costCenters = await putCostCenters(tx, organization.id, chart.costCenters);
  const accounts = await putAccounts(tx, organization, chart);
  if (isFirst) return;
  await announceOwn(tx, organization, [...costCenters.flatMap(changeOf), ...accounts], now);
}

function changeOf({ id, made, deleted }: WrittenCostCenter): RecordChange[] {
  return deleted ? [] : [{ type: made ? 'cost-center.created' : 'cost-center.updated', id }];
}

async function putAccounts(
  tx: Transaction,
  organization: Organization,
  chart: Chart,
): Promise<RecordChange[]> {
  const banks = await bankIds(tx, organization.id);
  const accounts = chart.accounts.map(({ code, name, bank, openBalance, openedOn }) => ({
    id: newId(),
    organization,
    code,
    name,
    bankId: bank === undefined ? undefined : banks.get(bank),
    openBalance: Money.parse(openBalance, organization.currency),
    openedOn,
  }));
  const opened = await openAccounts(tx, accounts);
  const renamed = await nameAccounts(tx, organization.id, accounts);
  if (chart.defaultAccount !== undefined) await setDefaultAccount(tx, organization.id, chart.defaultAccount);
  return [...accountsOpened([...opened]), ...renamed.map((id) => ({ type: 'account.updated', id }) as const)];
}
