import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import type { ConnectionTimeouts } from '../../finance/remote/client/connection';
import { sendRequest, type SendResult } from '../../finance/remote/client/send-request';
import { Clock } from '../../kernel/clock';
import { type Counter, Metrics } from '../../kernel/metrics';
import { VERSION } from '../../kernel/version';
import type { FetchRequest } from '../../sources/source';
import type { LiveSource } from '../source-directory';
import { type AnswerOutcome, later, outcomeOfAsking } from './answer-outcome';
import type { ProviderApi } from './provider-api';
import { ProviderAgents } from './provider-agents';

/** A breaker that tries says no sooner when. */
const SHORTEST_MS = 1_000;

/** Sends requests to providers' APIs: into the public internet, and into networks that the environment allows. */
@Injectable()
export class ProviderRequests {
  protected readonly timeouts: ConnectionTimeouts = { connectMs: 5_000, headersMs: 15_000, totalMs: 20_000 };
  private readonly agents: ProviderAgents;
  private readonly counter: Counter;

  constructor(
    private readonly clock: Clock,
    metrics: Metrics,
    { providerAllowedNetworks: networks }: Settings,
  ) {
    this.agents = new ProviderAgents(networks);
    this.counter = metrics.counter(
      'ponte_provider_requests_total',
      "Requests to providers' APIs for what webhooks name, by provider and what came of them; put-off: the API was left alone",
      ['provider', 'outcome'],
    );
  }

  /** Asks once. @param tries how often the delivery was fetched in vain before this time */
  async ask(
    { provider, settings }: LiveSource,
    request: FetchRequest,
    api: ProviderApi,
    tries: number,
  ): Promise<AnswerOutcome> {
    const url = `${provider.api?.baseUrl(settings) ?? ''}${request.path}`;
    const sent = await api.ask(() => this.send(url, request));
    if (!sent) {
      this.counter.add({ provider: provider.id, outcome: 'put-off' });
      return later(
        Math.max(SHORTEST_MS, api.closedForMs),
        'its API is left alone for a moment; trying again',
      );
    }
    const now = this.clock.now();
    const outcome = outcomeOfAsking(sent, request, { tries, now, random: Math.random() });
    if (outcome.state === 'later' && outcome.forAll) api.closeFor(outcome.delayMs);
    this.counter.add({ provider: provider.id, outcome: outcome.state });
    return outcome;
  }

  /** Idle connections must not keep the process. */
  end(): void {
    this.agents.end();
  }

  private send(url: string, { headers }: FetchRequest): Promise<SendResult> {
    if (!URL.canParse(url)) return Promise.resolve({ stage: 'unsent', cause: 'PONTE_ADDRESS' });
    const agents = this.agents.of(url);
    const common = { accept: 'application/json', 'user-agent': `Ponte/${VERSION}` };
    return sendRequest(
      { method: 'GET', url, headers: { ...common, ...headers } },
      { ...agents, timeouts: this.timeouts },
    );
  }
}
