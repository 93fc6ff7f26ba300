import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings';
import type { ConnectionTimeouts } from '../../finance/remote/client/connection';
import { sendRequest, type SendResult } from '../../finance/remote/client/send-request';
import { Clock } from '../../kernel/clock';
import { type Counter, Metrics } from '../../kernel/metrics';
import { VERSION } from '../../kernel/version';
import type { ChangeRequest } from '../../sources/hook-registration';
import type { AccessTokens, FetchRequest } from '../../sources/source';
import type { LiveSource } from '../source-directory';
import {
  type AnswerOutcome,
  type AskedAgain,
  type GrantOutcome,
  later,
  outcomeOfAsking,
  outcomeOfGrant,
} from './answer-outcome';
import type { ProviderApi } from './provider-api';
import { ProviderAgents } from './provider-agents';

/** A breaker that tries says no sooner when. */
const SHORTEST_MS = 1_000;

/** A request that asks, or one that changes something. */
type AnyRequest = Pick<FetchRequest, 'headers' | 'body' | 'answers'> & {
  /** Absent: GET, or POST where there is a body. */
  readonly method?: 'GET' | ChangeRequest['method'];
};

/** A request with its whole address. */
type OutgoingRequest = AnyRequest & { readonly url: string };

/** A request for an access token, and how its answer is read. */
export type AccessRequest = OutgoingRequest & Pick<AccessTokens, 'read'>;

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
    return this.askOnce(provider.id, api, { ...request, url }, (sent) =>
      outcomeOfAsking(
        sent,
        request,
        this.soFar(tries),
        (answer) => provider.fetchBack?.isTooOften?.(answer) === true,
      ),
    );
  }

  /** Asks once for an access token. @param tries as of {@link ask} */
  async askForAccess(
    { provider }: LiveSource,
    { read, ...request }: AccessRequest,
    api: ProviderApi,
    tries: number,
  ): Promise<GrantOutcome> {
    return this.askOnce(provider.id, api, request, (sent) => outcomeOfGrant(sent, read, this.soFar(tries)));
  }

  /** Sends a request of any method once. @returns undefined: the API is left alone for a moment, and nothing was sent */
  async sendOnce(
    { provider, settings }: LiveSource,
    { path, ...request }: AnyRequest & Pick<FetchRequest, 'path'>,
    api: ProviderApi,
  ): Promise<SendResult | undefined> {
    const url = `${provider.api?.baseUrl(settings) ?? ''}${path}`;
    const sent = await api.ask(() => this.send({ ...request, url }));
    const outcome = sent ? (sent.stage === 'answered' ? 'answered' : 'later') : 'put-off';
    this.counter.add({ provider: provider.id, outcome });
    return sent;
  }

  /** Idle connections must not keep the process. */
  end(): void {
    this.agents.end();
  }

  private soFar(tries: number): { tries: number; now: Date; random: number } {
    return { tries, now: this.clock.now(), random: Math.random() };
  }

  /** @param outcomeOf what to make of what came of it */
  private async askOnce<Outcome extends AnswerOutcome | GrantOutcome>(
    provider: string,
    api: ProviderApi,
    request: OutgoingRequest,
    outcomeOf: (sent: SendResult) => Outcome,
  ): Promise<Outcome | AskedAgain> {
    const sent = await api.ask(() => this.send(request), request.answers);
    if (!sent) {
      this.counter.add({ provider, outcome: 'put-off' });
      return later(
        Math.max(SHORTEST_MS, api.closedForMs),
        'its API is left alone for a moment; trying again',
      );
    }
    const outcome = outcomeOf(sent);
    if (outcome.state === 'later' && outcome.forAll) api.closeFor(outcome.delayMs);
    this.counter.add({ provider, outcome: outcome.state });
    return outcome;
  }

  private send({ url, headers, body, method = body ? 'POST' : 'GET' }: OutgoingRequest): Promise<SendResult> {
    if (!URL.canParse(url)) return Promise.resolve({ stage: 'unsent', cause: 'PONTE_ADDRESS' });
    const agents = this.agents.of(url);
    const common = { accept: 'application/json', 'user-agent': `Ponte/${VERSION}` };
    const type = body && { 'content-type': body.contentType };
    return sendRequest(
      {
        method,
        url,
        headers: { ...common, ...headers, ...type },
        ...(body && { body: body.text }),
      },
      { ...agents, timeouts: this.timeouts },
    );
  }
}
