import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { Problem } from '../../kernel/problem';
import { type Arrival, Inbox, type Receipt } from '../inbox';
import { missingCredentialNames } from '../missing-credentials';
import type { LiveSource } from '../source-directory';
import { StorageSpace } from '../storage-space';
import { arrivalOfLine, type TakenLine } from './imported-arrival';
import type { Line } from './lines';

/** What came of the lines of an import. Each line that holds something is stored, a duplicate or refused. */
export interface ImportCounts {
  /** Those that hold something. */
  lines: number;
  stored: number;
  /** Known before, as the same webhook or the same line. */
  duplicates: number;
  refused: number;
  /** Of those stored and of the duplicates: Ponte makes nothing of them. */
  ignored: number;
  /** Of the lines refused, the first {@link MOST_PROBLEMS}. */
  problems: { line: number; reason: string }[];
}

export const MOST_PROBLEMS = 20;
/** Lines that are read without letting others have the processor, and stored together. */
const AT_ONCE = 32;
/** Milliseconds between two looks at whether webhooks leave room. */
const ROOM_MS = 50;
/** How often that is looked at, before whoever imports is told to come back. */
const MOST_WAITS = 200;
const RETRY_SECONDS = 5;
const PAUSE_SECONDS = 300;

/** Takes lines of an import into the inbox, behind the webhooks that arrive meanwhile. */
@Injectable()
export class Imports {
  private readonly logger = new Logger(Imports.name);

  constructor(
    private readonly inbox: Inbox,
    private readonly storage: StorageSpace,
    private readonly clock: Clock,
  ) {}

  /** Why nothing can be imported into the source now, whatever the lines are; undefined: it can. */
  refusal(source: LiveSource, topic?: string): Problem | undefined {
    const { provider, paused, providerUnknown, credentials } = source;
    if (providerUnknown || credentials === undefined)
      return new Problem('unavailable', 'This replica cannot read the source; another one may.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    if (paused)
      return new Problem('source-paused', 'This source is paused.', { retryAfterSeconds: PAUSE_SECONDS });
    if (topic !== undefined && provider.topicInBody)
      return new Problem('malformed-request', `topic: webhooks of ${provider.title} name theirs in the body`);
    const missing = provider.fetchBack ? missingCredentialNames(source, credentials) : [];
    if (missing.length > 0)
      return new Problem(
        'conflict',
        `What the lines name is fetched from the API of ${provider.title}, and the source has no credentials (${missing.join(', ')}) for it: set them first`,
      );
    return this.storage.refusal(source);
  }

  /**
   * Stores what is not stored yet. What {@link refusal} says is for the caller to ask first.
   * @throws Problem `saturated` or `unavailable` in the midst of it; the same lines again go on where it ended
   */
  async take(source: LiveSource, lines: Iterable<Line>, topic?: string): Promise<ImportCounts> {
    const counts: ImportCounts = {
      ...{ lines: 0, stored: 0, duplicates: 0, refused: 0, ignored: 0 },
      problems: [],
    };
    let group: Line[] = [];
    for (const line of lines) {
      group.push(line);
      if (group.length < AT_ONCE) continue;
      await this.takeGroup(source, group, topic, counts);
      group = [];
    }
    if (group.length > 0) await this.takeGroup(source, group, topic, counts);
    return counts;
  }

  private async takeGroup(
    source: LiveSource,
    lines: readonly Line[],
    topic: string | undefined,
    counts: ImportCounts,
  ): Promise<void> {
    const now = this.clock.now();
    const taken: TakenLine[] = [];
    for (const { number, bytes } of lines) {
      counts.lines += 1;
      const line = arrivalOfLine(bytes, source, { topic, now });
      if ('arrival' in line) taken.push(line);
      else refuse(counts, number, line.refused);
    }
    const receipts = await this.store(
      source,
      taken.map(({ arrival }) => arrival),
    );
    counts.duplicates += receipts.filter(({ duplicate }) => duplicate).length;
    counts.stored += receipts.filter(({ duplicate }) => !duplicate).length;
    counts.ignored += taken.filter(({ ignored }) => ignored).length;
  }

  /** Waits while webhooks need the inbox. */
  private async room(): Promise<void> {
    for (let waits = 0; this.inbox.crowded; waits += 1) {
      if (waits >= MOST_WAITS)
        throw new Problem('saturated', 'Webhooks leave no room for an import.', {
          retryAfterSeconds: RETRY_SECONDS,
        });
      await sleep(ROOM_MS);
    }
  }

  /** Stores few arrivals that are no webhooks, once there is room. @throws Problem `saturated` or `unavailable` */
  async store({ organization, slug }: LiveSource, arrivals: readonly Arrival[]): Promise<Receipt[]> {
    await this.room();
    const all = await Promise.allSettled(arrivals.map((arrival) => this.inbox.accept(arrival)));
    const failed = all.find((one) => one.status === 'rejected');
    if (failed) {
      this.logger.error({
        msg: 'import: what was missed could not be stored; whoever imports is answered 503 with Retry-After, a comparison is made again',
        organization: organization.slug,
        source: slug,
        err: failed.reason as unknown,
      });
      throw new Problem('unavailable', 'Some of it could not be stored.', {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    return all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  }
}

function refuse(counts: ImportCounts, line: number, reason: string): void {
  counts.refused += 1;
  if (counts.problems.length < MOST_PROBLEMS) counts.problems.push({ line, reason });
}
