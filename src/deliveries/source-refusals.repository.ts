import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../database/database';
import { BoundedMap } from '../kernel/bounded-map';
import { Clock } from '../kernel/clock';
import { Metrics } from '../kernel/metrics';
import { countedSince, REFUSALS_KEPT_MS } from './source-health/refusal-counts';

/** Shortest time between two writes about one source, in milliseconds: strangers can be refused as often as they like. */
const WRITE_EVERY_MS = 60_000;
/** How many sources are remembered as written about. */
const MOST_REMEMBERED = 10_000;
/** Milliseconds for which a refusal is reported. */
const NOTE_MS = 86_400_000;
/** How many sources the metrics name. */
const MOST_NAMED = 100;

/** What is not written yet of a source's refusals. */
interface Unwritten {
  count: number;
  at: Date;
  reason: string;
}

/** Keeps with each source when its last webhook was refused and why, and how many were, for operators and for alerts. */
@Injectable()
export class SourceRefusals implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('intake');
  /** By the source's identifier, milliseconds since the epoch. */
  private readonly writtenAt = new BoundedMap<string, number>(MOST_REMEMBERED);
  private readonly unwritten = new BoundedMap<string, Unwritten>(MOST_REMEMBERED);
  private readonly writing = new Set<Promise<void>>();

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.metrics.gauges(
      'ponte_source_refused_seconds',
      `Seconds since the last webhook of a source was refused; only of sources refused within a day and sent nothing good since, ${MOST_NAMED} at most`,
      'source',
      () => this.unanswered(),
    );
  }

  /**
   * Notes a refusal; it is written soon, once a minute for each source at most, with all that came in between.
   * @param reason why, without anything the sender chose
   */
  note(sourceId: string, reason: string): void {
    const now = this.clock.now();
    const { count = 0 } = this.unwritten.get(sourceId) ?? {};
    this.unwritten.set(sourceId, { count: count + 1, at: now, reason });
    const before = this.writtenAt.get(sourceId);
    if (before === undefined || Math.abs(now.getTime() - before) >= WRITE_EVERY_MS) this.begin(sourceId, now);
  }

  /** Writes what was noted and not followed by anything that would have written it. Called by the scheduler. */
  @Interval('source-refusals', WRITE_EVERY_MS)
  async flush(): Promise<void> {
    const now = this.clock.now();
    for (const sourceId of this.unwritten.keys()) this.begin(sourceId, now);
    await Promise.all(this.writing);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.flush();
  }

  private begin(sourceId: string, now: Date): void {
    const noted = this.unwritten.get(sourceId);
    if (!noted) return;
    this.unwritten.delete(sourceId);
    this.writtenAt.set(sourceId, now.getTime());
    const write = this.write(sourceId, noted).finally(() => this.writing.delete(write));
    this.writing.add(write);
  }

  private async write(sourceId: string, { count, at, reason }: Unwritten): Promise<void> {
    try {
      await this.database.prisma.$executeRaw`
        with counted as (
          insert into source_refusal_count (source_id, since, count)
          values (${sourceId}::uuid, ${countedSince(at)}::timestamptz, ${count}::int)
          on conflict (source_id, since) do update set count = source_refusal_count.count + excluded.count),
        forgotten as (
          delete from source_refusal_count where source_id = ${sourceId}::uuid
            and since < ${new Date(at.getTime() - REFUSALS_KEPT_MS)}::timestamptz)
        update source set refused_at = ${at}::timestamptz, refused_reason = ${reason} where id = ${sourceId}::uuid`;
    } catch (error) {
      this.logger.warn({
        msg: 'intake: a refused webhook could not be recorded with its source; `ponte sources` does not show it',
        source: sourceId,
        err: error,
      });
    }
  }

  /** Seconds by `organization/source`. */
  private async unanswered(): Promise<Record<string, number>> {
    const now = this.clock.now();
    const rows = await this.database.prisma.$queryRaw<{ source: string; at: Date }[]>`
      select o.slug || '/' || s.slug as source, s.refused_at as at
      from source s join organization o on o.id = s.organization_id
      where s.refused_at > ${new Date(now.getTime() - NOTE_MS)}::timestamptz
        and not exists (select from delivery d where d.source_id = s.id and d.received_at >= s.refused_at)
      order by s.refused_at desc limit ${MOST_NAMED}`;
    return Object.fromEntries(
      rows.map(({ source, at }) => [source, Math.max(0, now.getTime() - at.getTime()) / 1000]),
    );
  }
}
