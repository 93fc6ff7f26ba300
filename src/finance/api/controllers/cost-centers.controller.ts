import { Controller, Get, Param, Put } from '@nestjs/common';
import { KeyedApi } from '../../../http/api';
import { CurrentOrganization } from '../../../http/caller';
import { JsonBody } from '../../../http/json-body';
import type { Page, PageRequest } from '../../../http/paging';
import type { Organization } from '../../../kernel/organization';
import { Listing, pageOf } from '../operations/listing';
import { FinanceOperation } from '../operations/operation.decorator';
import { CostCenterShape, CostCenterView } from '../shapes/cost-centers.dto';
import { CostCentersPort } from '../ports/cost-centers.port';

@KeyedApi('Cost centers')
@Controller('v1/costcenters')
export class CostCentersController {
  constructor(private readonly costCenters: CostCentersPort) {}

  @Get()
  @FinanceOperation('costCenters.list', 'List cost centers', CostCenterView)
  async list(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<CostCenterView>> {
    return pageOf(await this.costCenters.list(organization, list), list);
  }

  @Get(':costCenterId')
  @FinanceOperation('costCenters.get', 'Read a cost center', CostCenterView)
  get(
    @CurrentOrganization() organization: Organization,
    @Param('costCenterId') costCenterId: string,
  ): Promise<CostCenterView> {
    return this.costCenters.get(organization, costCenterId);
  }

  @Put(':costCenterId')
  @FinanceOperation('costCenters.update', 'Change a cost center')
  update(
    @CurrentOrganization() organization: Organization,
    @Param('costCenterId') costCenterId: string,
    @JsonBody(CostCenterShape) body: CostCenterShape,
  ): Promise<void> {
    return this.costCenters.update(organization, costCenterId, body);
  }
}
