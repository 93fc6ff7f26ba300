import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '../../../database/transaction';
import { queryInTransaction } from '../../../database/transaction-statements';
import type { FollowedCustomerField } from '../../api/effects/customer-ensure';
import type { CustomerFollower } from '../../effects/customer-followers';
import { noteNewest, type SaidField } from '../../effects/followed-fields.repository';
import type { Details } from './stakeholder-changes';

/** A customer as they are. */
interface CustomerRow {
  id: string;
  name: string;
  email: string | null;
  phone: string | null;
  details: Details;
}

type Change = { id: string; organizationId: string } & Partial<Record<FollowedCustomerField, unknown>>;

/**
 * Changes customers of any organizations to what events say of them, where no newer event said something else. Three
 * statements at most, whatever their number.
 * @returns the UUIDs of the customers that were changed
 */
export async function followCustomers(
  tx: Transaction,
  followers: readonly CustomerFollower[],
): Promise<Set<string>> {
  const customers = await lockCustomers(tx, followers);
  const present = followers.filter(({ customerId }) => customers.has(customerId));
  const noted = await noteNewest(tx, present.flatMap(saidBy));
  const changes = new Map<string, Change>();
  for (const { recordId, field, value, organizationId } of noted.values()) {
    const customer = customers.get(recordId);
    if (!customer || isDeepStrictEqual(valueOf(customer, field as FollowedCustomerField), value)) continue;
    changes.set(recordId, { ...changes.get(recordId), id: recordId, organizationId, [field]: value });
  }
  await change(tx, [...changes.values()]);
  return new Set(changes.keys());
}

function saidBy({ organization, customerId: recordId, asOf, values }: CustomerFollower): SaidField[] {
  const common = { organizationId: organization.id, recordId, asOf };
  return Object.entries(values).map(([field, value]) => ({ ...common, field, value }));
}

function valueOf(customer: CustomerRow, field: FollowedCustomerField): unknown {
  return field === 'address' ? customer.details.address : customer[field];
}

/** Reads customers and locks their rows until the transaction ends, in one order everywhere. */
async function lockCustomers(
  tx: Transaction,
  followers: readonly CustomerFollower[],
): Promise<Map<string, CustomerRow>> {
  if (followers.length === 0) return new Map();
  const rows = await queryInTransaction<CustomerRow>(
    tx,
    `select s.id::text as id, s.name, s.email, s.phone, s.details from stakeholder s
    where s.id = any($2::uuid[]) and (s.id, s.organization_id) in (select * from unnest($2::uuid[], $1::uuid[]))
      and s.kind in ('customer', 'partner') and s.deleted_at is null and s.erased_at is null
    order by s.id
    for no key update of s`,
    [followers.map(({ organization }) => organization.id), followers.map(({ customerId }) => customerId)],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function change(tx: Transaction, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const texts = (field: 'name' | 'email' | 'phone') => changes.map((one) => one[field] ?? null);
  await queryInTransaction(
    tx,
    `update stakeholder s set name = coalesce(r.name, s.name), email = coalesce(r.email, s.email),
      phone = coalesce(r.phone, s.phone),
      details = case when r.address is null then s.details
        else coalesce(s.details, '{}') || jsonb_build_object('address', r.address::jsonb) end
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[])
      as r(organization_id, id, name, email, phone, address)
    where s.id = r.id and s.organization_id = r.organization_id`,
    [
      changes.map(({ organizationId }) => organizationId),
      changes.map(({ id }) => id),
      texts('name'),
      texts('email'),
      texts('phone'),
      changes.map(({ address }) => (address === undefined ? null : JSON.stringify(address))),
    ],
  );
}
