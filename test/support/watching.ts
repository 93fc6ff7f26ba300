import { FeedModule } from '../../src/feed/feed.module';
import { FeedOrder } from '../../src/feed/feed-order.repository';
import { FinanceModule } from '../../src/finance/finance.module';
import { ChangeDetector } from '../../src/finance/change-detection/change-detector';
import { PollLeases } from '../../src/finance/change-detection/poll-leases.repository';
import { SettableClock } from './settable-clock';
import { TestingApp, type TestingAppOptions } from './testing-app';
import { FeedNews } from './feed-news';
import type { ToldChange } from './told';

/** Seconds between looks in tests. */
const EVERY = 300;

/** Noon in São Paulo. */
const BEGIN = '2026-03-10T15:00:00Z';

/** A Ponte before a remote service that polls when it is asked to, at a time that is set. */
export class Watching {
  private readonly feed: FeedNews;

  private constructor(
    readonly testing: TestingApp,
    readonly clock: SettableClock,
  ) {
    this.feed = new FeedNews(testing.database);
  }

  static async open(options: TestingAppOptions = {}, clock = new SettableClock(BEGIN)): Promise<Watching> {
    const imports = [FinanceModule, FeedModule];
    const env = { WATCH_EVERY: String(EVERY), ...options.env };
    return new Watching(await TestingApp.open({ ...options, imports, clock, env }), clock);
  }

  get watch(): ChangeDetector {
    return this.testing.app.get(ChangeDetector);
  }

  /** Time goes on, and everything is looked at that is due then. */
  async look(seconds = EVERY + 1): Promise<void> {
    await this.ready();
    this.pass(seconds);
    await this.watch.run();
  }

  /** As the scheduler and the feed would have it by now. */
  async ready(): Promise<void> {
    await this.testing.app.get(PollLeases).ensure(this.clock.now());
    await this.testing.app.get(FeedOrder).assignPositions();
  }

  /** Leaves an organization alone from now on: the tests to come are about others. */
  async leave(organizationId: string): Promise<void> {
    const dueAt = new Date('2100-01-01T00:00:00Z');
    await this.testing.database.prisma.pollLease.updateMany({ where: { organizationId }, data: { dueAt } });
  }

  pass(seconds: number): void {
    this.clock.set(new Date(this.clock.now().getTime() + seconds * 1000).toISOString());
  }

  /** What the feed of an organization was told since this was last asked, in the order of the feed. */
  news(organizationId: string): Promise<ToldChange[]> {
    return this.feed.news(organizationId);
  }

  /** Types and subjects alone. */
  headlines(organizationId: string): Promise<string[]> {
    return this.feed.headlines(organizationId);
  }

  close(): Promise<void> {
    return this.testing.close();
  }
}
