import { createPublicKey } from 'node:crypto';
import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Settings } from '../../config/settings';
import type { ConnectionTimeouts } from '../../finance/remote/client/connection';
import { sendRequest, type SendResult } from '../../finance/remote/client/send-request';
import { BoundedMap } from '../../kernel/bounded-map';
import { Clock } from '../../kernel/clock';
import { type Counter, Metrics } from '../../kernel/metrics';
import { VERSION } from '../../kernel/version';
import type { IncomingWebhook } from '../../sources/source';
import type { LiveSource } from '../source-directory';
import { ProviderAgents } from './provider-agents';

/** Keys kept at most, of all providers, and for how long. Adobe wants its keys to be fetched anew within a day. */
const MOST_KEYS = 100;
const KEPT_MS = 12 * 3_600_000;
/** Bytes of a key at most: an RSA key of 16,384 bits has 3,000. */
const LONGEST_KEY = 16 * 1024;
/** Keys that could not be had, and for how long they are not asked for again. */
const MOST_FAILED = 1_000;
const ABSENT_MS = 60_000;
const AWAY_MS = 10_000;
/** Requests for keys a minute for one source, and of how many sources that is remembered. */
const PER_MINUTE = 20;
const MOST_SOURCES = 1_000;
const MINUTE_MS = 60_000;
/** Keys that one request may name. */
const MOST_NAMED = 2;
/** Webhooks that wait for keys at once: each of them has a body in memory. */
const MOST_WAITING = 100;
/** A sender waits for its answer meanwhile. */
const TIMEOUTS: ConnectionTimeouts = { connectMs: 1_500, headersMs: 2_500, totalMs: 3_000 };
/** Statuses that say that there is no such key: object stores answer 403 for what they do not have. */
const ABSENT: readonly number[] = [403, 404, 410];
/** Shortest time between two log lines, in milliseconds: strangers can send as many webhooks as they like. */
const SILENCE_MS = 10_000;

/** Whose webhook it is. */
type Asking = Pick<LiveSource, 'id' | 'slug' | 'provider' | 'secrets' | 'settings'> & {
  readonly organization: Pick<LiveSource['organization'], 'slug'>;
};

/** What came of asking for a key: it is there, there is none, or nobody can say now. */
type Key = { readonly pem: string } | 'absent' | 'away';

/** The keys that a webhook names. */
export interface NamedKeys {
  /** Those that there are, as PEM by their paths. */
  readonly keys: Readonly<Record<string, string>>;
  /** Whether there may be others, which cannot be had now. */
  readonly someAway: boolean;
}

const NONE: NamedKeys = { keys: {}, someAway: false };

/**
 * The public keys by which providers' webhooks are verified, fetched from where each provider publishes them. Whoever sends a
 * webhook names keys in it, so that what is fetched is bounded: one request for all who wait for a key, so many a minute for
 * each source, and none for a key that was just asked for in vain.
 */
@Injectable()
export class PublicKeyCache implements OnApplicationShutdown {
  private readonly logger = new Logger('intake');
  private readonly agents: ProviderAgents;
  private readonly counter: Counter;
  /** By address. What could not be had is kept apart: strangers who make up names drive no key out. */
  private readonly keys: LRUCache<string, string>;
  private readonly failed: LRUCache<string, 'absent' | 'away'>;
  private readonly underWay = new Map<string, Promise<Key>>();
  /** By the source's id: in which minute how many requests were sent. */
  private readonly sent = new BoundedMap<string, { minute: number; count: number }>(MOST_SOURCES);
  private waiting = 0;
  private loggedAt = -Infinity;

  constructor(
    private readonly clock: Clock,
    metrics: Metrics,
    { providerAllowedNetworks: networks }: Settings,
  ) {
    this.agents = new ProviderAgents(networks);
    const perf = { now: () => this.clock.now().getTime() };
    this.keys = new LRUCache({ max: MOST_KEYS, ttl: KEPT_MS, ttlResolution: 0, perf });
    this.failed = new LRUCache({ max: MOST_FAILED, ttl: AWAY_MS, ttlResolution: 0, perf });
    this.counter = metrics.counter(
      'ponte_public_key_requests_total',
      'Public keys of providers that webhooks name and that were not known, by provider and what came of it; put-off: nothing was sent',
      ['provider', 'outcome'],
    );
  }

