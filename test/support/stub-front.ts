import type { Response } from 'supertest';
import { FinanceModule } from '../../src/finance/finance.module';
import type { Operation, OperationId } from '../../src/finance/api/operations/operations';
import type { StoredConnection } from '../../src/finance/remote/connections/connection-settings';
import { ConnectionsRepository } from '../../src/finance/remote/connections/connections.repository';
import { newId } from '../../src/kernel/identifier';
import type { Organization } from '../../src/kernel/organization';
import type { Names } from './books-of-one';
import { checkReplies } from './described-replies';
import { frontOf, PATIENT } from './looped';
import { CASES } from './operation-cases';
import { TestingApp } from './testing-app';

export interface Change {
  headers?: Record<string, string>;
  body?: object;
  query?: string;
}

/** Names of records that a service may have. */
export function someNames(): Names {
  return {
    customer: newId(),
    account: newId(),
    otherAccount: newId(),
    bank: newId(),
    categoryIn: newId(),
    categoryOut: newId(),
    costCenter: newId(),
    receivable: newId(),
    payable: newId(),
    payment: newId(),
  };
}

/** A client of the `/v1` of a Ponte before some finance service, for a company of its own. */
export class StubFront {
  readonly names = someNames();

  private constructor(
    readonly testing: TestingApp,
    readonly organization: Organization,
    readonly key: string,
  ) {}

  /** @param baseUrl of the service */
  static open(baseUrl: string): Promise<TestingApp> {
    return TestingApp.open({ imports: [FinanceModule], env: frontOf(baseUrl), prepare: checkReplies });
  }

  /** @param settings of the connection to the service; null: no operator has connected it */
  static async of(testing: TestingApp, settings: StoredConnection | null = {}): Promise<StubFront> {
    const organization = await testing.makeOrganization();
    const { key } = await testing.makeKey(organization, 'finance:read', 'finance:write');
    if (settings) {
      const connections = testing.app.get(ConnectionsRepository);
      const stored = { limits: { perSecond: 100_000, atOnce: 64 }, timeouts: PATIENT, ...settings };
      await testing.database.transaction((tx) => connections.put(tx, organization.id, stored, 'the-key'));
    }
    return new StubFront(testing, organization, key);
  }

  /** An operation's good request, changed. */
  async send(row: Operation, { headers = {}, body: fields, query = '' }: Change = {}): Promise<Response> {
    const { path, body } = CASES[row.id as OperationId].request(this.names);
    return this.ask(row.method, `${path}${query}`, body && { ...body, ...fields }, headers);
  }

  async ask(
    method: Operation['method'],
    path: string,
    body?: object,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const request = this.testing.http[method.toLowerCase() as 'post'](`/v1${path}`);
    void request.set({ apitoken: this.key, ...headers });
    return body ? request.send(body) : request;
  }
}
