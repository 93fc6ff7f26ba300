import { FinanceConnections } from '../../src/finance/remote/connections/connections';
import { ConnectionsRepository } from '../../src/finance/remote/connections/connections.repository';
import { FinanceModule } from '../../src/finance/finance.module';
import type { Organization } from '../../src/kernel/organization';
import { Company } from './company';
import { frontOf } from './looped';
import { SettableClock } from './settable-clock';
import { TestingApp, type TestingAppOptions } from './testing-app';
import { PollingApp } from './polling-app';

/** Noon in São Paulo. */
const BEGIN = '2026-03-10T15:00:00Z';

/** A Ponte that polls another one, which keeps the books of a company in a database of its own. */
export class PolledRemote {
  private constructor(
    readonly books: TestingApp,
    readonly app: PollingApp,
    /** In the books. */
    readonly company: Company,
    /** Of the one that polls. */
    readonly organization: Organization,
    private readonly ownsBooks: boolean,
  ) {}

  /** A Ponte that keeps books, for several that poll them one after another; it is closed by who opened it. */
  static serveBooks(clock = new SettableClock(BEGIN)): Promise<TestingApp> {
    return TestingApp.open({ imports: [FinanceModule], clock });
  }

  /**
   * @param cacheMs for which the one that polls may answer reads again
   * @param options of the one that polls
   * @param served of {@link serveBooks}; absent: books of its own, whose time passes with that of the one that polls
   */
  static async open(
    cacheMs = 0,
    options: TestingAppOptions = {},
    served?: TestingApp,
  ): Promise<PolledRemote> {
    const clock = new SettableClock(BEGIN);
    const books = served ?? (await PolledRemote.serveBooks(clock));
    const company = await Company.found(books.database);
    const baseUrl = `${await books.app.getUrl()}/v1`;
    const env = { ...frontOf(baseUrl), ...options.env };
    const app = await PollingApp.open({ ...options, env }, clock);
    const organization = await app.testing.makeOrganization();
    const remote = new PolledRemote(books, app, company, organization, !served);
    await remote.connect(company, cacheMs);
    return remote;
  }

  /** Another company, and the organization of the one that polls whose books it keeps. */
  async found(): Promise<{ company: Company; organization: Organization }> {
    const company = await Company.found(this.books.database);
    const organization = await this.app.testing.makeOrganization();
    await this.connect(company, 0, organization);
    return { company, organization };
  }

  /** Whose books are polled from now on. */
  async connect({ organization }: Company, cacheMs = 0, front = this.organization): Promise<void> {
    const { app, database } = this.app.testing;
    const { key } = await this.books.makeKey(organization, 'finance:read', 'finance:write');
    const stored = { organization: organization.slug, limits: { perSecond: 10_000 }, cacheMs };
    const repository = app.get(ConnectionsRepository);
    await database.transaction((tx) => repository.put(tx, front.id, stored, key));
    app.get(FinanceConnections).forget(front.id);
  }

  async close(): Promise<void> {
    await this.app.close();
    if (this.ownsBooks) await this.books.close();
  }
}
