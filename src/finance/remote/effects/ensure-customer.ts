import { Injectable } from '@nestjs/common';
import { Problem } from '../../../kernel/problem';
import type { FinanceConnection } from '../client/connection';
import type { RemoteProblem } from '../client/finance-client';
import { readCustomer } from '../../api/effects/customer-ensure';
import type { EffectResult } from '../../api/effects/effect';
import type { CallContent } from '../calls/call';
import { Calls } from '../calls/calls';
import { bareDocument, RemoteReads } from '../reads/remote-reads';
import { nameOf, type RemoteEffect, type RemoteEffectHandler, stalled, undecided } from './remote-effect';

const CONFLICT = 409;

/** Where single customers are, in services that have them and name no listing. */
const CUSTOMERS = '/customers';

/**
 * Creates a customer (operation 1). One that is there already is found where the service refuses a second one
 * with the same document, or where it has a listing of customers.
 */
@Injectable()
export class EnsureCustomerRemotely implements RemoteEffectHandler<'customer.ensure'> {
  constructor(
    private readonly calls: Calls,
    private readonly reads: RemoteReads,
  ) {}

  async advance(effect: RemoteEffect<'customer.ensure'>): Promise<EffectResult> {
    const { connection, input, deliveryId } = effect;
    const { name, email, phone, document, details } = readCustomer(input);
    const body = {
      name,
      email,
      phone,
      ...(document ? { document: { number: document.number } } : {}),
      ...details,
    };
    const id = await this.registered(effect, document?.number);
    if (id !== undefined) return found(id);
    const content: CallContent = { operation: 'customers.create', body };
    const result = await this.calls.make(connection, nameOf(effect), content, { deliveryId });
    if (result.state === 'applied') return { state: 'applied', output: result.output, attention: [] };
    if (result.state !== 'rejected' || result.problem.status !== CONFLICT || !document)
      return stalled(result);
    const first = await this.firstOf(connection, document.number, result.problem);
    if (first !== undefined) return found(first);
    return connection.uniqueDocuments ? this.leftToPerson(effect) : stalled(result);
  }

  /**
   * The customer with the same document that a conflict is about: one that is listed with it, or one that the refusal
   * names and that has it when it is read back. Where a service has neither a listing nor single customers, the
   * documented member `customerId` is believed.
   * @throws Unreadable
   */
  private async firstOf(
    connection: FinanceConnection,
    document: string,
    { members, named = [] }: RemoteProblem,
  ): Promise<string | undefined> {
    const { customerListing } = connection;
    if (customerListing !== undefined) {
      const filtered = await this.reads.customersByDocument(connection, customerListing, document);
      // A filter that means something else to the service must not make it look empty.
      const listed =
        filtered.length > 0
          ? filtered
          : await this.reads.customersByDocument(connection, customerListing, document, 'whole');
      const [only, ...others] = listed;
      if (others.length > 0) return named.find((id) => listed.includes(id));
      if (only !== undefined) return only;
    }
    const documented = typeof members?.['customerId'] === 'string' ? members['customerId'].toLowerCase() : '';
    for (const id of named) {
      const own = await this.reads.documentOfCustomer(connection, customerListing ?? CUSTOMERS, id);
      if (own === bareDocument(document)) return id;
      if (own === undefined && documented === id && customerListing === undefined) return id;
    }
    return undefined;
  }

  /** There is a customer, and nothing says which: a person names it. */
  private async leftToPerson(effect: RemoteEffect<'customer.ensure'>): Promise<EffectResult> {
    const reason =
      'the finance service has a customer with this document already and does not say which: adopt it by its identifier';
    await this.calls.leaveToPerson(nameOf(effect), reason);
    return undecided(reason);
  }

  /**
   * Who is listed already; read only before a call is made.
   * @throws Problem when the service has several customers with the document
   */
  private async registered(
    { connection, organization, key }: RemoteEffect<'customer.ensure'>,
    document: string | undefined,
  ): Promise<string | undefined> {
    const { customerListing } = connection;
    if (customerListing === undefined || document === undefined) return undefined;
    if ((await this.calls.planned(organization.id, key)).length > 0) return undefined;
    const [id, ...others] = await this.reads.customersByDocument(connection, customerListing, document);
    if (others.length === 0) return id;
    throw new Problem('conflict', 'the finance service has more than one customer with this document');
  }
}

function found(id: string): EffectResult {
  return { state: 'existing', output: { id }, attention: [] };
}
