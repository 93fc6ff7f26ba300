import { setImmediate as nextTurn } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Database } from '../database/database';
import { Clock } from '../kernel/clock';
import { type Counter, Metrics } from '../kernel/metrics';
import { DeliveryBodies } from './delivery-bodies.repository';

const EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
/** Bodies removed in one transaction: so few that its locks and its place in the log are small. */
export const PURGE_BATCH = 500;
/** Batches of one organization in one run, so that a large one does not keep the others waiting. */
const MOST_BATCHES = 40;

/**
 * Removes the bodies of deliveries that were settled and are older than their organization keeps them. Any number of
 * replicas may do so at once: each takes what no other has taken, and an end in between leaves the rest for later.
 */
@Injectable()
export class BodyRetention implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(BodyRetention.name);
  private purged: Counter | undefined;
  private running: Promise<unknown> | undefined;
  private stopping = false;

  constructor(
    private readonly database: Database,
    private readonly bodies: DeliveryBodies,
    private readonly clock: Clock,
    private readonly metrics: Metrics,
  ) {}

  onModuleInit(): void {
    this.purged = this.metrics.counter(
      'ponte_bodies_purged_total',
      'Bodies of deliveries removed because they were older than they are kept',
      [],
    );
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await this.running;
  }

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('body-retention', EVERY_MS)
  async tick(): Promise<void> {
    if (this.running || this.stopping) return;
    this.running = this.purge().catch((error: unknown) =>
      this.logger.warn({ msg: 'old bodies could not be removed; the next run tries again', err: error }),
    );
    await this.running;
    this.running = undefined;
  }

  /** Goes through the organizations once, batch by batch. @returns how many bodies were removed */
  async purge(): Promise<number> {
    let total = 0;
    for (const { organizationId, days } of await this.bodies.daysKept(this.database.prisma)) {
      for (let batch = 1; batch <= MOST_BATCHES && !this.stopping; batch += 1) {
        const purged = await this.purgeBatch(organizationId, days);
        total += purged;
        if (purged < PURGE_BATCH) break;
        // The embedded database works in this very thread.
        await nextTurn();
      }
    }
    return total;
  }

  private async purgeBatch(organizationId: string, days: number): Promise<number> {
    const now = this.clock.now();
    const before = new Date(now.getTime() - days * DAY_MS);
    const batch = { organizationId, before, limit: PURGE_BATCH };
    const purged = await this.database.transaction((tx) => this.bodies.purge(tx, batch, now));
    if (purged > 0) this.purged?.add({}, purged);
    return purged;
  }
}
