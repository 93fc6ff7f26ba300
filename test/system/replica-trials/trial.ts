import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Settings } from '../../../src/config/settings';
import type { Database } from '../../../src/database/database';
import { openDatabase } from '../../../src/database/open-database';
import { FaultyFinanceProcess } from '../../faulty-finance/faulty-finance-process';
import { testDatabasePlace, type TestDatabasePlace } from '../../support/database';
import { Random } from '../../support/random';
import { type BooksReport, examine, IN_ORDER } from '../books';
import { makeOrders, makeWebhooks, type LoadWebhook } from '../load';
import { COMPANIES, STRICT, writeConfiguration } from '../remote-chaos/companies';
import { readRecords } from '../remote-chaos/ponte-records';
import { connect } from '../remote-chaos/remote-chaos';
import { CLEAN, verdictOn, type CompanyOrder, type Verdict } from '../remote-chaos/verdict';
import { SETTLE_MS, TIMEOUTS } from '../remote-chaos/weathers';
import { FeedReader } from './feed-reader';
import { TrialReplica } from './trial-replica';

const ROOT = join(__dirname, '../../..');
/** What the webhooks of a trial are signed with. */
export const SECRET = 'trial-secret';
const OPERATORS_KEY = 'trial-operators-key-0001';
const SETTLE_LIMIT_MS = 300_000;
/** A replica remembers for five seconds whether an organization is connected. */
const NOTICED_MS = 6_000;
/** Each is a receipt: the more there are, the longer a remote order takes. */
const MOST_INSTALMENTS = 3;

/** Where the books are: in Ponte's own database, or at a finance service. */
export type Backend = 'embedded' | 'remote';

export const BACKENDS: readonly Backend[] = ['embedded', 'remote'];

/** What came of a trial. */
export interface Judgement {
  /** Some of what is still to be done. */
  unfinished: object[];
  /** Names of the replicas whose process has ended by itself. */
  ended: string[];
  /** Orders that wait for a person. */
  parked: number;
  books: BooksReport | Verdict;
}

/** Replicas on one database, the orders that were sent to them, and the judgement on what came of those. */
export class Trial {
  readonly orders: CompanyOrder[] = [];
  readonly replicas: TrialReplica[] = [];
  private readonly webhooks: LoadWebhook[] = [];
  private openedDatabase?: Database;
  private readonly random = new Random(20_261_123);

  private constructor(
    readonly backend: Backend,
    private readonly place: TestDatabasePlace,
    private readonly folder: string,
    /** Undefined: the books are embedded. */
    private readonly financeService: FaultyFinanceProcess | undefined,
  ) {}

