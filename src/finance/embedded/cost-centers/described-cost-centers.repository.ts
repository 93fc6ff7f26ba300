import type { Transaction } from '../../../database/transaction';
import { queryInTransaction } from '../../../database/transaction-statements';
import type { Organization } from '../../../kernel/organization';
import { isRefused, type Outcome } from '../../api/ports/outcome';
import { noteNewest, type SaidField } from '../../effects/followed-fields.repository';
import { findNamedRecords } from '../names/named-records.repository';

/** What an event says of a cost center. */
export interface Description {
  organization: Organization;
  /** UUID or external code. */
  costCenter: string;
  description: string;
  asOf: Date;
}

export interface Described {
  /** UUID of the cost center. */
  id: string;
  /** Whether its description was changed. */
  changed: boolean;
}

/**
 * Describes cost centers of any organizations as the newest event has it. The number of statements does not grow with
 * that of the descriptions.
 * @returns in the order given; `validation-failed` for a cost center that is not there
 */
export async function describeCostCenters(
  tx: Transaction,
  descriptions: readonly Description[],
): Promise<Outcome<Described>[]> {
  const named = await findNamedRecords(
    tx,
    descriptions.map(({ organization, costCenter }) => ({
      ...{ organization, costCenter },
      ...{ stakeholder: 'anyone' as const, categoryType: 'out' as const },
    })),
  );
  const ids = named.map((found) => (isRefused(found) ? undefined : (found.costCenterId ?? undefined)));
  const before = await lockDescriptions(
    tx,
    ids.flatMap((id) => id ?? []),
  );
  const said = descriptions.flatMap(({ organization, description: value, asOf }, index): SaidField[] => {
    const recordId = ids[index];
    return recordId === undefined
      ? []
      : [{ organizationId: organization.id, recordId, field: 'description', asOf, value }];
  });
  const noted = await noteNewest(tx, said);
  const changed = [...noted.values()].filter(({ recordId, value }) => before.get(recordId) !== value);
  await describe(tx, changed);
  return named.map((found, index) => {
    const id = ids[index];
    if (isRefused(found)) return found;
    if (id === undefined) throw new Error('a cost center that is named was neither found nor refused');
    const own = changed.find(({ recordId }) => recordId === id);
    const description = descriptions[index];
    const isOwn = own?.value === description?.description && own?.asOf === description?.asOf;
    return { id, changed: own !== undefined && isOwn };
  });
}

/** Descriptions by UUID; the rows are locked until the transaction ends, in one order everywhere. */
async function lockDescriptions(tx: Transaction, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await queryInTransaction<{ id: string; description: string }>(
    tx,
    `select id::text as id, description from cost_center where id = any($1::uuid[]) order by id
    for no key update`,
    [ids],
  );
  return new Map(rows.map(({ id, description }) => [id, description]));
}

async function describe(tx: Transaction, changed: readonly SaidField[]): Promise<void> {
  if (changed.length === 0) return;
  await queryInTransaction(
    tx,
    `update cost_center c set description = r.description
    from unnest($1::uuid[], $2::text[]) as r(id, description) where c.id = r.id`,
    [changed.map(({ recordId }) => recordId), changed.map(({ value }) => value)],
  );
}
