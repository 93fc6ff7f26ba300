import type { Transaction } from '../../database/transaction';
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

async function insert(tx: Transaction, customers: readonly NewCustomer[]): Promise<Set<string>> {
  if (customers.length === 0) return new Set();
  const rows = JSON.stringify(
    customers.map((customer) => ({
      id: customer.id,
      organization_id: customer.organization.id,
      name: customer.name,
      email: customer.email,
      phone: customer.phone,
      document: customer.document?.number,
      document_type: customer.document?.type,
      details: customer.details,
    })),
  );
  // Sorted, so that two batches with the same documents wait for each other in one direction only.
  const inserted = await tx.$queryRaw<{ id: string }[]>`
    insert into stakeholder (id, organization_id, kind, name, email, phone, document, document_type, details)
    select id, organization_id, 'customer', name, email, phone, document, document_type, details
    from jsonb_to_recordset(${rows}::jsonb) as r(
      id uuid, organization_id uuid, name text, email text, phone text, document text, document_type text,
      details jsonb)
    order by organization_id, document, id
    on conflict (organization_id, kind, document) do nothing
    returning id`;
  return new Set(inserted.map(({ id }) => id));
}

async function findByDocument(
  tx: Transaction,
  customers: readonly NewCustomer[],
): Promise<Map<string, string>> {
  if (customers.length === 0) return new Map();
  const rows = JSON.stringify(
    customers.map(({ organization, document }) => ({
      organization_id: organization.id,
      document: document?.number,
    })),
  );
  const found = await tx.$queryRaw<{ id: string; organizationId: string; document: string }[]>`
    select s.id, s.organization_id as "organizationId", s.document
    from stakeholder s
    where s.kind = 'customer' and (s.organization_id, s.document) in (
      select r.organization_id, r.document
      from jsonb_to_recordset(${rows}::jsonb) as r(organization_id uuid, document text))`;
  return new Map(found.map((row) => [documentKey(row.organizationId, row.document), row.id]));
}

function documentKey(organizationId: string, document: string): string {
  return `${organizationId}/${document}`;
}
