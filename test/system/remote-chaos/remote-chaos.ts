import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Settings } from '../../../src/config/settings';
import type { Database } from '../../../src/database/database';
import { openDatabase } from '../../../src/database/open-database';
import type { ConnectionTimeouts } from '../../../src/finance/remote/client/connection';
import { FaultyFinanceProcess } from '../../faulty-finance/faulty-finance-process';
import type { Lag } from '../../faulty-finance/lag';
import type { Weather } from '../../faulty-finance/weather';
import { testDatabasePlace, type TestDatabasePlace } from '../../support/database';
import { Random } from '../../support/random';
import { makeOrders, makeWebhooks, type LoadWebhook } from '../load';
import { COMPANIES, writeConfiguration } from './companies';
import { readRecords } from './ponte-records';
import { Replica } from './replica';
import { verdictOn, type CompanyOrder, type Testimony, type Verdict } from './verdict';
import { SETTLE_MS, TIMEOUTS } from './weathers';

const OPERATORS_KEY = 'chaos-operators-key-0001';
const CONNECTIONS = 8;
/** Orders and customers of one seed have numbers of their own. */
const NUMBERS_OF_A_SEED = 10_000;
/** Each is one more receipt to be sent: the more there are, the fewer orders there is time for. */
const MOST_INSTALMENTS = 4;
/** What is left of a seed when its time is over goes on in the weather of the next. */
const SEED_LIMIT_MS = 1_200;
const LAST_SEED_LIMIT_MS = 20_000;
const SETTLE_LIMIT_MS = 300_000;

export interface ChaosPlan {
  /** Path of the built `main.js`. */
  main: string;
  seeds: readonly number[];
  ordersOfASeed: number;
  /** How likely a replica is killed during a seed, 0 to 1. */
  killShare: number;
  /** Undefined: a calm day. */
  weatherOf: (seed: number) => Weather | undefined;
  /** How far listings are behind; unless given, they are not. */
  lag?: Lag;
  /** Of every connection; {@link SETTLE_MS} unless given. */
  settleMs?: number;
  /** Of every connection; {@link TIMEOUTS} unless given. */
  timeouts?: ConnectionTimeouts;
  /** One unless given. */
  paymentsOfAnOrder?: 1 | 2;
  /** Milliseconds between the clocks of the replicas; none unless given. */
  clocksApartMs?: number;
}

export interface ChaosResult {
  verdict: Verdict;
  orders: number;
  testimony: Testimony;
  kills: number;
  parked: number;
}

/** Two replicas of Ponte on one PostgreSQL, before a finance service that fails in every way. */
export class RemoteChaos {
  private readonly orders: CompanyOrder[] = [];
  private readonly webhooks: LoadWebhook[] = [];

  private constructor(
    private readonly plan: ChaosPlan,
    private readonly finance: FaultyFinanceProcess,
    private readonly database: Database,
    private readonly replicas: readonly Replica[],
  ) {}

