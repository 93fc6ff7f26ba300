import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Interval } from '@nestjs/schedule';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BoundedMap } from '../../kernel/bounded-map';
import { Clock } from '../../kernel/clock';
import type { SwitchOff } from '../../sources/source';
import type { LiveSource } from '../source-directory';
import { SourceLookup } from '../source-lookup';
import { SourceFailuresRepository } from './source-failures.repository';
import { mostCounted } from './source-switch-off';

const WEBHOOKS = '/hooks/';
/** Shortest time between two writes about one topic, in milliseconds: strangers can be refused as often as they like. */
const WRITE_EVERY_MS = 15_000;
/** Of how many topics of sources failures are remembered. */
const MOST_REMEMBERED = 10_000;
/** The lowest status that is a failure for every provider. */
const FIRST_FAILURE = 300;

/** What this replica knows of one topic of a source. */
interface Remembered {
  sourceId: string;
  topic: string;
  most: number;
  /** Failures that are not written yet, oldest first. */
  times: Date[];
  reason: string;
  /** When the newest webhook was accepted, where that is not written yet. */
  acceptedAt: Date | undefined;
  /** When this was last written, in milliseconds since the epoch; undefined: never. */
  writtenAt: number | undefined;
}

/**
 * Counts the failures with which webhooks are answered, for sources whose providers switch a webhook off for them. Failures are
 * in memory for seconds, then added to those of all replicas. A webhook that is accepted costs a statement only if failures came
 * before it: what else was accepted is among the deliveries.
 */
@Injectable()
export class AnsweredFailures implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('intake');
  /** By `source/topic`. */
  private readonly remembered = new BoundedMap<string, Remembered>(MOST_REMEMBERED);
  private writing: Promise<void> | undefined;

  constructor(
    private readonly host: HttpAdapterHost,
    private readonly sources: SourceLookup,
    private readonly rows: SourceFailuresRepository,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    // Whoever refuses it (before its body is read, while it is read, or later): this is what the provider gets.
    fastify.addHook('onResponse', (request, reply, done) => {
      if (reply.statusCode >= FIRST_FAILURE && isWebhook(request)) this.failed(request, reply.statusCode);
      done();
    });
  }

  /**
   * What failed before is no row any more.
   * @param source whose address the webhook came to
   */
  accepted({ id, provider }: LiveSource, headers: FastifyRequest['headers']): void {
    if (!provider.switchesOff) return;
    const key = `${id}/${topicOf(provider.switchesOff, headers)}`;
    const known = this.remembered.get(key);
    if (!known) return;
    known.times = [];
    known.acceptedAt = this.clock.now();
    void this.write();
  }

  /** Writes what is not written yet. Called by the scheduler. */
  @Interval('answered-failures', WRITE_EVERY_MS)
  async flush(): Promise<void> {
    // What is under way began with less.
    await this.writing;
    await this.write();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  private failed(request: FastifyRequest, status: number): void {
    const { organization = '', source: slug = '' } = request.params as Record<string, string | undefined>;
    const source = this.sources.known(organization, slug);
    const switchesOff = source?.provider.switchesOff;
    if (!source || !switchesOff) return;
    const topic = topicOf(switchesOff, request.headers);
    const now = this.clock.now();
    const known = this.remembered.getOrMake(`${source.id}/${topic}`, () => ({
      ...{ sourceId: source.id, topic, most: mostCounted(switchesOff), times: [] },
      ...{ reason: '', acceptedAt: undefined, writtenAt: undefined },
    }));
    known.times = [...known.times, now].slice(-known.most);
    known.reason = reasonOf(status, source);
    const { writtenAt } = known;
    if (writtenAt === undefined || Math.abs(now.getTime() - writtenAt) >= WRITE_EVERY_MS) void this.write();
  }

  /** One after another: what was accepted is written after what failed before it. */
  private write(): Promise<void> {
    this.writing ??= this.writeAll().finally(() => {
      this.writing = undefined;
    });
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    for (const key of this.remembered.keys()) {
      const known = this.remembered.get(key);
      if (known && (known.times.length > 0 || known.acceptedAt)) await this.writeOne(key, known);
    }
  }

  /** What cannot be written, because the database is away, is kept: that is what providers are answered 503 for. */
  private async writeOne(key: string, known: Remembered): Promise<void> {
    const { sourceId, topic, times, reason, acceptedAt, most } = known;
    known.times = [];
    known.acceptedAt = undefined;
    known.writtenAt = this.clock.now().getTime();
    try {
      if (times.length > 0) await this.rows.add(sourceId, topic, { times, reason, acceptedAt, most });
      else if (acceptedAt) await this.rows.settle(sourceId, topic, acceptedAt);
      // Nothing has failed since: what comes costs nothing again.
      if (times.length === 0 && known.times.length === 0 && !known.acceptedAt) this.remembered.delete(key);
    } catch (error) {
      // Accepted meanwhile: these are over.
      if (!known.acceptedAt) known.times = [...times, ...known.times].slice(-most);
      known.acceptedAt ??= acceptedAt;
      this.logger.warn({
        msg: 'intake: failed webhooks could not be counted with their source; it is tried again',
        source: sourceId,
        err: error,
      });
    }
  }
}

function isWebhook({ method, routeOptions }: FastifyRequest): boolean {
  return method === 'POST' && routeOptions.url?.startsWith(WEBHOOKS) === true;
}

/** The topic whose webhook it is, where the provider has one for each; else nothing. */
function topicOf({ eachTopic }: SwitchOff, headers: FastifyRequest['headers']): string {
  const named = eachTopic && headers[eachTopic.header];
  return typeof named === 'string' && eachTopic?.topics.includes(named) ? named : '';
}

/** For a person, without anything the sender chose. */
function reasonOf(status: number, { paused }: LiveSource): string {
  if (status === 401) return 'its signature was refused (401)';
  if (status === 413) return 'it was too large (413)';
  if (status === 503) return paused ? 'the source is paused (503)' : 'it could not be taken then (503)';
  return `it was answered ${status}`;
}
