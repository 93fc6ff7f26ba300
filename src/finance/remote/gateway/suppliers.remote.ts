import { Injectable } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import { RemoteFinanceGateway } from './remote-finance-gateway';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import type { SupplierView } from '../../api/shapes/suppliers.dto';
import { SuppliersPort } from '../../api/ports/suppliers.port';

/** Suppliers of a remote finance service. */
@Injectable()
export class SuppliersRemote extends SuppliersPort {
  constructor(private readonly gateway: RemoteFinanceGateway) {
    super();
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<SupplierView>> {
    return this.gateway.page(organization, 'suppliers.list', list);
  }
}
