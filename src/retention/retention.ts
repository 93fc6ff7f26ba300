import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import { SharedClock } from '../kernel/clock';
import { type Counter, Metrics } from '../kernel/metrics';
import type { RetentionDays } from '../kernel/retention';
import { ScheduledRun } from '../kernel/scheduled-run';
import { type KeptFor, OrganizationsRepository } from '../organizations/organizations.repository';
import { DAY_MS, type RetainedKind, type RetainedKindName } from './retained-kind';
import { RETAINED_KINDS } from './retained-kinds';
import { RetentionProgress } from './retention-progress.repository';

const EVERY_MS = 10 * 60_000;
/** Rows that one transaction looks at: so few that its locks and its place in the log are small. */
export const ROWS_A_BATCH = 500;
/**
 * Batches of one kind of one organization in one run, so that a large one does not keep the others waiting; enough for fourteen
 * million rows a day.
 */
const MOST_BATCHES = 200;
/** No batch is begun later in the turn of one kind of one organization, however slow the database is. */
const MOST_MS = 30_000;

type Counts = Partial<Record<RetainedKindName, number>>;

/**
 * Removes what organizations keep for a time only, once that is over. What is removed and how far it has come are committed
 * together, batch by batch: an end in between leaves the rest for later, and of replicas that come to the same kind at once
 * one goes on and the others leave it.
 */
@Injectable()
export class Retention implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(Retention.name);
  private removed: Counter | undefined;
  private readonly runs = new ScheduledRun(
    () => this.run(),
    (error) =>
      this.logger.warn({
        msg: 'retention: what is no longer kept could not be removed; the next run tries again',
        err: error,
      }),
  );
  private stopping = false;

  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly progress: RetentionProgress,
    private readonly clock: SharedClock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.removed = this.metrics.counter(
      'ponte_retention_removed_total',
      'What was removed because it is older than its organization keeps it: rows, or contents of rows that stay',
      ['kind'],
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.runs.ended();
  }

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('retention', EVERY_MS)
  async tick(): Promise<void> {
    if (this.settings.role !== 'api' && !this.stopping) await this.runs.tick();
  }

  /** Removes what is old enough, of every organization. @returns how much */
  async run(): Promise<number> {
    const runAt = this.clock.now();
    let total = 0;
    for (const organization of await this.organizations.keptFor()) {
      if (this.stopping) break;
      total += await this.runOf(organization, runAt);
    }
    return total;
  }

  /** One kind that fails must not keep the others, nor other organizations, from being removed. */
  private async runOf({ id, slug, days }: KeptFor, runAt: Date): Promise<number> {
    const counts: Counts = {};
    for (const kind of RETAINED_KINDS) {
      const kept = days[kind.kind];
      if (kept === null || this.stopping) continue;
      try {
        const removed = await this.removeOld(kind, id, days, kept, runAt);
        if (removed > 0) counts[kind.kind] = removed;
      } catch (error) {
        this.logger.warn({
          msg: `retention: old ${kind.kind} could not be removed; the next run tries again`,
          organization: slug,
          err: error,
        });
      }
    }
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
    if (total > 0)
      this.logger.log({
        msg: 'retention: what is no longer kept was removed',
        organization: slug,
        ...counts,
      });
    return total;
  }

  private async removeOld(
    kind: RetainedKind,
    organizationId: string,
    days: RetentionDays,
    kept: number,
    runAt: Date,
  ): Promise<number> {
    const begun = performance.now();
    const before = new Date(runAt.getTime() - kept * DAY_MS);
    let total = 0;
    await this.progress.begin(organizationId, kind.kind);
    for (let batch = 1; batch <= MOST_BATCHES && !this.stopping; batch += 1) {
      const done = await this.database.transaction(async (tx) => {
        const progress = await this.progress.take(tx, organizationId, kind.kind);
        if (!progress) return undefined;
        const began = progress.passBeganAt;
        const isOver = began === null || runAt.getTime() - began.getTime() >= kind.passMs;
        const anew = began === null || (progress.ended && isOver);
        const passBeganAt = anew ? runAt : began;
        const rests = progress.ended && !anew && !kind.alongTime;
        const { place } = progress;
        const step = rests
          ? { removed: 0, place: place as object | null, ended: true }
          : await kind.remove(tx, {
              ...{ organizationId, before, days, now: runAt, limit: ROWS_A_BATCH },
              place: anew ? null : place,
            });
        await this.progress.keep(tx, organizationId, kind.kind, { ...step, passBeganAt, runAt });
        return step;
      });
      if (!done) break;
      this.removed?.add({ kind: kind.kind }, done.removed);
      total += done.removed;
      if (done.ended || performance.now() - begun > MOST_MS) break;
    }
    return total;
  }
}
