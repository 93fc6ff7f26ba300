import { BlockList } from 'node:net';
import type { Database } from '../../src/database/database';
import type { StoredConnection } from '../../src/finance/remote/connections/connection-settings';
import { RateLimiterRepository } from '../../src/finance/remote/calls/rate-limiter.repository';
import { HttpFinanceClient } from '../../src/finance/remote/client/http-finance-client';
import type { BreakerRules } from '../../src/finance/remote/client/breaker';
import { CONNECTION_DEFAULTS, type FinanceConnection } from '../../src/finance/remote/client/connection';
import { RateLimiter } from '../../src/finance/remote/client/rate-limiter';
import { type Clock, SystemClock } from '../../src/kernel/clock';
import type { CompanySettings } from '../faulty-finance/company';
import { FINANCE_KEY } from './remote-finance';

/** The account of every company of {@link booksOf}. */
export const MAIN_ACCOUNT = '6f1f0c51-7d3c-4c1e-9a51-00000000000a';

/** A company whose books a faulty service keeps. */
export function booksOf(changes: Partial<CompanySettings> = {}): CompanySettings {
  return {
    organization: 'acme',
    apiKey: FINANCE_KEY,
    uniqueDocuments: false,
    refusesOverpayment: true,
    accounts: [{ id: MAIN_ACCOUNT, name: 'main' }],
    categories: [],
    costCenters: [],
    ...changes,
  };
}

/** A pace that holds nobody. */
export class FreeRateLimiter extends RateLimiter {
  override async take(): Promise<number> {
    return 0;
  }

  override async throttle(): Promise<void> {
    return undefined;
  }
}

/** A replica's way over HTTP, at the pace that its database keeps; without a database at any pace. */
export function httpWire(
  database?: Database,
  { clock = new SystemClock(), pace = new FreeRateLimiter(), breaker }: Partial<WireParts> = {},
): HttpFinanceClient {
  const options = { version: 'test', allowedNetworks: new BlockList(), ...(breaker && { breaker }) };
  return new HttpFinanceClient(database ? new RateLimiterRepository(database) : pace, clock, options);
}

/** What a wire is made of. */
export interface WireParts {
  readonly clock: Clock;
  readonly pace: RateLimiter;
  readonly breaker: BreakerRules;
}

/** A connection that waits for nothing but the service. */
export function wireConnection(baseUrl: string, changes: Partial<FinanceConnection> = {}): FinanceConnection {
  return {
    ...CONNECTION_DEFAULTS,
    organizationId: '11111111-1111-4111-8111-111111111111',
    baseUrl,
    trustedAddress: true,
    apiKey: FINANCE_KEY,
    limits: { perSecond: 10_000, atOnce: 4, oneWriteAtATime: false },
    ...changes,
  };
}

/** Settings of a connection to a service on this machine, at a rate that no test notices. */
export function connectionTo(
  { url }: { readonly url: string },
  changes: StoredConnection = {},
): StoredConnection {
  return {
    baseUrl: url,
    organization: 'acme',
    limits: { perSecond: 10_000, atOnce: 32 },
    ...changes,
  };
}
