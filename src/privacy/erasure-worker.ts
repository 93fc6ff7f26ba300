import { type BeforeApplicationShutdown, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../config/settings';
import { Database } from '../database/database';
import { Catalog } from '../deliveries/catalog';
import { Clock } from '../kernel/clock';
import { type Counter, Metrics } from '../kernel/metrics';
import type { Organization } from '../kernel/organization';
import { ScheduledRun } from '../kernel/scheduled-run';
import { OrganizationsRepository } from '../organizations/organizations.repository';
import { AttentionRepository } from '../workflows/attention.repository';
import { type ErasureLease, ErasureLeases, LeaseLost } from './erasure-leases.repository';
import { ErasureList } from './erasure-list.repository';
import { ErasureSteps, type Waits } from './erasure-steps';

const EVERY_MS = 5_000;
/** Until one that waits is looked at again. */
const AGAIN_MS = 5_000;
/** Until one that a person has to see to, or that failed, is looked at again. */
const LATER_MS = 60_000;

/**
 * Works on erasures, one after another, in parts that each commit with how far it is: whoever is killed leaves the rest to the
 * next. Any number of replicas may run: one at a time has an erasure.
 */
@Injectable()
export class ErasureWorker implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger('erasures');
  private readonly stop = new AbortController();
  private doneCount: Counter | undefined;
  private readonly runs = new ScheduledRun(
    () => this.work(),
    (error) =>
      this.logger.warn({
        msg: 'erasures: no erasure could be worked on; the next run tries again',
        err: error,
      }),
  );

  constructor(
    private readonly settings: Settings,
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly catalog: Catalog,
    private readonly leases: ErasureLeases,
    private readonly steps: ErasureSteps,
    private readonly attention: AttentionRepository,
    private readonly list: ErasureList,
    private readonly metrics: Metrics,
    private readonly clock: Clock,
  ) {}

  /** Says whether people's data is erased in time: the law sets terms. */
  onModuleInit(): void {
    this.metrics.gauge(
      'ponte_erasure_open_seconds',
      'How long ago the oldest erasure of a person that is not done was asked for; 0: all are done',
      async () => (await this.list.oldestOpenMs()) / 1000,
    );
    this.doneCount = this.metrics.counter(
      'ponte_erasures_done_total',
      'Erasures of people that this process has finished',
      [],
    );
  }

  /** Called by the scheduler; a run that is still under way is left to finish. */
  @Interval('erasures', EVERY_MS)
  async tick(): Promise<void> {
    if (this.settings.role === 'api' || this.stop.signal.aborted) return;
    await this.runs.tick();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stop.abort();
    await this.runs.ended();
  }

  /** Works on every erasure that is due, each as far as it can go now. @returns how many were done */
  async work(): Promise<number> {
    let done = 0;
    for (; !this.stop.signal.aborted;) {
      const lease = await this.leases.take();
      if (!lease) break;
      if (await this.workOn(lease)) done += 1;
    }
    return done;
  }

  private async workOn(lease: ErasureLease): Promise<boolean> {
    try {
      await this.database.transaction((tx) => this.catalog.refresh(tx));
      const organization = await this.organizations.find(lease.organizationId);
      if (!organization) throw new Error('an erasure is of no organization');
      return await this.goThrough(organization, lease);
    } catch (error) {
      if (error instanceof LeaseLost) return false;
      this.logger.error({
        msg: 'erasures: an erasure failed; it goes on in a minute from where it stands',
        ...{ organizationId: lease.organizationId, erasure: lease.id, step: lease.step, err: error },
      });
      await this.leases.wait(lease, 'the last try failed; the log has the error', LATER_MS);
      return false;
    }
  }

  private async goThrough(organization: Organization, taken: ErasureLease): Promise<boolean> {
    for (let lease = taken; !this.stop.signal.aborted;) {
      const stepped = await this.steps.step(organization, lease);
      if (stepped === 'done') {
        const records = lease.person.stakeholders;
        this.doneCount?.add({});
        // Outside of the database, so that it survives a restore: what was erased since the backup is erased again by it.
        this.logger.log({
          msg: 'erasures: an erasure is done',
          ...{ organization: organization.slug, erasure: lease.id, records, counts: lease.counts },
        });
        return true;
      }
      if ('note' in stepped) {
        await this.putOff(organization, lease, stepped);
        return false;
      }
      lease = stepped;
    }
    await this.leases.wait(taken, 'the process that worked on it ended', 0);
    return false;
  }

  private async putOff(organization: Organization, lease: ErasureLease, waits: Waits): Promise<void> {
    const { note, needsPerson, step } = waits;
    await this.leases.wait(lease, note, needsPerson ? LATER_MS : AGAIN_MS, step);
    if (!needsPerson) return;
    const detail = `erasure ${lease.id} cannot go on: ${note}. ponte privacy erasure ${lease.id}`;
    await this.database.transaction((tx) =>
      this.attention.record(
        tx,
        [
          {
            ...{
              organization,
              deliveryId: lease.deliveryId,
              runId: null,
              businessKey: `erasure/${lease.id}`,
            },
            attention: { code: 'privacy-erasure-waits', detail, amount: '0' },
          },
        ],
        this.clock.now(),
      ),
    );
  }
}
