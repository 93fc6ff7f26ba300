import { textArray, uuidArray } from '../../database/binary-array';
import { rowsOf } from '../../database/rows-of';
import type { Transaction } from '../../database/transaction';
import { queryInTransaction } from '../../database/transaction-statements';
import type { TaxDocument } from '../api/effects/tax-document';
import type { Attention } from '../api/effects/attention';
import { type EffectKey, keyOf } from './effects.repository';

/** Who owes a receivable of Ponte's own books. */
export interface BookedCustomer {
  /** UUID */
  id: string;
}

/** @param keys of effects that create receivables @returns by {@link keyOf}; a key that was not applied is left out */
export async function findBookedCustomers(
  tx: Transaction,
  keys: readonly EffectKey[],
): Promise<Map<string, BookedCustomer>> {
  if (keys.length === 0) return new Map();
  const found = await queryInTransaction<EffectKey & BookedCustomer>(
    tx,
    `select e.organization_id as "organizationId", e.key, s.stakeholder_id::text as id
    from ${rowsOf('organization_id uuid, key text')} r
    join effect e on e.organization_id = r.organization_id and e.key = r.key
    join schedule s on s.id = (e.output ->> 'id')::uuid
    where e.operation = 'credit-schedule.create' and e.state = 'applied'`,
    [uuidArray(keys.map(({ organizationId }) => organizationId)), textArray(keys.map(({ key }) => key))],
  );
  return new Map(found.map(({ id, ...name }) => [keyOf(name), { id }]));
}

/**
 * Gives a customer that has no document the one that came later, unless another customer has it.
 * @returns `same`: it had it before, or who it was has been erased, and stays so; `other`: it has another one; `taken`: it has none, and another customer has it
 */
export async function fillInDocument(
  tx: Transaction,
  organizationId: string,
  customerId: string,
  { number, type }: TaxDocument,
): Promise<'same' | 'filled-in' | 'other' | 'taken'> {
  const filled = await queryInTransaction<{ id: string }>(
    tx,
    `update stakeholder c set document = $3::text, document_type = $4::text
    where c.organization_id = $1::uuid and c.id = $2::uuid and c.document is null and c.erased_at is null
      and not exists (select from stakeholder o
        where o.organization_id = $1::uuid and o.kind = c.kind and o.document = $3::text)
    returning c.id::text as id`,
    [organizationId, customerId, number, type],
  );
  if (filled.length > 0) return 'filled-in';
  const [kept] = await queryInTransaction<{ document: string | null; isErased: boolean }>(
    tx,
    'select document, erased_at is not null as "isErased" from stakeholder where organization_id = $1::uuid and id = $2::uuid',
    [organizationId, customerId],
  );
  if (kept?.document === number || kept?.isErased === true) return 'same';
  return kept?.document == null ? 'taken' : 'other';
}

/** What a person must look at where an order's customer is not whom a later event of it names. */
export function customerDiffers(why: string): Attention[] {
  const detail = `the order is booked for a customer already, and nothing was changed: ${why}`;
  return [{ code: 'customer-differs', detail, amount: '0' }];
}
