import type { Database } from '../../src/database/database';
import { DeadLetterLog } from '../../src/deliveries/dead-letter-log';
import type { DeliveryLeases } from '../../src/deliveries/delivery-leases.repository';
import { AccessTokens } from '../../src/deliveries/fetch-back/access-tokens';
import { FetchedAnswers } from '../../src/deliveries/fetch-back/fetched-answers.repository';
import { Fetches } from '../../src/deliveries/fetch-back/fetches';
import { ProviderRequests } from '../../src/deliveries/fetch-back/provider-requests';
import { SourceAccess } from '../../src/deliveries/fetch-back/source-access.repository';
import type { SourceDirectory } from '../../src/deliveries/source-directory';
import type { Clock } from '../../src/kernel/clock';
import { PrometheusMetrics } from '../../src/ops/prometheus-metrics';
import { testSettings } from './database';

/** What a worker fetches with, of the sources of a directory. */
export function fetchesOf(
  database: Database,
  leases: DeliveryLeases,
  sources: SourceDirectory,
  clock: Clock,
): Fetches {
  const requests = new ProviderRequests(clock, new PrometheusMetrics(), testSettings());
  const tokens = new AccessTokens(database, new SourceAccess(database), requests, clock, testSettings());
  const letters = new DeadLetterLog(sources);
  return new Fetches(database, leases, new FetchedAnswers(), sources, letters, clock, requests, tokens);
}
