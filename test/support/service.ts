import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Abstract, LoggerService, Type } from '@nestjs/common';
import supertest from 'supertest';
import { readConfiguration } from '../../src/config/configuration';
import { Settings } from '../../src/config/settings';
import type { Database, HotStatement } from '../../src/database/database';
import { Worker } from '../../src/deliveries/worker';
import { type Service, startService } from '../../src/service';
import { signedHeaders } from '../../src/sources/registry';
import { SourceProviders } from '../../src/sources/source-providers';
import { openTestDatabase } from './database';
import { withCheckedReplies } from './described-replies';
import { TEST_SERVER } from './postgres-server';

export const SECRETS = {
  shopify: 'shopify-test-secret',
  shopifyNext: 'shopify-test-secret-next',
  woocommerce: 'woo test secret',
  standard: `whsec_${Buffer.alloc(24, 5).toString('base64')}`,
};

export const OPERATORS_KEY = 'operators-key-for-tests-only';

const CONFIG_DIR = join(__dirname, '../../config');

/** Asked many times a test: the database plans it once. */
const ANY_WAITS: HotStatement = {
  name: 'test-any-waits',
  text: `select exists (
    select from delivery where state = 'waiting' and ($1::timestamptz is null or ready_at <= $1)) as waits`,
};

export interface SentHook {
  source: 'shopify' | 'woocommerce' | 'standard';
  topic: string;
  body: Buffer | string;
  id?: string;
  secret?: string;
  sentAt?: Date;
}

/** The whole service, as it runs in production, in this process, on a test database. */
export class TestService {
  private constructor(
    private readonly service: Service,
    readonly database: Database,
  ) {}

  /**
   * @param database a replica's own connection; absent: a fresh database. It is closed with the service.
   * @param environment settings other than those of every test
   * @param providers whose webhooks it takes, where that is not the registry's
   */
  static async start(
    database?: Database,
    environment: Readonly<Record<string, string>> = {},
    logger: LoggerService | false = false,
    providers = new SourceProviders(),
  ): Promise<TestService> {
    const configDir = environment['CONFIG_DIR'] ?? CONFIG_DIR;
    const settings = new Settings({
      PORT: '0',
      CONFIG_DIR: configDir,
      ADMIN_API_KEY: OPERATORS_KEY,
      SECRETS_KEY: Buffer.alloc(32, 9).toString('base64'),
      LOG_LEVEL: 'silent',
      // Calls to the finance service are counted by many tests; those of polls are enabled by their own.
      WATCH_EVERY: '0',
      // Tests that compare begin it themselves.
      COMPARE_EVERY: '0',
      // What the tests' database is named by; the connection itself is handed over open.
      ...(TEST_SERVER ? { DATABASE_URL: TEST_SERVER } : {}),
      ...environment,
    });
    const configuration = readConfiguration(configDir, {
      SHOPIFY_WEBHOOK_SECRET: SECRETS.shopify,
      SHOPIFY_WEBHOOK_SECRET_NEXT: SECRETS.shopifyNext,
      WOOCOMMERCE_WEBHOOK_SECRET: SECRETS.woocommerce,
      STANDARD_WEBHOOKS_SECRET: SECRETS.standard,
    });
    const own = database ?? (await openTestDatabase());
    const service = await withCheckedReplies(() =>
      startService(settings, configuration, own, logger, providers),
    );
    return new TestService(service, own);
  }

  /** Where it listens: `http://127.0.0.1:49152`. */
  get url(): string {
    return this.service.url;
  }

  /** One of the parts that the service is made of. */
  part<T>(type: Type<T> | Abstract<T>): T {
    return this.service.app.get(type, { strict: false });
  }

  get http(): ReturnType<typeof supertest> {
    return supertest(this.service.url);
  }

  /** Sends a webhook signed as its provider would. */
  async hook({
    source,
    topic,
    body,
    id = `d-${Math.random()}`,
    secret,
    sentAt = new Date(),
  }: SentHook): Promise<supertest.Response> {
    const provider = source === 'standard' ? 'standard-webhooks' : source;
    const bytes = Buffer.from(body);
    const headers = signedHeaders(provider, {
      topic,
      body: bytes,
      id,
      secret: secret ?? SECRETS[source],
      sentAt,
    });
    return this.http.post(`/hooks/main/${source}`).set(headers).serialize(raw).send(bytes);
  }

  /** An operators' call below `/admin/organizations/main`. */
  async admin(path: string): Promise<unknown> {
    const reply = await this.http
      .get(`/admin/organizations/main/${path}`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .expect(200);
    return reply.body as unknown;
  }

  /** An operators' writing call below `/admin/organizations/main`. */
  async operate(
    method: 'post' | 'put' | 'patch',
    path: string,
    body: object = {},
  ): Promise<supertest.Response> {
    return this.http[method](`/admin/organizations/main/${path}`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .send(body);
  }

  /** Waits until nothing is ready to be worked on. */
  async settle(): Promise<void> {
    while (await this.anyWaits(new Date())) await sleep(20);
  }

  /** Waits until nothing is left to be worked on, what is ready later included. */
  async finish(): Promise<void> {
    while (await this.anyWaits()) await sleep(5);
  }

  /** Has what became ready without a webhook worked on at once: the worker would find it within half a second. */
  wakeWorker(): void {
    this.part(Worker).wake();
  }

  async stop(): Promise<void> {
    await this.service.stop();
  }

  /** @param until only what is ready by then */
  private async anyWaits(until: Date | null = null): Promise<boolean> {
    const [found] = await this.database.query<{ waits: boolean }>(ANY_WAITS, [until]);
    return found?.waits === true;
  }
}

/** Bodies go out to the byte, whatever their media type. */
function raw(body: unknown): string {
  return body as string;
}
