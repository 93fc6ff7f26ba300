import { intArray, textArray, uuidArray } from '../../../database/binary-array';
import { packTexts } from '../../../database/packed-texts';
import { rowsOf } from '../../../database/rows-of';
import type { Transaction } from '../../../database/transaction';
import { queryInTransaction } from '../../../database/transaction-statements';
import type { NewCustomer } from './customer';

export interface EnsuredCustomer {
  /** UUID of the customer there is now. */
  id: string;
  /** Whether it was made by this call. */
  created: boolean;
}

/**
 * Finds each customer by its document, else makes it. Two callers that bring one document at once end up with
 * one customer: the second waits for the first. Two statements, whatever the number of customers.
 * @returns in the order given
 */
export async function ensureCustomers(
  tx: Transaction,
  customers: readonly NewCustomer[],
): Promise<EnsuredCustomer[]> {
  const created = await insert(tx, customers);
  const taken = await findByDocument(
    tx,
    customers.filter(({ id }) => !created.has(id)),
  );
  return customers.map((customer) => {
    if (created.has(customer.id)) return { id: customer.id, created: true };
    const id = taken.get(documentKey(customer.organization.id, customer.document?.number ?? ''));
    if (id === undefined) throw new Error('a customer was neither inserted nor found');
    return { id, created: false };
  });
}

/** What {@link insert} sends of each customer. */
const INSERTED = rowsOf(`
  id uuid, organization_id uuid, name text, email text, phone text, document text, document_type text,
  start int, length int`);

async function insert(tx: Transaction, customers: readonly NewCustomer[]): Promise<Set<string>> {
  if (customers.length === 0) return new Set();
  // Sorted, so that two batches with the same documents wait for each other in one direction only.
  const sorted = [...customers].sort(byDocument);
  const details = packTexts(sorted.map((customer) => JSON.stringify(customer.details)));
  const inserted = await queryInTransaction<{ id: string }>(
    tx,
    `insert into stakeholder (id, organization_id, kind, name, email, phone, document, document_type, details)
    select id, organization_id, 'customer', name, email, phone, document, document_type,
      convert_from(substring($10::bytea from start for length), 'UTF8')::jsonb
    from ${INSERTED} r
    on conflict (organization_id, kind, document) do nothing
    returning id`,
    [
      uuidArray(sorted.map(({ id }) => id)),
      uuidArray(sorted.map(({ organization }) => organization.id)),
      textArray(sorted.map(({ name }) => name)),
      textArray(sorted.map(({ email }) => email)),
      textArray(sorted.map(({ phone }) => phone)),
      textArray(sorted.map(({ document }) => document?.number)),
      textArray(sorted.map(({ document }) => document?.type)),
      intArray(details.starts),
      intArray(details.lengths),
      details.bytes,
    ],
  );
  return new Set(inserted.map(({ id }) => id));
}

async function findByDocument(
  tx: Transaction,
  customers: readonly NewCustomer[],
): Promise<Map<string, string>> {
  if (customers.length === 0) return new Map();
  const found = await queryInTransaction<{ id: string; organizationId: string; document: string }>(
    tx,
    `select s.id, s.organization_id as "organizationId", s.document
    from ${rowsOf('organization_id uuid, document text')} r
    join stakeholder s on s.organization_id = r.organization_id and s.kind = 'customer' and s.document = r.document`,
    [
      customers.map(({ organization }) => organization.id),
      customers.map(({ document }) => document?.number ?? null),
    ],
  );
  return new Map(found.map((row) => [documentKey(row.organizationId, row.document), row.id]));
}

function documentKey(organizationId: string, document: string): string {
  return `${organizationId}/${document}`;
}

function byDocument(left: NewCustomer, right: NewCustomer): number {
  return nameOf(left) < nameOf(right) ? -1 : 1;
}

function nameOf({ organization, document, id }: NewCustomer): string {
  return `${documentKey(organization.id, document?.number ?? '')}/${id}`;
}
