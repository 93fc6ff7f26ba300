import type { Transaction } from '../../../database/transaction';
import { queryInTransaction } from '../../../database/transaction-statements';
import { textArray, uuidArray } from '../../../database/binary-array';
import type { Organization } from '../../../kernel/organization';
import { type Problem, unacceptable } from '../../../kernel/problem';
import { called, type Outcome } from '../../api/ports/outcome';
import { recordName } from '../../api/ports/record-name';

/** Whom a movement may concern, with the words for it. */
export const STAKEHOLDERS = {
  payer: { kinds: ['customer', 'partner'], called: 'customer or partner' },
  payee: { kinds: ['supplier', 'partner'], called: 'supplier or partner' },
  anyone: { kinds: ['customer', 'supplier', 'partner'], called: 'stakeholder' },
} as const;

/** As the statement takes them. */
const KINDS: Readonly<Record<keyof typeof STAKEHOLDERS, string>> = {
  payer: STAKEHOLDERS.payer.kinds.join(),
  payee: STAKEHOLDERS.payee.kinds.join(),
  anyone: STAKEHOLDERS.anyone.kinds.join(),
};

/** The records that something on its way to the books names. */
export interface NamedRecords {
  organization: Organization;
  /** UUID */
  stakeholderId?: string;
  stakeholder: keyof typeof STAKEHOLDERS;
  /** UUID or reference code. */
  category?: string;
  /** Whether the category must be for money that comes in or goes out. */
  categoryType: 'in' | 'out';
  /** UUID or external code. */
  costCenter?: string;
}

/** UUIDs; null where nothing was named. */
export interface FoundRecords {
  stakeholderId: string | null;
  categoryId: string | null;
  costCenterId: string | null;
}

interface FoundRow extends FoundRecords {
  categoryType: string | null;
}

/**
 * Looks up what is named; deleted records are not found. One statement, whatever the number of names.
 * @returns in the order given; a problem with `/stakeholderId`, `/categoryId` or `/costCenterId` where a name
 *   names nothing, or a category of the other type
 */
export async function findNamedRecords(
  tx: Transaction,
  names: readonly NamedRecords[],
): Promise<Outcome<FoundRecords>[]> {
  if (names.length === 0) return [];
  const found = await findRows(tx, names);
  return names.map((named, index) => checked(named, found[index]));
}

function findRows(tx: Transaction, names: readonly NamedRecords[]): Promise<FoundRow[]> {
  const categories = names.map(({ category }) => recordName(category));
  const costCenters = names.map(({ costCenter }) => recordName(costCenter));
  return queryInTransaction<FoundRow>(
    tx,
    `select s.id as "stakeholderId", coalesce(c.id, d.id) as "categoryId",
      coalesce(c.type, d.type) as "categoryType", coalesce(e.id, f.id) as "costCenterId"
    from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::uuid[], $7::text[]) with ordinality
      as r(organization_id, stakeholder_id, stakeholder_kinds, category_id, category_code, cost_center_id,
        cost_center_code, position)
    left join stakeholder s on s.id = r.stakeholder_id and s.organization_id = r.organization_id
      and s.kind::text = any(string_to_array(r.stakeholder_kinds, ',')) and s.deleted_at is null
    left join category c on c.id = r.category_id and c.organization_id = r.organization_id
      and c.deleted_at is null
    left join category d on d.reference_code = r.category_code and d.organization_id = r.organization_id
      and d.deleted_at is null
    left join cost_center e on e.id = r.cost_center_id and e.organization_id = r.organization_id
      and e.deleted_at is null
    left join cost_center f on f.external_code = r.cost_center_code and f.organization_id = r.organization_id
      and f.deleted_at is null
    order by r.position`,
    [
      uuidArray(names.map(({ organization }) => organization.id)),
      uuidArray(names.map(({ stakeholderId }) => recordName(stakeholderId).id)),
      textArray(names.map(({ stakeholder }) => KINDS[stakeholder])),
      uuidArray(categories.map(({ id }) => id)),
      textArray(categories.map(({ code }) => code)),
      uuidArray(costCenters.map(({ id }) => id)),
      textArray(costCenters.map(({ code }) => code)),
    ],
  );
}

function checked(named: NamedRecords, found: FoundRow | undefined): FoundRecords | Problem {
  if (!found) throw new Error('a look-up returned fewer rows than were asked for');
  const { category, costCenter } = named;
  const { stakeholderId, categoryId, categoryType, costCenterId } = found;
  if (named.stakeholderId !== undefined && stakeholderId === null) {
    const what = STAKEHOLDERS[named.stakeholder].called;
    return unacceptable('/stakeholderId', 'unknown', `there is ${called(what, named.stakeholderId)}`);
  }
  if (category !== undefined && categoryId === null) {
    return unacceptable('/categoryId', 'unknown', `there is ${called('category', category)}`);
  }
  if (categoryId !== null && categoryType !== named.categoryType) {
    const direction = categoryType === 'in' ? 'comes in' : 'goes out';
    return unacceptable('/categoryId', 'category-type', `the category is for money that ${direction}`);
  }
  if (costCenter !== undefined && costCenterId === null) {
    return unacceptable('/costCenterId', 'unknown', `there is ${called('cost center', costCenter)}`);
  }
  return { stakeholderId, categoryId, costCenterId };
}
