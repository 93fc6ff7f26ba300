import type { Transaction } from '../../../database/transaction';
import { newId } from '../../../kernel/identifier';

/*
 * Each function writes what is missing and what differs, and touches no row that is right already, in one
 * statement; rows are taken in the order of their codes.
 */

interface Coded {
  code: string;
  name: string;
}

function toRows<T extends object>(records: readonly T[]): string {
  return JSON.stringify(records.map((record) => ({ id: newId(), ...record })));
}

export async function putBanks(
  tx: Transaction,
  organizationId: string,
  banks: readonly (Coded & { color?: string })[],
): Promise<void> {
  await tx.$executeRaw`
    insert into bank (id, organization_id, code, name, color)
    select id, ${organizationId}::uuid, code, name, color
    from jsonb_to_recordset(${toRows(banks)}::jsonb) as r(id uuid, code text, name text, color text)
    order by code
    on conflict (organization_id, code) do update set name = excluded.name, color = excluded.color
    where (bank.name, bank.color) is distinct from (excluded.name, excluded.color)`;
}

export async function putCategoryGroups(
  tx: Transaction,
  organizationId: string,
  groups: readonly Coded[],
): Promise<void> {
  await tx.$executeRaw`
    insert into category_group (id, organization_id, reference_code, name)
    select id, ${organizationId}::uuid, code, name
    from jsonb_to_recordset(${toRows(groups)}::jsonb) as r(id uuid, code text, name text)
    order by code
    on conflict (organization_id, reference_code) do update set name = excluded.name
    where category_group.name is distinct from excluded.name`;
}

/** @param categories with the code of the group each belongs to */
export async function putCategories(
  tx: Transaction,
  organizationId: string,
  categories: readonly (Coded & { type: string; group: string })[],
): Promise<void> {
  await tx.$executeRaw`
    insert into category (id, organization_id, group_id, reference_code, name, type)
    select r.id, g.organization_id, g.id, r.code, r.name, r.type
    from jsonb_to_recordset(${toRows(categories)}::jsonb) as r(
      id uuid, code text, name text, type text, "group" text)
    join category_group g on g.organization_id = ${organizationId}::uuid and g.reference_code = r."group"
    order by r.code
    on conflict (organization_id, reference_code) do update set name = excluded.name, type = excluded.type,
      group_id = excluded.group_id
    where (category.name, category.type, category.group_id)
      is distinct from (excluded.name, excluded.type, excluded.group_id)`;
}

/** A cost center that was made or changed. */
export interface WrittenCostCenter {
  /** UUID */
  readonly id: string;
  /** It was not there before. */
  readonly made: boolean;
  /** No list shows it, neither before nor after. */
  readonly deleted: boolean;
}

/** Whether an organization has any account or cost center yet. */
export async function hasChart(tx: Transaction, organizationId: string): Promise<boolean> {
  const [row] = await tx.$queryRaw<{ some: boolean }[]>`
    select exists (select from account where organization_id = ${organizationId}::uuid)
      or exists (select from cost_center where organization_id = ${organizationId}::uuid) as some`;
  return row?.some === true;
}

export async function putCostCenters(
  tx: Transaction,
  organizationId: string,
  costCenters: readonly { code: string; description: string }[],
): Promise<WrittenCostCenter[]> {
  return tx.$queryRaw<WrittenCostCenter[]>`
    insert into cost_center (id, organization_id, external_code, description)
    select id, ${organizationId}::uuid, code, description
    from jsonb_to_recordset(${toRows(costCenters)}::jsonb) as r(id uuid, code text, description text)
    order by code
    on conflict (organization_id, external_code) do update set description = excluded.description
    where cost_center.description is distinct from excluded.description
    returning id::text as id, xmax = 0 as made, deleted_at is not null as deleted`;
}

/** @returns identifiers by code */
export async function bankIds(tx: Transaction, organizationId: string): Promise<Map<string, string>> {
  const banks = await tx.bank.findMany({ where: { organizationId }, select: { id: true, code: true } });
  return new Map(banks.map(({ id, code }) => [code, id]));
}

/** Brings names and banks of accounts in line, by code. @returns the UUIDs of those that got another name */
export async function nameAccounts(
  tx: Transaction,
  organizationId: string,
  accounts: readonly (Coded & { bankId?: string })[],
): Promise<string[]> {
  const rows = JSON.stringify(accounts.map(({ code, name, bankId }) => ({ code, name, bank_id: bankId })));
  const changed = await tx.$queryRaw<{ id: string; renamed: boolean }[]>`
    update account a set name = r.name, bank_id = r.bank_id
    from jsonb_to_recordset(${rows}::jsonb) as r(code text, name text, bank_id uuid)
      join account before on before.organization_id = ${organizationId}::uuid and before.code = r.code
    where a.id = before.id and (a.name, a.bank_id) is distinct from (r.name, r.bank_id)
    returning a.id::text as id, before.name is distinct from r.name as renamed`;
  return changed.filter(({ renamed }) => renamed).map(({ id }) => id);
}

/** Only where none is set: a person may have chosen another. */
export async function setDefaultAccount(
  tx: Transaction,
  organizationId: string,
  code: string,
): Promise<void> {
  await tx.$executeRaw`
    update organization o set default_account_id = a.id
    from account a
    where o.id = ${organizationId}::uuid and o.default_account_id is null
      and a.organization_id = o.id and a.code = ${code}`;
}
