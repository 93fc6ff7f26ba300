import { randomBytes } from 'node:crypto';
import { CustomersPort } from '../../src/finance/api/ports/customers.port';
import { CustomersEmbedded } from '../../src/finance/embedded/customers/customers.embedded';
import { ConnectionsRepository } from '../../src/finance/remote/connections/connections.repository';
import { FinanceConnections } from '../../src/finance/remote/connections/connections';
import type { ConnectionTimeouts } from '../../src/finance/remote/client/connection';
import type { Organization } from '../../src/kernel/organization';
import { TestingApp, type TestingAppOptions } from './testing-app';

type Form = 'json' | 'xml';

/** The form in which two Pontes speak to each other when the contract is tried on the remote backend. */
export const LOOP = process.env['FINANCE_LOOP'] as Form | undefined;

/** Time-outs of a connection to a finance service: a busy machine must not decide a test. */
export const PATIENT: ConnectionTimeouts = { connectMs: 60_000, headersMs: 60_000, totalMs: 60_000 };

/** What makes a Ponte a front to the service at an address. */
export function frontOf(baseUrl: string): Record<string, string> {
  const SECRETS_KEY = randomBytes(32).toString('base64');
  return { FINANCE_BACKEND: 'remote', FINANCE_BASE_URL: baseUrl, SECRETS_KEY };
}

/**
 * Two applications on one database: a Ponte with books of its own, and before it one whose finance backend is the
 * first's `/v1`, over HTTP. Whoever asks the second must not notice. Records are prepared and looked up in the
 * database that both see; the one in front never touches them.
 */
export async function openLooped(options: TestingAppOptions, form: Form): Promise<TestingApp> {
  // Whatever a test looks at is before it, in the front.
  const { prepare: _prepare, ...behind } = options;
  const books = await TestingApp.open(behind);
  const baseUrl = `${await books.app.getUrl()}/v1`;
  const front = await TestingApp.open({
    ...options,
    database: books.database,
    env: { ...options.env, ...frontOf(baseUrl) },
  });
  front.closeWith(() => books.close());
  if (front.app.get(CustomersPort) instanceof CustomersEmbedded)
    throw new Error('the front keeps books itself');
  connectOnDemand(front, books, form);
  return front;
}

/** Every organization that is asked for is connected first, as an operator would have done. */
function connectOnDemand(front: TestingApp, books: TestingApp, form: Form): void {
  const connections = front.app.get(FinanceConnections);
  const repository = front.app.get(ConnectionsRepository);
  const connected = new Map<string, Promise<void>>();
  const find = connections.of.bind(connections);
  const connect = async (organization: Organization): Promise<void> => {
    const { key } = await books.makeKey(organization, 'finance:read', 'finance:write');
    const stored = {
      form,
      uniqueDocuments: true,
      limits: { perSecond: 100_000, atOnce: 64 },
      timeouts: PATIENT,
    };
    await front.database.transaction((tx) => repository.put(tx, organization.id, stored, key));
  };
  connections.of = async (organization) => {
    const { id } = organization;
    if (!connected.has(id)) connected.set(id, connect(organization as Organization));
    await connected.get(id);
    return find(organization);
  };
}
