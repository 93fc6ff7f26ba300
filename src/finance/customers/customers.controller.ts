import { Controller, Post } from '@nestjs/common';
import { KeyedApi } from '../../http/api';
import { CurrentOrganization } from '../../http/caller';
import { JsonBody } from '../../http/json-body';
import type { Organization } from '../../kernel/organization';
import { Serves } from '../operation.decorator';
import { CustomerShape } from './customers.dto';
import { CustomersPort } from './customers.port';

@KeyedApi('Customers')
@Controller('v1/customers')
export class CustomersController {
  constructor(private readonly customers: CustomersPort) {}

  @Post(['', 'FormatType=json'])
  @Serves('customers.create', 'Register a customer')
  create(
    @CurrentOrganization() organization: Organization,
    @JsonBody(CustomerShape) customer: CustomerShape,
  ): Promise<string> {
    return this.customers.create(organization, customer);
  }
}
