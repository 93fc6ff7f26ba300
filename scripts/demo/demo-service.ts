import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Settings } from '../../src/config/settings';
import type { Database } from '../../src/database/database';
import { openDatabase } from '../../src/database/open-database';
import { Api } from './api';
import { RunningService } from './running-service';
import { type DemoSecrets, makeSecrets } from './scenario';

const ROOT = join(__dirname, '../../..');
const SERVICE = join(ROOT, 'dist/src/main.js');

/** The real service with a fresh database, and secrets that are forgotten with it. */
export class DemoService {
  private constructor(
    private readonly folder: string,
    private readonly service: RunningService,
    readonly api: Api,
    readonly secrets: DemoSecrets,
    private readonly environment: Record<string, string>,
    private readonly operatorsKey: string,
  ) {}

  static async start(): Promise<DemoService> {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-demo-'));
    const secrets = makeSecrets();
    const operatorsKey = randomBytes(32).toString('hex');
    try {
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
      return new DemoService(folder, service, api, secrets, environment, operatorsKey);
    } catch (error) {
      rmSync(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Milliseconds from spawn to listening. */
  get startedInMs(): number {
    return this.service.startedInMs;
  }

  /** Asks it to finish what is in flight and waits for its end. @returns its exit code */
  async stop(): Promise<number | null> {
    return this.service.stop();
  }

  /** Reads the data that the service left behind when it ended. */
  async readBooks<T>(read: (prisma: Database['prisma']) => Promise<T>): Promise<T> {
    const database = await openDatabase(new Settings({ DATA_DIR: join(this.folder, 'data') }));
    try {
      return await read(database.prisma);
    } finally {
      await database.close();
    }
  }

  /**
   * Starts the service anew on what it left behind, and keeps it until the process is asked to end.
   * @param told where the console is, and the key to sign in with
   */
  async stay(told: (console: string, key: string) => void): Promise<void> {
    const { environment, operatorsKey } = this;
    const service = await RunningService.start(SERVICE, environment);
    const asked = new Promise((resolve) => {
      process.once('SIGINT', resolve);
      process.once('SIGTERM', resolve);
    });
    told(`${service.url}/console`, operatorsKey);
    await asked;
    await service.stop();
  }

  /** Ends it at once, if it still runs, and removes what it left behind. */
  async remove(): Promise<void> {
    await this.service.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
