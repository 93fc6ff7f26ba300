import { Controller, Get, HttpCode, Logger, Options, Param, Post, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Clock } from '../kernel/clock';
import { Problem } from '../kernel/problem';
import type { HandshakeReply, IncomingWebhook, Verification } from '../sources/source';
import { ApiProbe, ApiWebhook } from './api-webhook';
import { type Arrival, Inbox, type Receipt } from './inbox';
import { AdmissionControl } from './admission-control';
import { IntakeMetrics } from './intake-metrics';
import { StorageSpace } from './storage-space';
import { PublicKeyCache } from './fetch-back/public-key-cache';
import { RefusedWebhooks } from './refused-webhooks';
import type { LiveSource } from './source-directory';
import { SourceLookup } from './source-lookup';
import { StoreRouting } from './store-routing';
import { AnsweredFailures } from './switch-off/answered-failures';

/** When a sender may come back to a source that is paused. */
const PAUSE_SECONDS = 300;
/** When a sender may come back whose public key cannot be fetched. */
const KEY_SECONDS = 10;

/**
 * Where shops and ERPs send their webhooks: verify the bytes, store them, answer. Nothing is parsed beyond what
 * names the delivery, and nothing is answered before the commit.
 */
@ApiTags('Webhooks')
@Controller('hooks')
export class HooksController {
  private readonly logger = new Logger(HooksController.name);

  constructor(
    private readonly sources: SourceLookup,
    private readonly inbox: Inbox,
    private readonly admission: AdmissionControl,
    private readonly clock: Clock,
    private readonly metrics: IntakeMetrics,
    private readonly storage: StorageSpace,
    private readonly refusals: RefusedWebhooks,
    private readonly routing: StoreRouting,
    private readonly publicKeys: PublicKeyCache,
    private readonly failures: AnsweredFailures,
  ) {}

