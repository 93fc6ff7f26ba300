import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Database } from '../database/database';
import { BoundedMap } from '../kernel/bounded-map';
import { Clock } from '../kernel/clock';
import { Metrics } from '../kernel/metrics';

/** Shortest time between two writes about one source, in milliseconds: strangers can be refused as often as they like. */
const WRITE_EVERY_MS = 60_000;
/** How many sources are remembered as written about. */
const MOST_REMEMBERED = 10_000;
/** Milliseconds for which a refusal is reported. */
const NOTE_MS = 86_400_000;
/** How many sources the metrics name. */
const MOST_NAMED = 100;

/** Keeps with each source when its last webhook was refused and why, for operators and for an alert. */
@Injectable()
export class SourceRefusals implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('intake');
  /** By the source's identifier, milliseconds since the epoch. */
  private readonly writtenAt = new BoundedMap<string, number>(MOST_REMEMBERED);
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
   * Notes a refusal; it is written soon, once a minute for each source at most.
   * @param reason why, without anything the sender chose
   */
  note(sourceId: string, reason: string): void {
    const now = this.clock.now();
    const before = this.writtenAt.get(sourceId);
    if (before !== undefined && Math.abs(now.getTime() - before) < WRITE_EVERY_MS) return;
    this.writtenAt.set(sourceId, now.getTime());
    const write = this.write(sourceId, now, reason).finally(() => this.writing.delete(write));
    this.writing.add(write);
  }

  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.writing);
  }

  private async write(sourceId: string, at: Date, reason: string): Promise<void> {
    try {
      await this.database.prisma.$executeRaw`
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
