import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings';
import { Problem } from '../kernel/problem';
import { Catalog } from './catalog';
import { type LiveSource, SourceDirectory } from './source-directory';

/** Shortest time between two questions to the database, in milliseconds: strangers can make up addresses without end. */
const SHORTEST_MS = 1_000;
/** How many may wait for an answer; more are answered 503 with Retry-After. */
const MOST_WAITING = 1_000;
const RETRY_SECONDS = 2;

/**
 * Finds sources, also those that another replica has just made: before an address counts as unknown, the database is
 * asked once, by all who wait together.
 */
@Injectable()
export class SourceLookup {
  private next: Promise<void> | undefined;
  private askedAt = -Infinity;
  private waiting = 0;

  constructor(
    private readonly sources: SourceDirectory,
    private readonly catalog: Catalog,
    private readonly settings: Settings,
  ) {}

  /** What is in memory. @param organization slug or identifier */
  known(organization: string, slug: string): LiveSource | undefined {
    return this.sources.find(organization, slug);
  }

  /**
   * As {@link known}, after asking the database where nothing is.
   * @throws Problem `saturated` when too many are waiting, `unavailable` when the database cannot be asked
   */
  async find(organization: string, slug: string): Promise<LiveSource | undefined> {
    const known = this.known(organization, slug);
    // Nobody else can have changed the embedded database.
    if (known || this.settings.embeddedDatabase) return known;
    await this.askTogether();
    return this.known(organization, slug);
  }

  /**
   * The sources that a store is connected to, those of the addressed source's organization first; the database is asked
   * where there is none.
   * @param store as the setting `storeId` has it
   * @throws Problem as {@link find}
   */
  async ofStore(addressed: LiveSource, store: string): Promise<readonly LiveSource[]> {
    const known = this.sources.ofStore(addressed.provider.id, store);
    if (known.length === 0 && !this.settings.embeddedDatabase) await this.askTogether();
    const isOwn = ({ organization }: LiveSource): number =>
      organization.id === addressed.organization.id ? 0 : 1;
    return this.sources
      .ofStore(addressed.provider.id, store)
      .toSorted((one, other) => isOwn(one) - isOwn(other) || (one.id < other.id ? -1 : 1));
  }

  private async askTogether(): Promise<void> {
    if (this.waiting >= MOST_WAITING)
      throw new Problem('saturated', 'Too many unknown addresses are asked for.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    this.waiting += 1;
    try {
      await (this.next ??= this.ask());
    } finally {
      this.waiting -= 1;
    }
  }

  /** Those who come once it has begun to ask wait for the next time: what it reads may be older than their source. */
  private async ask(): Promise<void> {
    // A tick later at the earliest: those who come together ask together.
    await wait(Math.max(0, this.askedAt + SHORTEST_MS - performance.now()));
    this.askedAt = performance.now();
    this.next = undefined;
    try {
      await this.catalog.refresh();
    } catch {
      // The catalog's own round says in the log what is wrong.
      throw new Problem('unavailable', 'Whether there is such a source cannot be found out at present.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
  }
}
