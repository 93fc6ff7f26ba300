import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../http/problem-document';
import { Problem } from '../kernel/problem';
import { SourceProviders } from '../sources/source-providers';
import { Inbox } from './inbox';
import { IntakeMetrics } from './intake-metrics';
import { RefusedWebhooks } from './refused-webhooks';
import type { LiveSource } from './source-directory';
import { SourceLookup } from './source-lookup';

const WEBHOOKS = '/hooks/';
/** Seconds after which a sender that is refused may send again. */
const RETRY_SECONDS = 2;
/**
 * Milliseconds of one tick of the event loop in which refusals are sent; the other refusals wait for the next ticks. The
 * more, the sooner a refusal is sent, and the fewer webhooks are stored meanwhile: at 8 a third fewer, at 3 a twentieth.
 */
const REFUSING_MS = 2;
const SATURATED = new Problem('saturated', 'Too many webhooks are waiting to be stored.', {
  retryAfterSeconds: RETRY_SECONDS,
});
/** Shortest time between two log lines about refused webhooks, in milliseconds. */
const SILENCE_MS = 10_000;

interface Refused {
  request: FastifyRequest;
  reply: FastifyReply;
}

interface Address {
  organization?: string;
  source?: string;
}

/**
 * Decides before a body is read what can be decided. Refuses webhooks without a signature. Refuses all webhooks while the
 * inbox is full: under more load than can be taken, what a refusal costs is taken from those that could be stored. So
 * the inbox is checked before a body is read, and again when the body has come, before it is parsed.
 * A thousand refusals at once would block the event loop until all of them are sent; a few in each of its ticks leave
 * time for the database's answers.
 */
@Injectable()
export class AdmissionControl implements OnModuleInit {
  private readonly logger = new Logger('intake');
  private readonly refused: Refused[] = [];
  private turnedAway = 0;
  private loggedAt = -Infinity;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly inbox: Inbox,
    private readonly providers: SourceProviders,
    private readonly sources: SourceLookup,
    private readonly metrics: IntakeMetrics,
    private readonly refusals: RefusedWebhooks,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', (request, reply, done) => {
      // The route, not the address: `/%68ooks/…` and `http://host/hooks/…` lead to it, too.
      if (request.method !== 'POST' || !request.routeOptions.url?.startsWith(WEBHOOKS)) return done();
      if (!this.providers.carriesSignature(request.headers)) this.refuseUnsigned(request).then(done, done);
      else if (this.inbox.full) this.turnAway(request, reply);
      else if (this.isKnown(request)) done();
      else this.settleUnknown(request).then(done, done);
    });
  }

  private isKnown(request: FastifyRequest): boolean {
    const { organization = '', source = '' } = request.params as Address;
    return this.sources.known(organization, source) !== undefined;
  }

  /**
   * What may be a handshake is checked when its body has come, from whatever address; no more of the body is read than
   * a handshake has.
   * @returns the refusal; undefined: the body is to be read
   */
  private async refuseUnsigned(request: FastifyRequest): Promise<Problem | undefined> {
    const { organization = '', source: slug = '' } = request.params as Address;
    // A body that comes in chunks does not say how long it is.
    const isSmall = Number(request.headers['content-length'] ?? 0) <= this.providers.longestHandshake;
    const source = isSmall
      ? await this.sources.find(organization, slug)
      : this.sources.known(organization, slug);
    if (source && takesUnsigned(source)) return undefined;
    const refusal = (): Problem =>
      source
        ? this.refusals.at(source, 'there is no signature')
        : this.refusals.atUnknown(organization, slug);
    if (!isSmall) return refusal();
    request.bodyMost = { bytes: this.providers.longestHandshake, refusal };
    return undefined;
  }

  /** Where there is no source the reply waits for the body all the same, as it does where there is one. */
  private async settleUnknown(request: FastifyRequest): Promise<undefined> {
    const { organization = '', source: slug = '' } = request.params as Address;
    request.discardsBody = (await this.sources.find(organization, slug)) === undefined;
  }

  /**
   * As before the body was read: from whatever address, so that who has no right signature does not learn which ones
   * are known. What carries no signature is not refused so: it was let in whether the inbox was full or not.
   * @param source undefined: there is none at the address
   * @returns the answer to a sender that has to send again later; undefined: its webhook can be stored
   */
  refusal(source: LiveSource | undefined, headers: FastifyRequest['headers']): Problem | undefined {
    if (!this.inbox.full || !this.providers.carriesSignature(headers)) return undefined;
    this.metrics.count(source?.provider.id ?? 'none', 'put-off');
    this.logTurnedAway();
    return SATURATED;
  }

  /** From whatever address: who has no right signature does not learn which ones are known. */
  private turnAway(request: FastifyRequest, reply: FastifyReply): void {
    const { organization = '', source = '' } = request.params as Address;
    this.metrics.count(this.sources.known(organization, source)?.provider.id ?? 'none', 'put-off');
    this.logTurnedAway();
    // Nobody reads its body: what of it has come would be kept until the refusal is sent.
    request.raw.resume();
    this.refused.push({ request, reply });
    if (this.refused.length === 1) setImmediate(() => this.sendRefusals());
  }

  private sendRefusals(): void {
    const until = performance.now() + REFUSING_MS;
    let sent = 0;
    for (const { request, reply } of this.refused) {
      sendProblem(reply, request, SATURATED);
      sent += 1;
      if (performance.now() >= until) break;
    }
    this.refused.splice(0, sent);
    if (this.refused.length > 0) setImmediate(() => this.sendRefusals());
  }

  /** Now and then: a line for each refusal would be more work under the highest load. */
  private logTurnedAway(): void {
    this.turnedAway += 1;
    const now = performance.now();
    if (now - this.loggedAt < SILENCE_MS) return;
    this.loggedAt = now;
    this.logger.warn({
      msg: 'intake: more webhooks arrive than can be stored; senders are answered 503 with Retry-After',
      turnedAway: this.turnedAway,
    });
    this.turnedAway = 0;
  }
}

/** Whether a signature of its provider may be elsewhere than in the headers. */
function takesUnsigned({ provider, providerUnknown }: LiveSource): boolean {
  return provider.signatureHeaders === undefined && !providerUnknown;
}
