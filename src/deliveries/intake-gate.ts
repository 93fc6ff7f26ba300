import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../http/problem-document';
import { Inbox, saturated } from './inbox';
import { IntakeMetrics } from './intake-metrics';
import { SourceDirectory } from './source-directory';

const WEBHOOKS = '/hooks/';
/** Shortest time between two log lines about webhooks that are turned away, in milliseconds. */
const SILENCE_MS = 10_000;

interface Address {
  organization?: string;
  source?: string;
}

/**
 * Turns webhooks away while the inbox is full, before their bodies are read: under more load than can be taken, what
 * a refusal costs is taken from those that could be stored.
 */
@Injectable()
export class IntakeGate implements OnModuleInit {
  private readonly logger = new Logger('intake');
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
      if (request.url.startsWith(WEBHOOKS) && this.inbox.full) this.turnAway(request, reply, done);
      else done();
    });
  }

  /** What is at no source's address goes on, to be answered as ever. */
  private turnAway(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
    const { organization = '', source: slug = '' } = request.params as Address;
    const source = this.sources.find(organization, slug);
    if (!source) return done();
    this.metrics.putOff(source.provider.id);
    this.tell();
    sendProblem(reply, request, saturated());
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
