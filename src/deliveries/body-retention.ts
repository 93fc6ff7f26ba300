import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../database/database';
import { Clock } from '../kernel/clock';
import { type Counter, Metrics } from '../kernel/metrics';
import { ScheduledRun } from '../kernel/scheduled-run';
import { BodyMonth } from './body-month';
import { BodyMonths } from './body-months.repository';
import { DeliveryBodies, type PurgeBatch } from './delivery-bodies.repository';

const EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
/** Months whose tables are made ahead, beside that of now. */
const MONTHS_AHEAD = 2;
/** Bodies removed in one transaction: so few that its locks and its place in the log are small. */
export const PURGE_BATCH = 500;
/** Batches of one organization in one run, so that a large one does not keep the others waiting. */
const MOST_BATCHES = 40;

/**
 * Keeps bodies in months. The tables of the months to come are made ahead; the bodies of a month go once it is as a whole
 * older than their organization keeps them. When that is so for every organization the month's table is dropped, which
 * costs the same for a hundred bodies and for millions; before that the bodies of those who keep them shorter are removed
 * one by one, and so is what outlived its month because it was not settled. Any number of replicas may do so at once, and
 * an end in between leaves the rest for later.
 */
@Injectable()
export class BodyRetention implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(BodyRetention.name);
  private purged: Counter | undefined;
  private readonly runs = new ScheduledRun(
    async () => {
      await this.prepare();
      await this.purge();
    },
    (error) =>
      this.logger.warn({
        msg: 'body retention: old bodies could not be removed; the next run tries again',
        err: error,
      }),
  );
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly bodies: DeliveryBodies,
    private readonly months: BodyMonths,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.purged = this.metrics.counter(
      'ponte_bodies_purged_total',
      'Bodies of deliveries removed because they were older than they are kept; reckoned where a month went at once',
      [],
    );
  }

  /** Before anything is received. Without its month a body is stored all the same. */
  async onApplicationBootstrap(): Promise<void> {
    await this.prepare().catch((error: unknown) =>
      this.logger.warn({
        msg: 'body retention: the tables of coming months could not be made; the next run tries again',
        err: error,
      }),
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.runs.ended();
  }

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('body-retention', EVERY_MS)
  async tick(): Promise<void> {
    if (!this.stopping) await this.runs.tick();
  }

  /** Makes the tables of this month and of those to come, where they are missing. */
  async prepare(): Promise<void> {
    const existing = await this.months.existing(this.database.prisma);
    const names = new Set(existing.map(({ name }) => name));
    for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead += 1) {
      const month = BodyMonth.of(this.clock.now(), ahead);
      if (!names.has(month.name)) await this.database.transaction((tx) => this.months.make(tx, month));
    }
  }

  /** Removes what is old enough. @returns how many bodies, reckoned where a month went at once */
  async purge(): Promise<number> {
    const limits = (await this.bodies.daysKept(this.database.prisma)).map(({ organizationId, days }) => ({
      organizationId,
      before: BodyMonth.of(new Date(this.clock.now().getTime() - days * DAY_MS)).start,
    }));
    if (limits.length === 0) return 0;
    const from = new Date(Math.min(...limits.map(({ before }) => before.getTime())));
    let total = await this.dropUntil(from);
    for (const limit of limits) {
      total += await this.purgeOf(limit);
      if (limit.before > from) total += await this.purgeOf({ ...limit, from });
    }
    return total;
  }

  private async dropUntil(end: Date): Promise<number> {
    let total = 0;
    for (const month of await this.months.existing(this.database.prisma)) {
      if (month.end > end || this.stopping) continue;
      const dropped = await this.database.transaction((tx) => this.months.drop(tx, month, this.clock.now()));
      if (!dropped) continue;
      this.logger.log({
        msg: 'body retention: the bodies of a month were dropped',
        month: month.name,
        ...dropped,
      });
      total += this.counted(dropped.gone);
    }
    return total;
  }

  private async purgeOf(which: Omit<PurgeBatch, 'limit'>): Promise<number> {
    let total = 0;
    for (let batch = 1; batch <= MOST_BATCHES && !this.stopping; batch += 1) {
      const now = this.clock.now();
      const purged = await this.database.transaction((tx) =>
        this.bodies.purge(tx, { ...which, limit: PURGE_BATCH }, now),
      );
      total += this.counted(purged);
      if (purged < PURGE_BATCH) break;
    }
    return total;
  }

  private counted(bodies: number): number {
    if (bodies > 0) this.purged?.add({}, bodies);
    return bodies;
  }
}
