import { Controller, Get, Param, Post, Put } from '@nestjs/common';
import { KeyedApi } from '../../../http/api';
import { CurrentOrganization } from '../../../http/caller';
import { JsonBody } from '../../../http/json-body';
import type { Page, PageRequest } from '../../../http/paging';
import type { Organization } from '../../../kernel/organization';
import { Listing, pageOf } from '../operations/listing';
import { FinanceOperation } from '../operations/operation.decorator';
import { CustomerShape, CustomerUpdateShape, CustomerView } from '../shapes/customers.dto';
import { CustomersPort } from '../ports/customers.port';

@KeyedApi('Customers')
@Controller('v1/customers')
export class CustomersController {
  constructor(private readonly customers: CustomersPort) {}

  @Post(['', 'FormatType=json'])
  @FinanceOperation('customers.create', 'Register a customer')
  create(
    @CurrentOrganization() organization: Organization,
    @JsonBody(CustomerShape) customer: CustomerShape,
  ): Promise<string> {
    return this.customers.create(organization, customer);
  }

  @Get()
  @FinanceOperation('customers.list', 'List customers', CustomerView)
  async list(
    @CurrentOrganization() organization: Organization,
    @Listing() list: PageRequest,
  ): Promise<Page<CustomerView>> {
    return pageOf(await this.customers.list(organization, list), list);
  }

  @Get(':customerId')
  @FinanceOperation('customers.get', 'Read a customer', CustomerView)
  get(
    @CurrentOrganization() organization: Organization,
    @Param('customerId') customerId: string,
  ): Promise<CustomerView> {
    return this.customers.get(organization, customerId);
  }

  @Put(':customerId')
  @FinanceOperation('customers.update', 'Change a customer')
  update(
    @CurrentOrganization() organization: Organization,
    @Param('customerId') customerId: string,
    @JsonBody(CustomerUpdateShape) body: CustomerUpdateShape,
  ): Promise<void> {
    return this.customers.update(organization, customerId, body);
  }
}
