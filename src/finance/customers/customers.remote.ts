import { Injectable } from '@nestjs/common';
import type { Organization } from '../../kernel/organization';
import { RemoteFront } from '../remote/front';
import type { CustomerShape } from './customers.dto';
import { CustomersPort } from './customers.port';

/** Customers of a remote finance service. */
@Injectable()
export class CustomersRemote extends CustomersPort {
  constructor(private readonly front: RemoteFront) {
    super();
  }

  override create(organization: Organization, customer: CustomerShape): Promise<string> {
    return this.front.create(organization, 'customers.create', customer);
  }
}