  /** The keys that a webhook names, fetched where they are not known; nothing is sent where its provider has none. */
  async namedBy(source: Asking, webhook: IncomingWebhook): Promise<NamedKeys> {
    const { publicKeys } = source.provider;
    const paths = new Set(publicKeys?.paths(webhook, source.secrets).slice(0, MOST_NAMED));
    if (!publicKeys || paths.size === 0) return NONE;
    const baseUrl = publicKeys.baseUrl(source.settings);
    const found = await Promise.all(
      [...paths].map(async (path) => [path, await this.key(`${baseUrl}${path}`, source)] as const),
    );
    return {
      keys: Object.fromEntries(found.flatMap(([path, key]) => (isThere(key) ? [[path, key.pem]] : []))),
      someAway: found.some(([, key]) => key === 'away'),
    };
  }

  onApplicationShutdown(): void {
    this.agents.end();
  }

  private async key(url: string, source: Asking): Promise<Key> {
    const pem = this.keys.get(url);
    if (pem !== undefined) return { pem };
    const failed = this.failed.get(url);
    if (failed) return failed;
    const underWay = this.underWay.get(url);
    if (this.waiting >= MOST_WAITING || (!underWay && !this.maySend(source.id))) {
      this.counter.add({ provider: source.provider.id, outcome: 'put-off' });
      return 'away';
    }
    this.waiting += 1;
    try {
      return await (underWay ?? this.fetch(url, source));
    } finally {
      this.waiting -= 1;
    }
  }

  /** Counts a request where it may be sent. A minute of the clock, so that a clock that is set back locks nothing. */
  private maySend(sourceId: string): boolean {
    const minute = Math.floor(this.clock.now().getTime() / MINUTE_MS);
    const known = this.sent.get(sourceId);
    const count = known?.minute === minute ? known.count : 0;
    if (count >= PER_MINUTE) return false;
    this.sent.set(sourceId, { minute, count: count + 1 });
    return true;
  }

  private fetch(url: string, source: Asking): Promise<Key> {
    const fetched = this.send(url).then((sent) => this.keep(url, sent, source));
    this.underWay.set(url, fetched);
    return fetched.finally(() => this.underWay.delete(url));
  }

  private send(url: string): Promise<SendResult> {
    if (!URL.canParse(url)) return Promise.resolve({ stage: 'unsent', cause: 'PONTE_ADDRESS' });
    const headers = { accept: '*/*', 'user-agent': `Ponte/${VERSION}` };
    return sendRequest({ method: 'GET', url, headers }, { ...this.agents.of(url), timeouts: TIMEOUTS });
  }

  private keep(url: string, sent: SendResult, source: Asking): Key {
    const key = keyIn(sent);
    const outcome = isThere(key) ? 'there' : key;
    this.counter.add({ provider: source.provider.id, outcome });
    if (isThere(key)) this.keys.set(url, key.pem);
    else this.failed.set(url, key, { ttl: key === 'absent' ? ABSENT_MS : AWAY_MS });
    if (key === 'away') this.log(source, sent.stage === 'answered' ? `status ${sent.status}` : sent.cause);
    return key;
  }

  private log({ organization, slug }: Asking, cause: string): void {
    const now = performance.now();
    if (now - this.loggedAt < SILENCE_MS) return;
    this.loggedAt = now;
    this.logger.warn({
      msg: "intake: a provider's public key cannot be fetched; its webhooks are answered 503 with Retry-After until it can",
      organization: organization.slug,
      source: slug,
      cause,
    });
  }
}

function isThere(key: Key): key is { readonly pem: string } {
  return typeof key === 'object';
}

function keyIn(sent: SendResult): Key {
  if (sent.stage !== 'answered') return 'away';
  if (ABSENT.includes(sent.status)) return 'absent';
  const { status, body } = sent;
  if (status !== 200 || body === undefined || body.length > LONGEST_KEY) return 'away';
  const pem = body.toString('latin1');
  return isPublicKey(pem) ? { pem } : 'away';
}

/** What else is there, such as the page of a proxy, is not kept for half a day. */
function isPublicKey(pem: string): boolean {
  try {
    return createPublicKey(pem).type === 'public';
  } catch {
    return false;
  }
}
