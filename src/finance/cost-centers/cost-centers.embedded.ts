import { Injectable } from '@nestjs/common';
import { Prisma } from '../../database/client/client';
import { Database } from '../../database/database';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import { notFound, pathId } from '../not-found';
import { unacceptable } from '../outcome';
import type { CostCenterShape, CostCenterView } from './cost-centers.dto';
import { CostCentersPort } from './cost-centers.port';

/** Prisma's code for a broken unique constraint. */
const UNIQUE_VIOLATION = 'P2002';

@Injectable()
export class CostCentersEmbedded extends CostCentersPort {
  constructor(private readonly database: Database) {
    super();
  }

  override async list(organization: Organization, list: ListRequest): Promise<ListPart<CostCenterView>> {
    const where = { organizationId: organization.id, deletedAt: null };
    const { costCenter } = this.database.prisma;
    const rows = await costCenter.findMany({
      where,
      orderBy: { id: 'asc' },
      take: list.top,
      skip: list.skip,
    });
    const items = rows.map(({ id, description, externalCode }) => ({
      costCenterId: id,
      description,
      ...(externalCode !== null && { externalCode }),
    }));
    return { items, count: await costCenter.count({ where }) };
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
    if (body.description === null)
      throw unacceptable('/description', 'required', 'the description cannot be cleared');
    const { description, externalCode } = body;
    const changed = await this.write(organization, id, { description, externalCode });
    if (changed === 0) throw notFound('cost center');
  }

  private async write(
    organization: Organization,
    id: string,
    data: { description?: string; externalCode?: string | null },
  ): Promise<number> {
    const where = { id, organizationId: organization.id, deletedAt: null };
    try {
      const { count } = await this.database.prisma.costCenter.updateMany({ where, data });
      return count;
    } catch (error) {
      if (error instanceof Prisma.PrismaClientKnownRequestError && error.code === UNIQUE_VIOLATION) {
        throw new Problem('conflict', 'another cost center has this externalCode');
      }
      throw error;
    }
  }
}
