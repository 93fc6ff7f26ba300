import type { Server } from 'node:http';
import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Organization } from '../../kernel/organization';
import { Problem } from '../../kernel/problem';
import type { VerifiedKey } from '../../organizations/api-keys';
import { Overviews } from '../overview/overviews';
import { LiveChannel } from './live-channel';
import { LiveListener } from './live-listener';
import { LiveReads } from './live.repository';

/** Who may listen at a time: to one organization, and in this process. */
const MOST_OF_ORGANIZATION = 20;
const MOST_OF_PROCESS = 100;
/** When whoever found no place may come again. */
const RETRY_SECONDS = 30;
/** How often listeners are checked, in milliseconds. */
const TEND_EVERY_MS = 250;
/** How often it is checked what changed, in milliseconds. */
const CHECK_EVERY_MS = 1_000;
/** A connection over which nothing came for so long gets a comment. */
const COMMENT_AFTER_MS = 15_000;
/** The key of whoever listens is checked again so often. */
const KEY_CHECKED_EVERY_MS = 30_000;

/**
 * Tells whoever listens how an organization is doing, whenever that changes. Nothing is read while nobody listens, and once
 * for all that do. Whatever process changed something: the database is asked.
 */
@Injectable()
export class LiveUpdates implements BeforeApplicationShutdown {
  /** How long somebody may listen, in milliseconds; then they come again. */
  protected endsAfterMs = 15 * 60_000;
  protected commentAfterMs = COMMENT_AFTER_MS;
  protected checkEveryMs = CHECK_EVERY_MS;
  protected keyCheckedEveryMs = KEY_CHECKED_EVERY_MS;
  private readonly logger = new Logger('live');
  private readonly channels = new Map<string, LiveChannel>();
  private readonly closing = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | undefined;
  private stopping = false;

  constructor(
    private readonly overviews: Overviews,
    private readonly reads: LiveReads,
    private readonly host: HttpAdapterHost,
  ) {}

  /** How many listen. */
  get size(): number {
    return [...this.channels.values()].reduce((sum, { listeners }) => sum + listeners.size, 0);
  }

  /**
   * @param keyNow the API key of whoever is to listen, as it is when asked: when it is revoked they are cut off
   * @param signal aborted when nobody reads any more
   * @returns a listener that has got the state, and gets what changes
   * @throws Problem saturated; shutting-down
   */
  async join(
    organization: Organization,
    keyNow: () => Promise<VerifiedKey | undefined>,
    signal: AbortSignal,
  ): Promise<LiveListener> {
    if (!this.open)
      throw new Problem('shutting-down', 'This process is shutting down', { retryAfterSeconds: 1 });
    const channel = this.channelOf(organization);
    if (channel.listeners.size >= MOST_OF_ORGANIZATION || this.size >= MOST_OF_PROCESS)
      throw new Problem('saturated', 'Too many clients listen at the moment', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    const listener = new LiveListener(keyNow, performance.now());
    this.channels.set(organization.id, channel);
    channel.listeners.add(listener);
    const leave = (): void => this.leave(channel, listener);
    signal.addEventListener('abort', leave, { once: true });
    listener.stream.once('close', leave);
    this.timer ??= setInterval(() => this.tend(), TEND_EVERY_MS);
    if (signal.aborted) leave();
    try {
      listener.send('state', await channel.now());
    } catch (error) {
      leave();
      throw error;
    }
    return listener;
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    this.endAll();
    await Promise.all(this.closing);
  }

  private channelOf(organization: Organization): LiveChannel {
    const there = this.channels.get(organization.id);
    if (there) {
      there.organization = organization;
      return there;
    }
    const { overviews, reads, checkEveryMs } = this;
    return new LiveChannel(organization, overviews, reads, checkEveryMs, (error) => this.failed(error));
  }

  private leave(channel: LiveChannel, listener: LiveListener): void {
    listener.end();
    if (!channel.listeners.delete(listener) || channel.listeners.size > 0) return;
    const { id } = channel.organization;
    if (this.channels.get(id) === channel) this.channels.delete(id);
    const closed = channel.close().finally(() => this.closing.delete(closed));
    this.closing.add(closed);
    if (this.channels.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private tend(): void {
    if (!this.open) return this.endAll();
    const now = performance.now();
    for (const channel of this.channels.values())
      for (const listener of channel.listeners) {
        if (now - listener.since > this.endsAfterMs) this.leave(channel, listener);
        else if (now - listener.checkedAt > this.keyCheckedEveryMs) void this.checkKey(channel, listener);
        if (now - listener.sentAt > this.commentAfterMs) listener.comment();
      }
  }

  /** What cannot be checked is not trusted: they come again. */
  private async checkKey(channel: LiveChannel, listener: LiveListener): Promise<void> {
    listener.checkedAt = performance.now();
    const key = await listener.keyNow().catch(() => undefined);
    if (!key) this.leave(channel, listener);
  }

  private endAll(): void {
    for (const channel of this.channels.values())
      for (const listener of channel.listeners) this.leave(channel, listener);
  }

  /** Whether new requests are taken: once they are not, replies without an end must not delay the end. */
  private get open(): boolean {
    return !this.stopping && (this.host.httpAdapter.getHttpServer() as Server).listening;
  }

  private failed(error: unknown): void {
    this.logger.warn({ msg: 'live: what changed could not be read; tried again within seconds', err: error });
  }
}
