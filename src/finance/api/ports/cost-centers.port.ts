import type { Organization } from '../../../kernel/organization';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type { CostCenterShape, CostCenterView } from '../shapes/cost-centers.dto';

/** What income and expense are reckoned by, besides categories. */
export abstract class CostCentersPort {
  /** Cost centers in the order of their creation, without deleted ones (operation 14). */
  abstract list(organization: Organization, list: ListRequest): Promise<ListPart<CostCenterView>>;

  /** One cost center. An extension. @throws Problem `not-found`, for a deleted one as well */
  abstract get(organization: Organization, costCenterId: string): Promise<CostCenterView>;

  /**
   * Replaces what the body brings (operation 6). Idempotent.
   * @throws Problem `not-found`; `conflict` when another cost center has the external code;
   *   `validation-failed`
   */
  abstract update(organization: Organization, costCenterId: string, body: CostCenterShape): Promise<void>;
}
