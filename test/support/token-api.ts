import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { ProviderApiServer } from './provider-api-server';

/** How a request for a token ends instead of being granted. */
export type Fault = (response: ServerResponse) => void;

/**
 * A shop's API that grants access tokens, each for a refresh token that is good for one time, and shows orders to whoever
 * has the latest one.
 */
export class TokenApi {
  granted = 0;
  /** Seconds that a token is said to last. */
  lastsSeconds = 3_600;
  /** What happens to the next requests for a token. */
  readonly faults: Fault[] = [];
  /** Refresh tokens that were shown, in their order. */
  readonly shown: string[] = [];
  /** What is not a POST of a form, or has a wrong secret. */
  readonly complaints: string[] = [];
  private refreshToken: string;
  private isWithdrawn = false;

  private constructor(
    readonly server: ProviderApiServer,
    first: string,
    private readonly order: (id: string) => object,
  ) {
    this.refreshToken = first;
  }

  /** @param first the refresh token that is good now @param order what it answers about one */
  static async start(first: string, order: (id: string) => object): Promise<TokenApi> {
    const server = await ProviderApiServer.start(() => undefined);
    const api = new TokenApi(server, first, order);
    server.behave((request, response) => void api.answer(request, response));
    return api;
  }

  get url(): string {
    return this.server.url;
  }

  /** The token that is good now. */
  get accessToken(): string {
    return `access-${this.granted}`;
  }

  /** The access token is none any more, before its time. */
  withdraw(): void {
    this.isWithdrawn = true;
  }

  /** From now on this refresh token is the one that is good. */
  authorizeAnew(refreshToken: string): void {
    this.refreshToken = refreshToken;
  }

  stop(): Promise<void> {
    return this.server.stop();
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    if (request.method !== 'POST' || !request.headers['content-type']?.includes('form'))
      this.complaints.push(`${request.method} ${request.url}`);
    if (request.url === '/oauth/token') return this.grant(form, response);
    const isGood = request.headers.authorization === `Bearer ${this.accessToken}` && !this.isWithdrawn;
    if (!isGood) return json(response, 401, {});
    json(response, 200, this.order(form.get('id') ?? ''));
  }

  private grant(form: URLSearchParams, response: ServerResponse): void {
    this.shown.push(form.get('refresh_token') ?? '');
    const fault = this.faults.shift();
    if (fault) return fault(response);
    if (form.get('refresh_token') !== this.refreshToken || form.get('client_secret') !== 'the secret')
      return json(response, 400, { error: 'invalid_grant' });
    this.granted += 1;
    this.isWithdrawn = false;
    this.refreshToken = `refresh-${this.granted}`;
    json(response, 200, {
      ...{ access_token: this.accessToken, token_type: 'Bearer' },
      ...{ expires_in: this.lastsSeconds, refresh_token: this.refreshToken },
    });
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
