import type { Transaction } from '../../../database/transaction';
import { queryInTransaction } from '../../../database/transaction-statements';
import type { Organization } from '../../../kernel/organization';
import type { WantedSupplier } from '../../api/effects/supplier-find';

/** Most that are read of those with one name: more than one is too many already. */
const MOST = 2;

/**
 * Suppliers and partners by document or exact name; deleted ones are not found. One statement, whatever the number.
 * @returns UUIDs in the order given, at most two each
 */
export async function findSuppliers(
  tx: Transaction,
  wanted: readonly { organization: Organization; by: WantedSupplier }[],
): Promise<string[][]> {
  if (wanted.length === 0) return [];
  const found = await queryInTransaction<{ ids: string[] }>(
    tx,
    `select coalesce(s.ids, '{}') as ids
    from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as r(organization_id, document, name, position)
    left join lateral (
      select array_agg(one.id::text) as ids from (
        select id from stakeholder
        where organization_id = r.organization_id and kind in ('supplier', 'partner') and deleted_at is null
          and (document = r.document or r.document is null and name = r.name)
        order by id limit ${MOST}
      ) one
    ) s on true
    order by r.position`,
    [
      wanted.map(({ organization }) => organization.id),
      wanted.map(({ by }) => ('document' in by ? by.document : null)),
      wanted.map(({ by }) => ('name' in by ? by.name : null)),
    ],
  );
  return found.map(({ ids }) => ids);
}