  /** Runs the whole plan and everything it needs. */
  static async run(plan: ChaosPlan): Promise<ChaosResult> {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-chaos-'));
    writeConfiguration(folder, plan.paymentsOfAnOrder);
    const place = await testDatabasePlace();
    const finance = await FaultyFinanceProcess.start(COMPANIES);
    const env = environment(place, finance, folder);
    const random = new Random(plan.seeds[0] ?? 0);
    const replicas: Replica[] = [];
    const database = await openDatabase(new Settings(place.environment));
    try {
      if (plan.lag) await finance.lagBy(plan.lag);
      while (replicas.length < 2) {
        const shiftMs = ((plan.clocksApartMs ?? 0) / 2) * (replicas.length === 0 ? 1 : -1);
        replicas.push(await Replica.start(plan.main, env, random, shiftMs));
      }
      await connect(replicas[0]?.url ?? '', OPERATORS_KEY, plan.settleMs, plan.timeouts);
      return await new RemoteChaos(plan, finance, database, replicas).run();
    } finally {
      await Promise.all(replicas.map((replica) => replica.kill()));
      await database.close();
      await finance.stop();
      await place.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  }

  private async run(): Promise<ChaosResult> {
    for (const seed of this.plan.seeds) await this.runSeed(seed, seed === this.plan.seeds.at(-1));
    await Promise.all(this.replicas.map((replica) => replica.up()));
    await this.finance.weather(undefined);
    await this.settled(SETTLE_LIMIT_MS);
    for (const replica of this.replicas) expect(await replica.stop()).toBe(0);
    const testimony = {
      report: await this.finance.report(),
      effects: await this.finance.effects(),
      requests: await this.finance.requests(),
    };
    const records = await readRecords(this.database);
    const judged = verdictOn(records, this.orders, this.webhooks, testimony);
    const kills = this.replicas.reduce((sum, replica) => sum + replica.kills, 0);
    return { ...judged, orders: this.orders.length, testimony, kills };
  }

  /** The orders of one seed in its weather. */
  private async runSeed(seed: number, isLast: boolean): Promise<void> {
    const random = new Random(seed);
    const numbersAfter = seed * NUMBERS_OF_A_SEED;
    const orders = makeOrders(this.plan.ordersOfASeed, random, numbersAfter, MOST_INSTALMENTS);
    const companies = orders.map(() => COMPANIES[random.between(0, 1)]?.organization ?? '');
    orders.forEach((order, index) => {
      this.orders.push({ ...order, organization: companies[index] ?? '' });
    });
    const webhooks = orders.flatMap((order, index) =>
      makeWebhooks([order], random).map((webhook) => ({ ...webhook, organization: companies[index] })),
    );
    this.webhooks.push(...webhooks);
    await this.finance.weather(this.plan.weatherOf(seed));
    if (random.next() < this.plan.killShare) {
      this.replicas[random.between(0, 1)]?.killAfter(random.between(1, this.plan.ordersOfASeed));
    }
    await this.send(webhooks, random);
    await this.settled(isLast ? LAST_SEED_LIMIT_MS : SEED_LIMIT_MS, false);
  }

  /** Each to one of the replicas. */
  private async send(webhooks: readonly LoadWebhook[], random: Random): Promise<void> {
    const shares = this.replicas.map((): LoadWebhook[] => []);
    for (const webhook of webhooks) shares[random.between(0, shares.length - 1)]?.push(webhook);
    await Promise.all(
      this.replicas.map((replica, index) => replica.sender.sendAll(shares[index] ?? [], CONNECTIONS)),
    );
  }

  /** Waits until nothing is left to do. @throws Error when time is up, unless it does not matter */
  private async settled(limitMs: number, matters = true): Promise<void> {
    const deadline = performance.now() + limitMs;
    for (;;) {
      const left = await this.leftToDo();
      if (left.length === 0) return;
      if (performance.now() > deadline) {
        if (matters) throw new Error(`still to do: ${JSON.stringify(left.slice(0, 10))} and more`);
        return;
      }
      await sleep(50);
    }
  }

  private leftToDo(): Promise<object[]> {
    return this.database.prisma.$queryRaw<object[]>`
      select 'delivery' as what, state::text, reason, attempts, ready_at, now() as now from delivery where state = 'waiting'
      union all
      select operation, state::text, reason, attempts, next_at, now() from finance_call
      where state in ('intended', 'unknown') and parked_at is null and abandoned_at is null
      limit 100`;
  }
}

function environment(
  place: TestDatabasePlace,
  finance: FaultyFinanceProcess,
  folder: string,
): Record<string, string> {
  return {
    ...place.environment,
    CONFIG_DIR: folder,
    SHOPIFY_WEBHOOK_SECRET: 'chaos-secret',
    ADMIN_API_KEY: OPERATORS_KEY,
    FINANCE_BACKEND: 'remote',
    FINANCE_BASE_URL: finance.url,
  };
}

/** Connects each organization to its company at the finance service, as an operator does. */
export async function connect(
  url: string,
  operatorsKey: string,
  settleMs = SETTLE_MS,
  timeouts: ConnectionTimeouts = TIMEOUTS,
): Promise<void> {
  for (const { organization, apiKey, uniqueDocuments } of COMPANIES) {
    const limits = { perSecond: 1_000, atOnce: 8 };
    const connection = {
      organization,
      apiKey,
      uniqueDocuments,
      limits,
      timeouts,
      settleMs,
    };
    const reply = await fetch(`${url}/admin/organizations/${organization}/finance`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${operatorsKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(connection),
    });
    if (!reply.ok) throw new Error(`connecting was answered ${reply.status}: ${await reply.text()}`);
  }
}
