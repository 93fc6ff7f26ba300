import { FeedModule } from '../../src/feed/feed.module';
import { FeedOrder } from '../../src/feed/feed-order.repository';
import { FinanceModule } from '../../src/finance/finance.module';
import { ChangeDetector } from '../../src/finance/change-detection/change-detector';
import { PollLeases } from '../../src/finance/change-detection/poll-leases.repository';
import { SettableClock } from './settable-clock';
import { TestingApp, type TestingAppOptions } from './testing-app';
import { type FeedChange, UnreadChanges } from './feed-changes';

/** Seconds between polls in tests. */
const EVERY = 300;

/** Noon in São Paulo. */
const BEGIN = '2026-03-10T15:00:00Z';

/** A Ponte before a remote service that polls when it is asked to, at a time that is set. */
export class PollingApp {
  private readonly feed: UnreadChanges;

  private constructor(
    readonly testing: TestingApp,
    readonly clock: SettableClock,
  ) {
    this.feed = new UnreadChanges(testing.database);
  }

  static async open(options: TestingAppOptions = {}, clock = new SettableClock(BEGIN)): Promise<PollingApp> {
    const imports = [FinanceModule, FeedModule];
    const env = { WATCH_EVERY: String(EVERY), ...options.env };
    return new PollingApp(await TestingApp.open({ ...options, imports, clock, env }), clock);
  }

  get detector(): ChangeDetector {
    return this.testing.app.get(ChangeDetector);
  }

  /** Time passes, and everything is polled that is due then. */
  async poll(seconds = EVERY + 1): Promise<void> {
    await this.prepare();
    this.pass(seconds);
    await this.detector.run();
  }

  /** As the scheduler and the feed would have it by now. */
  async prepare(): Promise<void> {
    await this.testing.app.get(PollLeases).ensure(this.clock.now());
    await this.testing.app.get(FeedOrder).assignPositions();
  }

  /** Polls an organization no more: the tests to come are about others. */
  async stopPolling(organizationId: string): Promise<void> {
    const dueAt = new Date('2100-01-01T00:00:00Z');
    await this.testing.database.prisma.pollLease.updateMany({ where: { organizationId }, data: { dueAt } });
  }

  pass(seconds: number): void {
    this.clock.set(new Date(this.clock.now().getTime() + seconds * 1000).toISOString());
  }

  /** What was appended to an organization's feed since this was last asked, in the order of the feed. */
  changes(organizationId: string): Promise<FeedChange[]> {
    return this.feed.next(organizationId);
  }

  /** Types and subjects alone. */
  changeLines(organizationId: string): Promise<string[]> {
    return this.feed.nextLines(organizationId);
  }

  close(): Promise<void> {
    return this.testing.close();
  }
}
