import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../config/settings';
import { Clock } from '../../kernel/clock';
import { Problem } from '../../kernel/problem';
import { OrganizationsRepository } from '../../organizations/organizations.repository';
import { CustomerPoll } from './customer-poll';
import { ListingPoll } from './listing-poll';
import { UnusableListing } from './observation';
import { LostLease, type PollLease, PollLeases } from './poll-leases.repository';

const EVERY_MS = 5_000;

/** Organizations that a replica polls at once. */
const AT_ONCE = 4;

/** How far polls that fail are put off at most, unless the interval itself is longer. */
const LONGEST_BACKOFF_MS = 3_600_000;

/**
 * Polls the listings of remote finance services and appends what changed since the last poll to the feed: the finance
 * interface announces nothing by itself. Any number of replicas do this, one organization's listings one after another.
 */
@Injectable()
export class ChangeDetector implements BeforeApplicationShutdown {
  private readonly logger = new Logger(ChangeDetector.name);
  private readonly everyMs: number;
  private readonly wanted: boolean;
  private readonly underWay = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(
    private readonly leases: PollLeases,
    private readonly listings: ListingPoll,
    private readonly customers: CustomerPoll,
    private readonly organizations: OrganizationsRepository,
    private readonly clock: Clock,
    { watchEverySeconds, role }: Settings,
  ) {
    this.everyMs = watchEverySeconds * 1000;
    this.wanted = watchEverySeconds > 0 && role !== 'api';
  }

  /** Called by the scheduler; does not wait for the polls it begins. */
  @Interval('change-detection', EVERY_MS)
  async tick(): Promise<void> {
    if (!this.wanted || this.stopping.signal.aborted) return;
    try {
      await this.leases.ensure(this.clock.now());
    } catch (error) {
      this.logger.error({
        msg: 'change detection: poll leases could not be created; the next run tries again',
        err: error,
      });
      return;
    }
    while (this.underWay.size < AT_ONCE && !this.stopping.signal.aborted) this.begin();
  }

  /** Polls whatever is due now. Any number may do so at once. */
  async run(): Promise<void> {
    const { signal } = this.stopping;
    for (;;) {
      const lease = signal.aborted ? undefined : await this.leases.take(this.clock.now());
      if (!lease) return;
      await this.poll(lease, signal);
    }
  }

  /** Ends the polls under way at their next page. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await Promise.all(this.underWay);
  }

  private begin(): void {
    const run = this.run()
      .catch((error: unknown) => {
        this.logger.error({
          msg: 'change detection: a poll failed; it is repeated when its lease has ended',
          err: error,
        });
      })
      .finally(() => this.underWay.delete(run));
    this.underWay.add(run);
  }

  private async poll(lease: PollLease, signal: AbortSignal): Promise<void> {
    try {
      const organization = await this.organizations.find(lease.organizationId);
      if (!organization) throw new Error('an organization that is to be polled does not exist');
      const poll = lease.kind === 'customer-schedules' ? this.customers : this.listings;
      await poll.run(lease, organization, signal);
    } catch (error) {
      if (error instanceof LostLease) return;
      if (signal.aborted) await this.listings.giveBack(lease).catch(unlessLost);
      else await this.backOff(lease, error);
    }
  }

  /** The next poll comes later the more have failed; only the first failure is logged. */
  private async backOff(lease: PollLease, error: unknown): Promise<void> {
    const asked = error instanceof Problem ? (error.extras.retryAfterSeconds ?? 0) * 1000 : 0;
    const now = this.clock.now().getTime();
    const failures = await this.leases.failed(lease, (count) => {
      const longest = Math.max(this.everyMs, LONGEST_BACKOFF_MS);
      const backoff = Math.min(longest, this.everyMs * 2 ** Math.min(count - 1, 20));
      return new Date(now + Math.max(backoff, asked));
    });
    if (failures !== 1) return;
    const { organizationId, kind } = lease;
    const expected = error instanceof Problem || error instanceof UnusableListing;
    this.logger.warn({
      msg: 'change detection: a listing could not be polled; it is tried again with growing pauses, and the feed gets no changes of it meanwhile',
      organizationId,
      kind,
      ...(expected ? { reason: error instanceof Problem ? error.code : error.message } : { err: error }),
    });
  }
}

function unlessLost(error: unknown): void {
  if (!(error instanceof LostLease)) throw error;
}
