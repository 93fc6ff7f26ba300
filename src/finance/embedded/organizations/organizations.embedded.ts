import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { Organization } from '../../../kernel/organization';
import { readList } from '../lists/list.repository';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { organizations } from '../lists/organization-list.sql';
import type { OrganizationView } from '../../api/shapes/organizations.dto';
import { OrganizationsPort } from '../../api/ports/organizations.port';

@Injectable()
export class OrganizationsEmbedded extends OrganizationsPort {
  constructor(private readonly database: Database) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<OrganizationView>> {
    return readList(this.database.prisma, organization, organizations(organization), list);
  }
}
