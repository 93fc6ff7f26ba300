import { Injectable } from '@nestjs/common';
import { newId } from '../../kernel/identifier';
import { Clock } from '../../kernel/clock';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import { announceOwn } from '../changes/announce';
import { isRefused, single } from '../outcome';
import { Writes } from '../writes';
import { readDocument, type NewCustomer } from './customer';
import type { CustomerShape } from './customers.dto';
import { CustomersPort } from './customers.port';
import { ensureCustomers } from './customers.repository';

@Injectable()
export class CustomersEmbedded extends CustomersPort {
  constructor(
    private readonly writes: Writes,
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
