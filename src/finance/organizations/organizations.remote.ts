import { Injectable } from '@nestjs/common';
import type { Organization } from '../../kernel/organization';
import { RemoteFront } from '../remote/front';
import type { ListPart, ListRequest } from '../shapes/lists.dto';
import type { OrganizationView } from './organizations.dto';
import { OrganizationsPort } from './organizations.port';

/** Organizations of a remote finance service. */
@Injectable()
export class OrganizationsRemote extends OrganizationsPort {
  constructor(private readonly front: RemoteFront) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<OrganizationView>> {
    return this.front.page(organization, 'organizations.list', list);
  }
}
