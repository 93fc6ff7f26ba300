import { randomBytes } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { Client } from 'pg';
import { checkOf, writeCursor } from '../../src/feed/cursor';
import type { BenchContext } from '../context';
import { type MeasuredService, SECRET } from '../frame/measured-service';
import { withClient } from '../frame/postgres-server';
import { HttpConnection } from '../load/http-connection';
import { persistentLoop } from '../load/loops';
import { PaidOrders, type OrderKind } from '../load/paid-orders';
import { grow } from './grow';
import type { Landmarks, Operation } from './operations';

const CONNECTIONS = 32;
/** Beyond every order of the pattern. */
const AFTER = 10_000_000;
const DAY_MS = 86_400_000;
/** As many at every size: somebody reads them. The oldest, so that they are found among all. */
const DEAD_LETTERS = `update delivery set state = 'dead', reason = 'unexpected'
  where id in (select id from delivery where state = 'done' order by id limit 20)`;
/** The key that measured services are started with. */
const OPERATORS_KEY = 'operators-key-of-the-bench';

export interface Growth {
  /** Of the database with the pattern. */
  url: string;
  environment: Readonly<Record<string, string>>;
  settings: Readonly<Record<string, string>>;
  copies: number;
  size: number;
  say: (line: string) => void;
}

/** A database of one size, the service on it, and what was measured. */
export class GrownPonte {
  private readonly measured = new Map<string, number[]>();
  private readonly created: PaidOrders;
  private readonly paid: PaidOrders;
  private request = 0;

  private constructor(
    /** How many deliveries it had in the beginning. */
    readonly size: number,
    readonly url: string,
    private readonly server: string,
    private readonly service: MeasuredService,
    private readonly key: string,
    private readonly landmarks: Landmarks,
  ) {
    const kind: OrderKind = { secret: SECRET, organization: 'main', topic: 'orders/create', instalments: 3 };
    this.created = new PaidOrders(service.url, kind, AFTER);
    this.paid = new PaidOrders(service.url, { ...kind, topic: 'orders/paid' }, AFTER);
  }

  static async grow(context: BenchContext, growth: Growth): Promise<GrownPonte> {
    const name = `ponte_bench_grown_${randomBytes(4).toString('hex')}`;
    const server = context.postgres.url;
    const from = new URL(growth.url).pathname.slice(1);
    await withClient(server, (client) => client.query(`create database ${name} template ${from}`));
    const url = new URL(growth.url);
    url.pathname = `/${name}`;
    try {
      await withClient(url.href, async (client) => {
        await grow(client, growth.copies, growth.say);
        await client.query(DEAD_LETTERS);
      });
      const place = {
        environment: { ...growth.environment, DATABASE_URL: url.href },
        drop: () => dropDatabase(server, name),
      };
      const service = await context.startService(place, {
        name: `${growth.size}`,
        settings: growth.settings,
      });
      const key = await service.apiKey();
      const landmarks = await landmarksOf(url.href);
      return new GrownPonte(growth.size, url.href, server, service, key, landmarks);
    } catch (error) {
      await dropDatabase(server, name);
      throw error;
    }
  }

  /** Milliseconds of each measurement. */
  times(name: string): readonly number[] {
    return this.measured.get(name) ?? [];
  }

  forget(): void {
    this.measured.clear();
  }

  /** Asks for it so many times, one after another. */
  async measure({ name, path }: Operation, requests: number): Promise<void> {
    const connection = new HttpConnection(this.service.url);
    try {
      for (let count = 0; count < requests; count += 1) {
        const { status, milliseconds } = await connection.ask(
          this.get(path(this.landmarks, (this.request += 1))),
        );
        if (status !== 200) throw new Error(`${name} was answered ${status}`);
        this.note(name, milliseconds);
      }
    } finally {
      connection.close();
    }
  }

  /** A call of the operators' API, below the organization that is measured. */
  admin(path: string, init: RequestInit): Promise<Response> {
    return this.service.admin(`/admin/organizations/main${path && '/'}${path}`, init);
  }

  /** Orders that no rule acts on: milliseconds for each, of all connections together. */
  async measureAccept(count: number): Promise<void> {
    const { seconds } = await persistentLoop(this.loop(this.created, count));
    this.note('accept', (seconds * 1000) / count);
    await this.service.settled();
  }

  /** Paid orders, until the last of them is booked. */
  async measureWholeWay(count: number): Promise<void> {
    const started = performance.now();
    await persistentLoop(this.loop(this.paid, count));
    await this.service.settled();
    this.note('whole way', (performance.now() - started) / count);
  }

  async drop(): Promise<void> {
    await this.service.kill();
    await dropDatabase(this.server, new URL(this.url).pathname.slice(1));
  }

  private loop(orders: PaidOrders, count: number): Parameters<typeof persistentLoop>[0] {
    const last = orders.last + count;
    const next = (): Buffer | undefined => (orders.last < last ? orders.next().request : undefined);
    return { url: this.service.url, connections: CONNECTIONS, next };
  }

  private get(path: string): Buffer {
    const authorization = path.startsWith('/v1')
      ? `apitoken: ${this.key}`
      : path.startsWith('/feed')
        ? `authorization: Bearer ${this.key}`
        : `authorization: Bearer ${OPERATORS_KEY}`;
    return Buffer.from(`GET ${path} HTTP/1.1\r\nhost: ponte\r\n${authorization}\r\n\r\n`, 'latin1');
  }

  private note(name: string, milliseconds: number): void {
    const times = this.measured.get(name) ?? [];
    times.push(milliseconds);
    this.measured.set(name, times);
  }
}

async function dropDatabase(server: string, name: string): Promise<void> {
  await withClient(server, (client) => client.query(`drop database if exists ${name} with (force)`));
}

export async function landmarksOf(url: string): Promise<Landmarks> {
  return withClient(url, async (client) => {
    const texts = async (sql: string): Promise<string[]> =>
      (await client.query<{ text: string }>(sql)).rows.map(({ text }) => text);
    const [organization = ''] = await texts(`select id::text as text from organization where slug = 'main'`);
    const ofMain = `organization_id = '${organization}'`;
    const customers = await texts(
      `select id::text as text from stakeholder where kind = 'customer' and ${ofMain} order by md5(id::text) limit 200`,
    );
    const businessKeys = await texts(
      `select business_key as text from run where ${ofMain} order by md5(id::text) limit 200`,
    );
    const [middle = ''] = await texts(`select to_char(to_timestamp(
        (extract(epoch from min(received_at)) + extract(epoch from max(received_at))) / 2), 'YYYY-MM-DD') as text
      from delivery`);
    return {
      customers,
      businessKeys,
      lateCursor: await lateCursor(client, organization),
      week: {
        from: new Date(Date.parse(middle)).toISOString(),
        to: new Date(Date.parse(middle) + DAY_MS).toISOString(),
      },
    };
  });
}

/** The cursor nine tenths into the feed: of the batch that stands there. */
async function lateCursor(client: Client, organization: string): Promise<string> {
  const { rows } = await client.query<{ position: string; key: string; changes: number }>(
    `select position::text as position, key::text as key, changes from feed_batch
     where organization_id = $1 and position <= (select position * 9 / 10 from feed_head) order by position desc limit 1`,
    [organization],
  );
  const [batch] = rows;
  if (!batch) throw new Error('the feed is empty');
  const { position, key, changes } = batch;
  return writeCursor({ position: BigInt(position), number: changes, check: checkOf(organization, key) });
}