  /**
   * Gives a trial what it needs, and takes everything away when it is over.
   * @param findPlace where the database is; absent: a database of TEST_DATABASE_URL
   */
  static async run(
    backend: Backend,
    work: (trial: Trial) => Promise<void>,
    findPlace: () => Promise<TestDatabasePlace> = testDatabasePlace,
  ): Promise<void> {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-trial-'));
    if (backend === 'remote') writeConfiguration(folder);
    const place = await findPlace();
    const finance = backend === 'remote' ? await FaultyFinanceProcess.start(COMPANIES) : undefined;
    const trial = new Trial(backend, place, folder, finance);
    try {
      await work(trial);
    } finally {
      trial.replicas.forEach((replica) => replica.thaw());
      await Promise.all(trial.replicas.map((replica) => replica.remove()));
      await trial.openedDatabase?.close();
      await finance?.stop();
      await place.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  /** Connection string of the database. */
  get databaseUrl(): string {
    return this.place.environment['DATABASE_URL'] ?? '';
  }

  /** @throws Error when the books are embedded */
  get finance(): FaultyFinanceProcess {
    if (!this.financeService) throw new Error('the trial has no finance service');
    return this.financeService;
  }

  /** Starts one more replica. @param env beyond what all have */
  async startReplica(name: string, env: Readonly<Record<string, string>> = {}): Promise<TrialReplica> {
    const replica = await TrialReplica.start(name, {
      ...this.place.environment,
      CONFIG_DIR: this.backend === 'remote' ? this.folder : join(ROOT, 'config'),
      SHOPIFY_WEBHOOK_SECRET: SECRET,
      ADMIN_API_KEY: OPERATORS_KEY,
      ...(this.financeService && { FINANCE_BACKEND: 'remote', FINANCE_BASE_URL: this.financeService.url }),
      ...env,
    });
    this.replicas.push(replica);
    return replica;
  }

  /** One that was killed on purpose: what was to be sent to it is sent to another. */
  replaceBy(killed: TrialReplica, other: TrialReplica): void {
    killed.sender.aim(other.url);
    this.replicas.splice(this.replicas.indexOf(killed), 1);
  }

  /**
   * Connects the organizations to their finance service, where there is one, and waits until no replica remembers that there
   * was none: it would put its orders off for half a minute.
   */
  async connectFinance({ url }: TrialReplica, settleMs = SETTLE_MS, timeouts = TIMEOUTS): Promise<void> {
    if (!this.financeService) return;
    await connect(url, OPERATORS_KEY, settleMs, timeouts);
    await sleep(NOTICED_MS);
  }

  /** Whoever reads the feed of `main`. */
  async feedReader({ url }: TrialReplica): Promise<FeedReader> {
    const reply = await fetch(`${url}/admin/organizations/main/keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATORS_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'trial', scopes: ['feed:read'] }),
    });
    if (!reply.ok) throw new Error(`making a key was answered ${reply.status}: ${await reply.text()}`);
    return new FeedReader(((await reply.json()) as { key: string }).key);
  }

  /** Makes orders that are to be sent, about one customer for four of them, and holds the books to them. */
  newOrders(count: number, organizations = ['main']): CompanyOrder[] {
    const made = makeOrders(count, this.random, this.orders.length, MOST_INSTALMENTS);
    const orders = made.map((order, index) => {
      return { ...order, organization: organizations[index % organizations.length] ?? '' };
    });
    this.orders.push(...orders);
    return orders;
  }

  /** The webhooks of some orders. */
  webhooksOf(orders: readonly CompanyOrder[]): LoadWebhook[] {
    const webhooks = orders.flatMap((order) =>
      makeWebhooks([order], this.random).map((webhook) => ({ ...webhook, organization: order.organization })),
    );
    this.webhooks.push(...webhooks);
    return webhooks;
  }

  /** How many of the orders are applied. */
  async applied(orders: readonly CompanyOrder[]): Promise<number> {
    const database = await this.database();
    const keys = orders.map(({ id }) => `shopify/order/${id}`);
    const [row] = await database.prisma.$queryRaw<{ count: number }[]>`
      select count(distinct business_key)::int as count from run
      where state = 'done' and business_key = any(${keys}::text[])`;
    return row?.count ?? 0;
  }

  /** How many changes of `main` are committed, whether or not the feed shows them. */
  async committedChanges(): Promise<number> {
    const database = await this.database();
    const [row] = await database.prisma.$queryRaw<{ count: number }[]>`
      with own as (select id from organization where slug = 'main')
      select (coalesce((select sum(changes) from feed_batch where organization_id = (select id from own)), 0)
        + coalesce((select sum(changes) from feed_waiting where organization_id = (select id from own)), 0))::int as count`;
    return row?.count ?? 0;
  }

  /** Waits until nothing is left to do, five minutes at most. @returns what is left all the same */
  async settled(): Promise<object[]> {
    const { prisma } = await this.database();
    const deadline = performance.now() + SETTLE_LIMIT_MS;
    for (;;) {
      const left = await prisma.$queryRaw<object[]>`
        select 'delivery' as what, state::text, reason, attempts, ready_at, now() as now from delivery where state = 'waiting'
        union all
        select operation, state::text, reason, attempts, next_at, now() from finance_call
        where state in ('intended', 'unknown') and parked_at is null and abandoned_at is null
        limit 5`;
      if (left.length === 0 || performance.now() > deadline || !this.replicas.some(({ running }) => running))
        return left;
      await sleep(100);
    }
  }

  /** Compares the books with what was acknowledged, when nothing is left to do. */
  async judge(): Promise<Judgement> {
    const unfinished = await this.settled();
    const ended = this.replicas.filter(({ running }) => !running).map(({ name }) => name);
    const database = await this.database();
    if (!this.financeService) {
      return { unfinished, ended, parked: 0, books: await examine(database, this.orders, this.webhooks) };
    }
    const testimony = {
      report: await this.financeService.report(),
      effects: await this.financeService.effects(),
      requests: await this.financeService.requests(),
    };
    const records = await readRecords(database);
    const { verdict, parked } = verdictOn(records, this.orders, this.webhooks, testimony);
    return { unfinished, ended, parked, books: verdict };
  }

  /** What a judgement must say when nothing was lost, nothing was done twice and all is balanced. */
  inOrder(): Omit<Judgement, 'parked'> {
    return { unfinished: [], ended: [], books: this.financeService ? CLEAN : IN_ORDER };
  }

  /** Ends the replicas as an operator does. */
  async stopReplicas(): Promise<void> {
    for (const replica of this.replicas) {
      expect([replica.name, await replica.stop()]).toEqual([replica.name, 0]);
    }
  }

  /** The trial's own way into the database, not to be used while that is away. */
  async database(): Promise<Database> {
    this.openedDatabase ??= await openDatabase(new Settings(this.place.environment));
    return this.openedDatabase;
  }
}

/** Organizations of the remote trials: with a service that refuses doubles, and with one that takes what it is sent. */
export const ORGANIZATIONS = COMPANIES.map(({ organization }) => organization);
export const MAIN_ORGANIZATION = STRICT.organization;
