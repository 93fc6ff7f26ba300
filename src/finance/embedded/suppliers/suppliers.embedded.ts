import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import type { Organization } from '../../../kernel/organization';
import { readList } from '../lists/list.repository';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { suppliers } from '../lists/supplier-list.sql';
import type { SupplierView } from '../../api/shapes/suppliers.dto';
import { SuppliersPort } from '../../api/ports/suppliers.port';

@Injectable()
export class SuppliersEmbedded extends SuppliersPort {
  constructor(private readonly database: Database) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<SupplierView>> {
    return readList(this.database.prisma, organization, suppliers(organization), list);
  }
}
