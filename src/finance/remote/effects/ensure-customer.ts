import { Problem } from '../../../kernel/problem';
import type { RemoteProblem } from '../client/finance-client';
import { type CustomerInput, readCustomer } from '../../api/effects/customer-ensure';
import type { EffectResult } from '../../api/effects/effect';
import type { CallContent } from '../calls/call';
import { bareDocument } from '../reads/remote-reads';
import {
  nameOf,
  type RemoteEffect,
  type RemoteEffectHandler,
  stalled,
  leftToOperator,
  undecided,
} from './remote-effect';

type Effect = RemoteEffect<CustomerInput>;

const CONFLICT = 409;

/** Where single customers are, in services that have them and name no listing. */
const CUSTOMERS = '/customers';

/**
 * Creates a customer (operation 1). One that is there already is found where the service refuses a second one
 * with the same document, or where it has a listing of customers.
 */
export const ensureCustomer: RemoteEffectHandler<CustomerInput> = async (effect) => {
  const { connection, input, deliveryId, tools } = effect;
  const { name, email, phone, document, details } = readCustomer(input);
  const body = {
    name,
    email,
    phone,
    ...(document ? { document: { number: document.number } } : {}),
    ...details,
  };
  const id = await registered(effect, document?.number);
  if (id !== undefined) return found(id);
  const content: CallContent = { operation: 'customers.create', body };
  const result = await tools.calls.make(connection, nameOf(effect), content, { deliveryId });
  if (result.state === 'applied') return { state: 'applied', output: result.output, attention: [] };
  if (result.state !== 'rejected' || result.problem.status !== CONFLICT || !document) return stalled(result);
  const first = await firstOf(effect, document.number, result.problem);
  if (first !== undefined) return found(first);
  return connection.uniqueDocuments ? leftToPerson(effect) : stalled(result);
};

/**
 * The customer with the same document that a conflict is about: one that is listed with it, or one that the refusal
 * names and that has it when it is read back. Where a service has neither a listing nor single customers, the
 * documented member `customerId` is believed.
 * @throws Unreadable
 */
async function firstOf(
  { connection, tools: { reads } }: Effect,
  document: string,
  { members, named = [] }: RemoteProblem,
): Promise<string | undefined> {
  const { customerListing } = connection;
  if (customerListing !== undefined) {
    const listed = await reads.allCustomersByDocument(connection, customerListing, document);
    const [only, ...others] = listed;
    if (others.length > 0) return named.find((id) => listed.includes(id));
    if (only !== undefined) return only;
  }
  const documented = typeof members?.['customerId'] === 'string' ? members['customerId'].toLowerCase() : '';
  for (const id of named) {
    const own = await reads.documentOfCustomer(connection, customerListing ?? CUSTOMERS, id);
    if (own === bareDocument(document)) return id;
    if (own === undefined && documented === id && customerListing === undefined) return id;
  }
  return undefined;
}

/** There is a customer, and nothing says which: a person names it. */
async function leftToPerson(effect: Effect): Promise<EffectResult> {
  const reason =
    'the finance service has a customer with this document already and does not say which: adopt it by its identifier';
  const callId = await effect.tools.calls.leaveToPerson(nameOf(effect), reason);
  return callId === undefined ? undecided(reason) : leftToOperator(callId, reason);
}

/**
 * Who is listed already; read only before a call is made.
 * @throws Problem when the service has several customers with the document
 */
async function registered(
  { connection, organization, key, tools: { calls, reads } }: Effect,
  document: string | undefined,
): Promise<string | undefined> {
  const { customerListing } = connection;
  if (customerListing === undefined || document === undefined) return undefined;
  if ((await calls.planned(organization.id, key)).length > 0) return undefined;
  const [id, ...others] = await reads.customersByDocument(connection, customerListing, document);
  if (others.length === 0) return id;
  throw new Problem('conflict', 'the finance service has more than one customer with this document');
}

function found(id: string): EffectResult {
  return { state: 'existing', output: { id }, attention: [] };
}
