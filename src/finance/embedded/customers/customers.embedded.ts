import { Injectable } from '@nestjs/common';
import { isUniqueViolation } from '../../../database/unique-violation';
import { newId } from '../../../kernel/identifier';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import { pathId } from '../../api/ports/not-found';
import { isRefused, single } from '../../api/ports/outcome';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { EmbeddedBooks } from '../embedded-books.embedded';
import { customers, payers } from '../lists/supplier-list.sql';
import { readDocument } from '../../api/effects/tax-document';
import type { NewCustomer } from './customer';
import type { CustomerShape, CustomerUpdateShape, CustomerView } from '../../api/shapes/customers.dto';
import { CustomersPort } from '../../api/ports/customers.port';
import { updateCustomer } from './customer-update.repository';
import { ensureCustomers } from './customers.repository';

@Injectable()
export class CustomersEmbedded extends CustomersPort {
  constructor(private readonly books: EmbeddedBooks) {
    super();
  }

  override async create(organization: Organization, shape: CustomerShape): Promise<string> {
    const customer = toNewCustomer(organization, shape);
    return this.books.write(organization, async (tx, announce) => {
      const { id, created } = single(await ensureCustomers(tx, [customer]));
      if (created) {
        await announce([{ type: 'customer.created', id }]);
        return id;
      }
      throw new Problem('customer-exists', 'a customer with this document is registered already', {
        members: { customerId: id },
      });
    });
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<CustomerView>> {
    return this.books.list(organization, customers(organization), list);
  }

  override get(organization: Organization, customerId: string): Promise<CustomerView> {
    return this.books.get(organization, payers(organization), customerId, 'customer');
  }

  override async update(
    organization: Organization,
    customerId: string,
    body: CustomerUpdateShape,
  ): Promise<void> {
    const id = pathId(customerId, 'customer');
    try {
      await this.books.write(organization, async (tx, announce) => {
        await updateCustomer(tx, organization, id, body);
        await announce([{ type: 'customer.updated', id }]);
      });
    } catch (error) {
      if (isUniqueViolation(error))
        throw new Problem('customer-exists', 'another customer was just given this document');
      throw error;
    }
  }
}

function toNewCustomer(organization: Organization, shape: CustomerShape): NewCustomer {
  const { communication, address, bankAccountInformation, companyInformation } = shape;
  const number = shape.document?.number;
  const document = number ? readDocument(number, address?.country) : undefined;
  if (isRefused(document)) throw document;
  return {
    id: newId(),
    organization,
    name: shape.name,
    email: shape.email ?? undefined,
    phone: shape.phone ?? undefined,
    document,
    details: { communication, address, bankAccountInformation, companyInformation },
  };
}
