import { Injectable } from '@nestjs/common';
import { Database } from '../../../database/database';
import { isUniqueViolation } from '../../../database/unique-violation';
import { newId } from '../../../kernel/identifier';
import { Clock } from '../../../kernel/clock';
import type { Organization } from '../../../kernel/organization';
import { Problem } from '../../../kernel/problem';
import { announceOwn } from '../changes/announce';
import { one, readFirst, readList } from '../lists/list.repository';
import { notFound, pathId } from '../../api/ports/not-found';
import { isRefused, single } from '../../api/ports/outcome';
import type { ListPart, ListRequest } from '../../api/shapes/lists.dto';
import { customers, payers } from '../lists/supplier-list.sql';
import { IdempotentTransaction } from '../idempotency/idempotent-transaction';
import { readDocument } from '../../api/effects/tax-document';
import type { NewCustomer } from './customer';
import type { CustomerShape, CustomerUpdateShape, CustomerView } from '../../api/shapes/customers.dto';
import { CustomersPort } from '../../api/ports/customers.port';
import { updateCustomer } from './customer-update.repository';
import { ensureCustomers } from './customers.repository';

@Injectable()
export class CustomersEmbedded extends CustomersPort {
  constructor(
    private readonly database: Database,
    private readonly writes: IdempotentTransaction,
    private readonly clock: Clock,
  ) {
    super();
  }

  override async create(organization: Organization, shape: CustomerShape): Promise<string> {
    const customer = toNewCustomer(organization, shape);
    return this.writes.transaction(async (tx) => {
      const { id, created } = single(await ensureCustomers(tx, [customer]));
      if (created) {
        await announceOwn(tx, organization, [{ type: 'customer.created', id }], this.clock.now());
        return id;
      }
      throw new Problem('customer-exists', 'a customer with this document is registered already', {
        members: { customerId: id },
      });
    });
  }

  override list(organization: Organization, list: ListRequest): Promise<ListPart<CustomerView>> {
    return readList(this.database.prisma, organization, customers(organization), list);
  }

  override async get(organization: Organization, customerId: string): Promise<CustomerView> {
    const list = one(payers(organization), pathId(customerId, 'customer'));
    const found = await readFirst<CustomerView>(this.database.prisma, organization, list);
    if (!found) throw notFound('customer');
    return found;
  }

  override async update(
    organization: Organization,
    customerId: string,
    body: CustomerUpdateShape,
  ): Promise<void> {
    const id = pathId(customerId, 'customer');
    try {
      await this.writes.transaction(async (tx) => {
        await updateCustomer(tx, organization, id, body);
        await announceOwn(tx, organization, [{ type: 'customer.updated', id }], this.clock.now());
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
