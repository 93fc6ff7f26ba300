import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Api } from '../../../scripts/demo/api';
import { playMonth } from '../../../scripts/demo/month/demo-month';
import { RunningService } from '../../../scripts/demo/running-service';
import { type DemoSecrets, makeSecrets } from '../../../scripts/demo/scenario';
import { Settings } from '../../../src/config/settings';
import { openDatabase } from '../../../src/database/open-database';
import { signedHeaders } from '../../../src/sources/registry';

const ROOT = join(__dirname, '../../..');
const SERVICE = join(ROOT, 'dist/src/main.js');

/** The built service, with shops that send to it. */
export class ConsoleService {
  private constructor(
    private readonly folder: string,
    private service: RunningService,
    private readonly environment: Readonly<Record<string, string>>,
    readonly api: Api,
    readonly secrets: DemoSecrets,
    readonly operatorsKey: string,
  ) {}

  /** With an accountant's month of three shops. */
  static async start(): Promise<ConsoleService> {
    const started = await ConsoleService.startEmpty();
    await started.api.makeFinanceKey();
    await playMonth(started.api, started.secrets);
    return started;
  }

  /** With nothing that came in yet. */
  static async startEmpty(): Promise<ConsoleService> {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-console-'));
    const secrets = makeSecrets();
    const operatorsKey = 'console-operators-key-0001';
    const environment = {
      DATA_DIR: join(folder, 'data'),
      CONFIG_DIR: join(ROOT, 'config'),
      ADMIN_API_KEY: operatorsKey,
      SHOPIFY_WEBHOOK_SECRET: secrets.shopify,
      WOOCOMMERCE_WEBHOOK_SECRET: secrets.wooCommerce,
      STANDARD_WEBHOOKS_SECRET: secrets.standard,
    };
    const service = await RunningService.start(SERVICE, environment);
    const api = new Api(service.url, operatorsKey);
    return new ConsoleService(folder, service, environment, api, secrets, operatorsKey);
  }

  /** Lets every session expire, as twelve hours would. The embedded database has one user: the service is away meanwhile. */
  async expireSessions(): Promise<void> {
    const { port } = new URL(this.service.url);
    await this.service.stop();
    const database = await openDatabase(new Settings({ DATA_DIR: join(this.folder, 'data') }));
    try {
      await database.prisma.operatorSession.updateMany({ data: { expiresAt: new Date(Date.now() - 1_000) } });
    } finally {
      await database.close();
    }
    this.service = await RunningService.start(SERVICE, { ...this.environment, PORT: port });
  }

  /** Sends a webhook of the Shopify shop, and waits until all that came in is worked on. @throws Error when it is refused */
  async sendShopify(topic: string, id: string, body: Buffer): Promise<void> {
    const message = { topic, body, id, secret: this.secrets.shopify, sentAt: new Date() };
    const { status } = await this.api.hook('shopify', signedHeaders('shopify', message), body);
    if (status !== 200) throw new Error(`the webhook was answered ${status}`);
    while (await this.api.hasDelivery('waiting')) await sleep(50);
  }

  async remove(): Promise<void> {
    await this.service.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
