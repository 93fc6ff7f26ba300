import { textArray, uuidArray } from '../../../database/binary-array';
import type { Transaction } from '../../../database/transaction';
import { queryInTransaction } from '../../../database/transaction-statements';
import { CalendarDate } from '../../../kernel/calendar-date';
import { newId } from '../../../kernel/identifier';
import type { Money } from '../../../kernel/money';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import type { NewEntry } from '../ledger/entry';
import { postEntries } from '../ledger/posting';
import { recordName } from '../../api/ports/record-name';

/** An account named by whoever moves money on it. */
export interface AccountName {
  organization: Organization;
  /** UUID or code. */
  account: string;
}

export interface FoundAccount {
  /** UUID */
  id: string;
  /** No settlement may be dated before it. */
  openedOn: CalendarDate;
}

/**
 * Finds accounts and locks their opening dates until the transaction ends; others that move money on them need
 * not wait.
 * @returns in the order given; undefined where the organization has no such account. One statement.
 */
export async function findAccounts(
  tx: Transaction,
  names: readonly AccountName[],
): Promise<(FoundAccount | undefined)[]> {
  if (names.length === 0) return [];
  const named = names.map(({ account }) => recordName(account));
  const found = await queryInTransaction<{ id: string | null; openedOn: string | null }>(
    tx,
    `select coalesce(a.id, b.id) as id, coalesce(a.opened_on, b.opened_on)::text as "openedOn"
    from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as r(organization_id, id, code, position)
    left join lateral (
      select id, opened_on from account where id = r.id and organization_id = r.organization_id for key share
    ) a on true
    left join lateral (
      select id, opened_on from account where code = r.code and organization_id = r.organization_id for key share
    ) b on true
    order by r.position`,
    [
      uuidArray(names.map(({ organization }) => organization.id)),
      uuidArray(named.map(({ id }) => id)),
      textArray(named.map(({ code }) => code)),
    ],
  );
  return found.map(({ id, openedOn }) =>
    id === null || openedOn === null ? undefined : { id, openedOn: CalendarDate.parse(openedOn) },
  );
}

/** A settlement, payment or receipt may not be dated before its account was opened: the problem with `/date`. */
export function beforeOpening(date: CalendarDate, { openedOn }: FoundAccount): Problem | undefined {
  if (date.compare(openedOn) >= 0) return undefined;
  const message = `the date ${date.toString()} is before ${openedOn.toString()}, when the account was opened`;
  return new Problem('before-opening-date', message, {
    errors: [{ pointer: '/date', code: 'before-opening-date', message }],
  });
}

/** An account on the way to the books. */
export interface NewAccount {
  /** UUID, made beforehand. */
  id: string;
  organization: Organization;
  /** Absent for accounts that only people name. */
  code?: string;
  name: string;
  /** UUID of a bank of the organization. */
  bankId?: string;
  /** May be negative. */
  openBalance: Money;
  openedOn: CalendarDate;
  agency?: string;
  number?: string;
  verificationNumber?: number;
  type?: string;
  /** `virtualAccountDetails` as the interface shapes it; absent: not a virtual account. */
  virtualDetails?: unknown;
}

/**
 * Opens accounts and books their opening balances, which nobody else can change meanwhile: they are noted as announced,
 * which is left to the caller. An account whose code is taken is left out.
 * @returns the UUIDs of those that were opened
 */
export async function openAccounts(tx: Transaction, accounts: readonly NewAccount[]): Promise<Set<string>> {
  if (accounts.length === 0) return new Set();
  const rows = JSON.stringify(
    accounts.map((account) => ({
      id: account.id,
      organization_id: account.organization.id,
      code: account.code,
      name: account.name,
      bank_id: account.bankId,
      open_balance_minor: account.openBalance.minor.toString(),
      opened_on: account.openedOn.toString(),
      agency: account.agency,
      number: account.number,
      verification_number: account.verificationNumber,
      type: account.type,
      virtual_details: account.virtualDetails,
    })),
  );
  const inserted = await tx.$queryRaw<{ id: string }[]>`
    with opened as (
    insert into account (id, organization_id, code, name, bank_id, open_balance_minor, opened_on, agency,
      number, verification_number, type, virtual_details)
    select id, organization_id, code, name, bank_id, open_balance_minor, opened_on, agency, number,
      verification_number, type, virtual_details
    from jsonb_to_recordset(${rows}::jsonb) as r(
      id uuid, organization_id uuid, code text, name text, bank_id uuid, open_balance_minor bigint,
      opened_on date, agency text, number text, verification_number int, type text, virtual_details jsonb)
    order by organization_id, code, id
    on conflict (organization_id, code) do nothing
    returning id, open_balance_minor
    )
    insert into account_balance (account_id, balance_minor, announced_minor)
    select id, 0, open_balance_minor from opened
    returning account_id as id`;
  const opened = new Set(inserted.map(({ id }) => id));
  const openings = accounts
    .filter(({ id }) => opened.has(id))
    .flatMap(({ id, organization, openBalance, openedOn }) =>
      openingEntries({
        id,
        organizationId: organization.id,
        openBalanceMinor: openBalance.minor,
        openedOn,
      }),
    );
  await postEntries(tx, openings);
  return opened;
}

/** What an opening balance is booked from. */
export interface Opening {
  /** UUID of the account. */
  id: string;
  organizationId: string;
  /** May be negative. */
  openBalanceMinor: bigint;
  openedOn: CalendarDate;
}

/** None for zero. An overdrawn account starts with a debt: the sides are swapped. */
export function openingEntries({ id, organizationId, openBalanceMinor, openedOn }: Opening): NewEntry[] {
  if (openBalanceMinor === 0n) return [];
  const account = { book: 'account', id } as const;
  const equity = { book: 'equity', id } as const;
  const [debit, credit] = openBalanceMinor > 0n ? [account, equity] : [equity, account];
  const amountMinor = openBalanceMinor > 0n ? openBalanceMinor : -openBalanceMinor;
  return [{ id: newId(), organizationId, kind: 'opening', date: openedOn, amountMinor, debit, credit }];
}
