import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../http/problem-document';
import { Problem } from '../kernel/problem';
import { Inbox } from './inbox';
import { IntakeMetrics } from './intake-metrics';
import { type LiveSource, SourceDirectory } from './source-directory';

const WEBHOOKS = '/hooks/';
/** When a sender that is turned away may come back. */
const RETRY_SECONDS = 2;
/**
 * How long one turn of the event loop turns webhooks away, in milliseconds; the others wait for the next ones. The more,
 * the sooner a refusal is sent, and the fewer webhooks are taken meanwhile: at 8 a third fewer, at 3 a twentieth.
 */
const REFUSING_MS = 2;
const SATURATED = new Problem('saturated', 'Too many webhooks are waiting to be stored.', {
  retryAfterSeconds: RETRY_SECONDS,
});
/** Shortest time between two log lines about webhooks that are turned away, in milliseconds. */
const SILENCE_MS = 10_000;

/** A webhook that is to be turned away. */
interface Refused {
  request: FastifyRequest;
  reply: FastifyReply;
}

interface Address {
  organization?: string;
  source?: string;
}

/**
 * Turns webhooks away while the inbox is full: under more load than can be taken, what a refusal costs is taken from
 * those that could be stored. So it asks before a body is read, and again when it has come, before it is looked at.
 * A thousand refusals at once would hold up the event loop for as long as it takes to send them; a few in each of its
 * turns leave room for what the database answers.
 */
@Injectable()
export class IntakeGate implements OnModuleInit {
  private readonly logger = new Logger('intake');
  private readonly refused: Refused[] = [];
  private turnedAway = 0;
  private toldAt = -Infinity;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly inbox: Inbox,
    private readonly sources: SourceDirectory,
    private readonly metrics: IntakeMetrics,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', (request, reply, done) => {
      if (request.url.startsWith(WEBHOOKS) && this.inbox.full) this.ask(request, reply, done);
      else done();
    });
  }

  /** @returns what a sender is told that has to come back; undefined: its webhook can be taken */
  refusal({ provider }: LiveSource): Problem | undefined {
    if (!this.inbox.full) return undefined;
    this.metrics.putOff(provider.id);
    this.tell();
    return SATURATED;
  }

  /** What is at no source's address goes on, to be answered as ever. */
  private ask(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { organization = '', source: slug = '' } = request.params as Address;
    const source = this.sources.find(organization, slug);
    if (!source || !this.refusal(source)) return done();
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

  /** Now and then: a line for each would be one more thing to do at the worst time. */
  private tell(): void {
    this.turnedAway += 1;
    const now = performance.now();
    if (now - this.toldAt < SILENCE_MS) return;
    this.toldAt = now;
    this.logger.warn({
      msg: 'more webhooks arrive than can be stored: senders are told to come back',
      turnedAway: this.turnedAway,
    });
    this.turnedAway = 0;
  }
}
