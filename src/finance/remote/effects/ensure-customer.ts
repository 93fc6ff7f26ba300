import { Injectable } from '@nestjs/common';
import { isUuid } from '../../../kernel/identifier';
import { Problem } from '../../../kernel/problem';
import { readCustomer } from '../../effects/ensure-customer';
import type { CallContent, CallResult } from '../call';
import { Calls } from '../calls';
import { RemoteReads } from '../remote-reads';
import { nameOf, type Progress, type RemoteEffect, type RemoteEffectHandler, stalled } from './remote-effect';

/**
 * Creates a customer (operation 1). One that is there already is found where the service refuses a second one
 * with the same document and names the first, or where it has a listing of customers.
 */
@Injectable()
export class EnsureCustomerRemotely implements RemoteEffectHandler<'customer.ensure'> {
  constructor(
    private readonly calls: Calls,
    private readonly reads: RemoteReads,
  ) {}

  async advance(effect: RemoteEffect<'customer.ensure'>): Promise<Progress> {
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
    const first = firstOf(result);
    if (first !== undefined) return found(first);
    return result.state === 'applied'
      ? { state: 'done', output: result.output, attention: [] }
      : stalled(result);
  }

  /**
   * Who is listed already; looked for only before a call is made.
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

function found(id: string): Progress {
  return { state: 'done', output: { id }, attention: [], found: true };
}

/** The customer with the same document that a refusal names. */
function firstOf(result: CallResult): string | undefined {
  if (result.state !== 'refused' || result.problem.status !== 409) return undefined;
  const id = result.problem.members?.['customerId'];
  return typeof id === 'string' && isUuid(id) ? id.toLowerCase() : undefined;
}
