import { Injectable } from '@nestjs/common';
import type { Organization } from '../../../kernel/organization';
import { pathId } from '../../api/ports/not-found';
import { RemoteFinanceGateway } from './remote-finance-gateway';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import type { CustomerShape, CustomerUpdateShape, CustomerView } from '../../api/shapes/customers.dto';
import { CustomersPort } from '../../api/ports/customers.port';

/** Customers of a remote finance service. */
@Injectable()
export class CustomersRemote extends CustomersPort {
  constructor(private readonly gateway: RemoteFinanceGateway) {
    super();
  }

  override create(organization: Organization, customer: CustomerShape): Promise<string> {
    return this.gateway.create(organization, 'customers.create', customer);
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<CustomerView>> {
    return this.gateway.page(organization, 'customers.list', list);
  }

  override async get(organization: Organization, customerId: string): Promise<CustomerView> {
    return this.gateway.record(organization, 'customers.get', { CustomerId: pathId(customerId, 'customer') });
  }

  override async update(
    organization: Organization,
    customerId: string,
    body: CustomerUpdateShape,
  ): Promise<void> {
    const path = { CustomerId: pathId(customerId, 'customer') };
    return this.gateway.change(organization, 'customers.update', path, body);
  }
}