  @Post(':organization/:source')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Receive a webhook',
    description: 'Signed by the provider; answered after the commit.',
  })
  @ApiWebhook()
  async receive(
    @Param('organization') organization: string,
    @Param('source') slug: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return this.take(organization, slug, toWebhook(request), { request, reply });
  }

  @Post(':organization/:source/:token')
  @HttpCode(200)
  @ApiOperation({
    summary: 'Receive a webhook of a provider that cannot sign',
    description: "The address ends with the source's secret; answered after the commit.",
  })
  @ApiWebhook({ inAddress: true })
  async receiveAtSecret(
    @Param('organization') organization: string,
    @Param('source') slug: string,
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    return this.take(organization, slug, { ...toWebhook(request), token }, { request, reply });
  }

  /** As {@link askedAtSecret}. */
  @Get(':organization/:source')
  @ApiProbe()
  asked(
    @Param('organization') organization: string,
    @Param('source') slug: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Buffer {
    return this.answerProbe(organization, slug, toWebhook(request), reply);
  }

  /** As {@link askedAtSecret}. */
  @Options(':organization/:source')
  @ApiProbe()
  askedForOptions(
    @Param('organization') organization: string,
    @Param('source') slug: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Buffer {
    return this.answerProbe(organization, slug, toWebhook(request), reply);
  }

  /** Some providers ask, with GET or HEAD, whether anybody is there before they send anything. */
  @Get(':organization/:source/:token')
  @ApiProbe({ inAddress: true })
  askedAtSecret(
    @Param('organization') organization: string,
    @Param('source') slug: string,
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Buffer {
    return this.answerProbe(organization, slug, { ...toWebhook(request), token }, reply);
  }

  /** Nobody else learns which addresses are known. */
  private answerProbe(
    organization: string,
    slug: string,
    probe: IncomingWebhook,
    reply: FastifyReply,
  ): Buffer {
    const source = this.sources.known(organization, slug);
    const handshake = source?.provider.handshake?.(probe, source.settings);
    if (handshake) return answerHandshake(handshake, reply);
    void reply.header('allow', 'POST');
    throw new Problem('method-not-allowed', 'This path takes POST');
  }

  private async take(
    organization: string,
    slug: string,
    webhook: IncomingWebhook,
    { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  ): Promise<unknown> {
    // The admission control has asked the database, too.
    const addressed = this.sources.known(organization, slug);
    const handshake = addressed?.provider.handshake?.(webhook, addressed.settings);
    if (handshake) return answerHandshake(handshake, reply);
    const putOff = this.admission.refusal(addressed, request.headers);
    if (putOff) throw putOff;
    if (!addressed) throw this.refusals.atUnknown(organization, slug);
    const now = this.clock.now();
    const source = await this.routing.find(addressed, webhook, now);
    const { acceptedStatus } = addressed.provider;
    if (acceptedStatus !== undefined) reply.status(acceptedStatus);
    if (!source) {
      await this.leaveUnconnected(addressed, webhook, now);
      this.failures.accepted(addressed, request.headers);
      void reply.header('content-type', 'text/plain; charset=utf-8');
      return Buffer.from('store-not-connected');
    }
    const { id, duplicate } = await this.store(source, webhook, now);
    this.failures.accepted(addressed, request.headers);
    return { delivery: id, duplicate };
  }

  /** A store that nobody has connected is no error of its sender, who would switch the webhooks of all stores off. */
  private async leaveUnconnected(addressed: LiveSource, webhook: IncomingWebhook, now: Date): Promise<void> {
    await this.verified(addressed, webhook, now);
    this.metrics.count(addressed.provider.id, 'store-unknown');
  }

  /** @throws Problem `signature-invalid`; as {@link verify} */
  private async verified(
    source: LiveSource,
    webhook: IncomingWebhook,
    now: Date,
  ): Promise<{ bodyUnsigned?: true }> {
    const verification = await this.verify(source, webhook, now);
    if (verification.ok) return verification;
    const refusal = this.refusals.at(source, verification.reason);
    throw verification.signed ? new Problem('signature-invalid', verification.reason) : refusal;
  }

  private async store(source: LiveSource, webhook: IncomingWebhook, now: Date): Promise<Receipt> {
    const { bodyUnsigned } = await this.verified(source, webhook, now);
    const noSpace = this.storage.refusal(source);
    if (noSpace) throw noSpace;
    if (source.paused) {
      this.metrics.count(source.provider.id, 'put-off');
      throw new Problem('source-paused', 'This source is paused.', { retryAfterSeconds: PAUSE_SECONDS });
    }
    const receipt = await this.accept(source, {
      organizationId: source.organization.id,
      sourceId: source.id,
      identity: source.provider.identify(webhook, source.settings),
      ...(bodyUnsigned && { bodyUnsigned }),
      body: webhook.rawBody,
      receivedAt: now,
    });
    this.metrics.count(source.provider.id, receipt.duplicate ? 'duplicate' : 'stored');
    return receipt;
  }

  /** @throws Problem `unavailable` where a key that would perhaps verify it cannot be fetched now */
  private async verify(source: LiveSource, webhook: IncomingWebhook, now: Date): Promise<Verification> {
    const { provider, secrets, settings } = source;
    if (!provider.publicKeys) return provider.verify(webhook, secrets, settings, now);
    const { keys, someAway } = await this.publicKeys.namedBy(source, webhook);
    const verification = provider.verify({ ...webhook, publicKeys: keys }, secrets, settings, now);
    if (verification.ok || verification.signed || !someAway) return verification;
    this.metrics.count(provider.id, 'put-off');
    throw new Problem('unavailable', 'The key to verify the signature with cannot be fetched at present.', {
      retryAfterSeconds: KEY_SECONDS,
    });
  }

  /** A sender that is answered 503 with Retry-After sends again; one that is answered 500 may give up. */
  private async accept({ provider, organization, slug }: LiveSource, arrival: Arrival): Promise<Receipt> {
    try {
      return await this.inbox.accept(arrival);
    } catch (error) {
      this.metrics.count(provider.id, 'put-off');
      this.logger.error({
        msg: 'intake: a webhook could not be stored; its sender is answered 503 with Retry-After',
        organization: organization.slug,
        source: slug,
        err: error,
      });
      throw new Problem('unavailable', 'The webhook could not be stored.', { retryAfterSeconds: 5 });
    }
  }
}

function answerHandshake(
  { status, contentType, headers, body }: HandshakeReply,
  reply: FastifyReply,
): Buffer {
  reply
    .status(status)
    .header('content-type', contentType)
    .headers({ ...headers });
  return Buffer.from(body);
}

function toWebhook(request: FastifyRequest): IncomingWebhook {
  return {
    method: request.method,
    headers: joined(request.headers),
    query: singles(request.query as Record<string, unknown>),
    rawBody: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
  };
}

/** Node joins repeated headers itself, all but this one. */
function joined(headers: FastifyRequest['headers']): IncomingWebhook['headers'] {
  const { 'set-cookie': cookies } = headers;
  const all = cookies === undefined ? headers : { ...headers, 'set-cookie': cookies.join(', ') };
  return all as IncomingWebhook['headers'];
}

/** Parameters that are given once; what is given twice could be either. */
function singles(query: Record<string, unknown>): IncomingWebhook['query'] {
  const single: Record<string, string | undefined> = {};
  for (const name of Object.keys(query)) {
    const value = query[name];
    if (typeof value === 'string') single[name] = value;
  }
  return single;
}
