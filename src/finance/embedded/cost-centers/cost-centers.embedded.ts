import { Injectable } from '@nestjs/common';
import { isUniqueViolation } from '../../../database/unique-violation';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { mustBePaths, notFound, pathId } from '../../api/ports/not-found';
import { EmbeddedBooks } from '../embedded-books.embedded';
import { costCenters } from '../lists/cost-center-list.sql';
import type { CostCenterShape, CostCenterView } from '../../api/shapes/cost-centers.dto';
import { CostCentersPort } from '../../api/ports/cost-centers.port';

@Injectable()
export class CostCentersEmbedded extends CostCentersPort {
  constructor(private readonly books: EmbeddedBooks) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<CostCenterView>> {
    return this.books.list(organization, costCenters(organization), list);
  }

  override get(organization: Organization, costCenterId: string): Promise<CostCenterView> {
    return this.books.get(organization, costCenters(organization), costCenterId, 'cost center');
  }

  override async update(
    organization: Organization,
    costCenterId: string,
    body: CostCenterShape,
  ): Promise<void> {
    const id = pathId(costCenterId, 'cost center');
    mustBePaths('costCenterId', body, id, 'cost center');
    const { description, externalCode } = body;
    const where = { id, organizationId: organization.id, deletedAt: null };
    try {
      await this.books.write(organization, async (tx, announce) => {
        // The identifier is set to itself because an update of nothing would count no record.
        const { count } = await tx.costCenter.updateMany({ where, data: { id, description, externalCode } });
        if (count === 0) throw notFound('cost center');
        await announce([{ type: 'cost-center.updated', id }]);
      });
    } catch (error) {
      if (isUniqueViolation(error))
        throw new Problem('conflict', 'another cost center has this externalCode');
      throw error;
    }
  }
}
