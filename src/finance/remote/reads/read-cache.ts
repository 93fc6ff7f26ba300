import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Clock } from '../../../kernel/clock';
import type { FinanceConnection } from '../client/connection';
import type { ClientCall } from '../client/finance-client';

/** Replies kept at most, of all organizations, and what they hold in characters. */
const MOST_KEPT = 1_000;
const MOST_CHARACTERS = 32 * 1024 * 1024;
/** A reply longer than this would drive out too many others. */
const LONGEST_KEPT = 2 * 1024 * 1024;

/** What is asked of a finance service by who reads. */
export type ReadCall = Pick<ClientCall, 'operation' | 'path' | 'query'>;

/**
 * What finance services answered a moment ago, where a connection's `cacheMs` allows it to be answered again. Each
 * process has its own: it forgets what this process changes, and finds out after `cacheMs` what others do.
 */
@Injectable()
export class ReadCache {
  /** JSON text, so that nobody changes what another is given, and its length is known. */
  private readonly kept: LRUCache<string, string>;
  private readonly underWay = new Map<string, Promise<string>>();
  /** How often an organization's replies were forgotten; a reply belongs to the time in which it was asked for. */
  private readonly times = new Map<string, number>();
  private readonly identities = new WeakMap<FinanceConnection, string>();

  constructor(private readonly clock: Clock) {
    this.kept = new LRUCache({
      max: MOST_KEPT,
      maxSize: MOST_CHARACTERS,
      maxEntrySize: LONGEST_KEPT,
      sizeCalculation: ({ length }, { length: keyLength }) => length + keyLength,
      ttlResolution: 0,
      perf: { now: () => this.now() },
    });
  }

  /**
   * What was answered to the same within the connection's `cacheMs`, else what `ask` brings now. Who asks the same
   * while it is on its way waits for it. A failure is given to all who waited, and not kept.
   */
  async read(connection: FinanceConnection, call: ReadCall, ask: () => Promise<unknown>): Promise<unknown> {
    if (connection.cacheMs === 0) return ask();
    const key = this.keyOf(connection, call);
    const text = this.kept.get(key) ?? (await (this.underWay.get(key) ?? this.ask(connection, key, ask)));
    return JSON.parse(text) as unknown;
  }

  /** Something changes in an organization's finance service: what was answered or is on its way counts no more. */
  forget(organizationId: string): void {
    this.times.set(organizationId, this.timeOf(organizationId) + 1);
  }

  private async ask({ cacheMs }: FinanceConnection, key: string, ask: () => Promise<unknown>) {
    const start = this.now();
    const asked = ask().then((value) => JSON.stringify(value));
    this.underWay.set(key, asked);
    try {
      const text = await asked;
      this.kept.set(key, text, { ttl: cacheMs, start });
      return text;
    } finally {
      this.underWay.delete(key);
    }
  }

  private keyOf(connection: FinanceConnection, { operation, path, query }: ReadCall): string {
    const { organizationId } = connection;
    const time = this.timeOf(organizationId);
    return JSON.stringify([organizationId, time, this.identityOf(connection), operation, path, query]);
  }

  /** Tells what the service sees of a connection from all others; the key itself is not kept. */
  private identityOf(connection: FinanceConnection): string {
    const known = this.identities.get(connection);
    if (known !== undefined) return known;
    const { baseUrl, organization = null, credential, form, apiKey } = connection;
    const parts = JSON.stringify([baseUrl, organization, credential, form, apiKey]);
    const identity = createHash('sha256').update(parts).digest('base64url');
    this.identities.set(connection, identity);
    return identity;
  }

  private timeOf(organizationId: string): number {
    return this.times.get(organizationId) ?? 0;
  }

  private now(): number {
    return this.clock.now().getTime();
  }
}
