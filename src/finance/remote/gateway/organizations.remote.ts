import { Injectable } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import { RemoteFinanceGateway } from './remote-finance-gateway';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import type { OrganizationView } from '../../api/shapes/organizations.dto';
import { OrganizationsPort } from '../../api/ports/organizations.port';

/** Organizations of a remote finance service. */
@Injectable()
export class OrganizationsRemote extends OrganizationsPort {
  constructor(private readonly gateway: RemoteFinanceGateway) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<OrganizationView>> {
    return this.gateway.page(organization, 'organizations.list', list);
  }
}
