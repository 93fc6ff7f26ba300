import type { Transaction } from '../../../database/transaction';
import { queryInTransaction } from '../../../database/transaction-statements';
import type { Organization } from '../../../kernel/organization';
import { Problem, unacceptable } from '../../../kernel/problem';
import { severalAccounts } from '../../api/effects/account-ensure';
import { called, type Outcome } from '../../api/ports/outcome';
import { recordName } from '../../api/ports/record-name';
import { openAccounts, type NewAccount } from './accounts.repository';

/** An account to be found by its name, or to be opened. */
export interface WantedAccount extends Omit<NewAccount, 'bankId' | 'code'> {
  /** UUID or code; absent: none. */
  bank?: string;
}

export interface EnsuredAccount {
  /** UUID of the account there is now. */
  id: string;
  /** Whether it was opened by this call. */
  opened: boolean;
}

/**
 * Finds each account by its exact name, else opens it. Two callers that name one account at once end up with one: the
 * second waits for the first. The number of statements does not grow with that of the accounts.
 * @returns in the order given; `conflict` where several accounts have the name, `validation-failed` for an unknown bank
 */
export async function ensureAccounts(
  tx: Transaction,
  wanted: readonly WantedAccount[],
): Promise<Outcome<EnsuredAccount>[]> {
  if (wanted.length === 0) return [];
  await lockNames(tx, wanted);
  const named = await findByName(tx, wanted);
  const banks = await findBanks(tx, wanted);
  const opening = new Map<string, NewAccount>();
  const outcomes = wanted.map(({ bank, ...account }, index): Outcome<EnsuredAccount> => {
    const key = nameKey(account.organization, account.name);
    const [id, ...others] = named.get(key) ?? [];
    if (others.length > 0) return new Problem('conflict', severalAccounts());
    if (id !== undefined) return { id, opened: false };
    const first = opening.get(key);
    if (first) return { id: first.id, opened: false };
    const bankId = banks[index] ?? undefined;
    if (bank !== undefined && bankId === undefined)
      return unacceptable('/bankId', 'unknown', `there is ${called('bank', bank)}`);
    opening.set(key, { ...account, ...(bankId !== undefined && { bankId }) });
    return { id: account.id, opened: true };
  });
  await openAccounts(tx, [...opening.values()]);
  return outcomes;
}

/** Only one transaction at a time opens accounts of a name; in one order everywhere. */
async function lockNames(tx: Transaction, wanted: readonly WantedAccount[]): Promise<void> {
  const names = wanted.map(({ organization, name }) => `account/${nameKey(organization, name)}`);
  await queryInTransaction(
    tx,
    `select count(pg_advisory_xact_lock(hashtextextended(n.name, 0)))
    from (select distinct name from unnest($1::text[]) as r(name) order by name) n`,
    [names],
  );
}

/** UUIDs by organization and name. */
async function findByName(tx: Transaction, wanted: readonly WantedAccount[]): Promise<Map<string, string[]>> {
  const found = await queryInTransaction<{ id: string; organizationId: string; name: string }>(
    tx,
    `select a.id::text as id, a.organization_id::text as "organizationId", a.name
    from account a
    where (a.organization_id, a.name) in (select * from unnest($1::uuid[], $2::text[]))
    order by a.id`,
    [wanted.map(({ organization }) => organization.id), wanted.map(({ name }) => name)],
  );
  const ids = new Map<string, string[]>();
  for (const { id, organizationId, name } of found) {
    const key = nameKey({ id: organizationId }, name);
    ids.set(key, [...(ids.get(key) ?? []), id]);
  }
  return ids;
}

/** UUIDs in the order given; null where no bank is named, or there is none. */
async function findBanks(tx: Transaction, wanted: readonly WantedAccount[]): Promise<(string | null)[]> {
  if (wanted.every(({ bank }) => bank === undefined)) return wanted.map(() => null);
  const names = wanted.map(({ bank }) => recordName(bank));
  const found = await queryInTransaction<{ id: string | null }>(
    tx,
    `select b.id::text as id
    from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as r(organization_id, id, code, position)
    left join bank b on b.organization_id = r.organization_id and (b.id = r.id or b.code = r.code)
      and b.deleted_at is null
    order by r.position`,
    [
      wanted.map(({ organization }) => organization.id),
      names.map(({ id }) => id ?? null),
      names.map(({ code }) => code ?? null),
    ],
  );
  return found.map(({ id }) => id);
}

function nameKey({ id }: Pick<Organization, 'id'>, name: string): string {
  return `${id}/${name}`;
}
