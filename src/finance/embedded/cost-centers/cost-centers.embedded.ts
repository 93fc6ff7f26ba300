import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { isUniqueViolation } from '../../../database/unique-violation';
import { Clock } from '../../../kernel/clock';
import type { Organization } from '../../../kernel/organization';
import { Problem, unacceptable } from '../../../kernel/problem';
import { announceOwn } from '../changes/announce';
import { one, readFirst, readList } from '../lists/list.repository';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { notFound, pathId } from '../../api/ports/not-found';
import { costCenters } from '../lists/cost-center-list.sql';
import { IdempotentTransaction } from '../idempotency/idempotent-transaction';
import type { CostCenterShape, CostCenterView } from '../../api/shapes/cost-centers.dto';
import { CostCentersPort } from '../../api/ports/cost-centers.port';

@Injectable()
export class CostCentersEmbedded extends CostCentersPort {
  constructor(
    private readonly database: Database,
    private readonly writes: IdempotentTransaction,
    private readonly clock: Clock,
  ) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<CostCenterView>> {
    return readList(this.database.prisma, organization, costCenters(organization), list);
  }

  override async get(organization: Organization, costCenterId: string): Promise<CostCenterView> {
    const list = one(costCenters(organization), pathId(costCenterId, 'cost center'));
    const found = await readFirst<CostCenterView>(this.database.prisma, organization, list);
    if (!found) throw notFound('cost center');
    return found;
  }

  override async update(
    organization: Organization,
    costCenterId: string,
    body: CostCenterShape,
  ): Promise<void> {
    const id = pathId(costCenterId, 'cost center');
    if (body.costCenterId && body.costCenterId !== id) {
      throw unacceptable('/costCenterId', 'path', 'the cost center is not the one of the path');
    }
    const { description, externalCode } = body;
    await this.write(organization, id, { description, externalCode });
  }

  private async write(
    organization: Organization,
    id: string,
    data: { description?: string; externalCode?: string | null },
  ): Promise<void> {
    const where = { id, organizationId: organization.id, deletedAt: null };
    try {
      await this.writes.transaction(async (tx) => {
        // The identifier is set to itself because an update of nothing would count no record.
        const { count } = await tx.costCenter.updateMany({ where, data: { id, ...data } });
        if (count === 0) throw notFound('cost center');
        await announceOwn(tx, organization, [{ type: 'cost-center.updated', id }], this.clock.now());
      });
    } catch (error) {
      if (isUniqueViolation(error))
        throw new Problem('conflict', 'another cost center has this externalCode');
      throw error;
    }
  }
}
