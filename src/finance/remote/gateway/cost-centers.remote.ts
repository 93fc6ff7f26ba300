import { Injectable } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import { pathId } from '../../api/ports/not-found';
import { RemoteFinanceGateway } from './remote-finance-gateway';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import type { CostCenterShape, CostCenterView } from '../../api/shapes/cost-centers.dto';
import { CostCentersPort } from '../../api/ports/cost-centers.port';

/** Cost centers of a remote finance service. */
@Injectable()
export class CostCentersRemote extends CostCentersPort {
  constructor(private readonly gateway: RemoteFinanceGateway) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<CostCenterView>> {
    return this.gateway.page(organization, 'costCenters.list', list);
  }

  override async get(organization: Organization, costCenterId: string): Promise<CostCenterView> {
    const path = { CostCenterId: pathId(costCenterId, 'cost center') };
    return this.gateway.record(organization, 'costCenters.get', path);
  }

  override async update(
    organization: Organization,
    costCenterId: string,
    body: CostCenterShape,
  ): Promise<void> {
    const path = { CostCenterId: pathId(costCenterId, 'cost center') };
    return this.gateway.change(organization, 'costCenters.update', path, body);
  }
}
