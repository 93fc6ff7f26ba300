import { FinanceConnections } from '../../src/finance/remote/connections/connections';
import { ConnectionsRepository } from '../../src/finance/remote/connections/connections.repository';
import { FinanceModule } from '../../src/finance/finance.module';
import type { Organization } from '../../src/kernel/organization';
import { Company } from './company';
import { frontOf } from './looped';
import { SettableClock } from './settable-clock';
import { TestingApp, type TestingAppOptions } from './testing-app';
import { Watching } from './watching';

/** A Ponte that looks at another one, which keeps the books of a company in a database of its own. */
export class WatchedRemote {
  private constructor(
    readonly books: TestingApp,
    readonly watching: Watching,
    /** In the books. */
    readonly company: Company,
    /** Of the one that looks. */
    readonly organization: Organization,
  ) {}

  /**
   * @param cacheMs for which the one that looks may answer reads again
   * @param options of the one that looks
   */
  static async open(cacheMs = 0, options: TestingAppOptions = {}): Promise<WatchedRemote> {
    const clock = new SettableClock('2026-03-10T15:00:00Z');
    const books = await TestingApp.open({ imports: [FinanceModule], clock });
    const company = await Company.found(books.database);
    const baseUrl = `${await books.app.getUrl()}/v1`;
    const env = { ...frontOf(baseUrl), ...options.env };
    const watching = await Watching.open({ ...options, env }, clock);
    const organization = await watching.testing.makeOrganization();
    const remote = new WatchedRemote(books, watching, company, organization);
    await remote.connect(company, cacheMs);
    return remote;
  }

  /** Another company, and the organization of the one that looks whose books it keeps. */
  async found(): Promise<{ company: Company; organization: Organization }> {
    const company = await Company.found(this.books.database);
    const organization = await this.watching.testing.makeOrganization();
    await this.connect(company, 0, organization);
    return { company, organization };
  }

  /** Whose books are looked at from now on. */
  async connect({ organization }: Company, cacheMs = 0, front = this.organization): Promise<void> {
    const { app, database } = this.watching.testing;
    const { key } = await this.books.makeKey(organization, 'finance:read', 'finance:write');
    const stored = { organization: organization.slug, limits: { perSecond: 10_000 }, cacheMs };
    const repository = app.get(ConnectionsRepository);
    await database.transaction((tx) => repository.put(tx, front.id, stored, key));
    app.get(FinanceConnections).forget(front.id);
  }

  async close(): Promise<void> {
    await this.watching.close();
    await this.books.close();
  }
}
