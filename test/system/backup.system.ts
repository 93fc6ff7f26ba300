import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RunningService } from '../../scripts/demo/running-service';
import { Settings } from '../../src/config/settings';
import { openDatabase } from '../../src/database/open-database';
import { embeddedDataDir } from '../support/database';
import { Random } from '../support/random';
import { until } from '../support/until';
import { examine, IN_ORDER } from './books';
import { makeOrders, makeWebhooks, Sender } from './load';
import { settled } from './settled';

const ROOT = join(__dirname, '../..');
const SERVICE = join(ROOT, 'dist/src/main.js');
const ORDERS = 200;
const CONNECTIONS = 8;
const SEED = 20261125;

const ENV = {
  CONFIG_DIR: join(ROOT, 'config'),
  SHOPIFY_WEBHOOK_SECRET: 'backup-secret',
  ADMIN_API_KEY: 'backup-operators-key-0001',
  SECRETS_KEY: randomBytes(32).toString('base64'),
};

/** `ponte` as it was built, in a process of its own. @returns what it printed as JSON */
async function ponte(url: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'dist/src/cli/main.js'), ...args, '--json'],
    { env: { PATH: process.env['PATH'] ?? '', PONTE_URL: url, ...ENV } },
  );
  return JSON.parse(stdout) as Record<string, unknown>;
}

describe('a machine that is lost', () => {
  it('loses nothing that shops send again: the backup was made under load, and each order is booked once', async () => {
    const random = new Random(SEED);
    const orders = makeOrders(ORDERS, random);
    const webhooks = makeWebhooks(orders, random);
    const lost = await embeddedDataDir();
    const folder = mkdtempSync(join(tmpdir(), 'ponte-backup-'));
    const [backup, dataDir] = [join(folder, 'a.backup'), join(folder, 'restored')];
    let service = await RunningService.start(SERVICE, { ...ENV, DATA_DIR: lost.dataDir });
    try {
      let acknowledged = 0;
      const sender = new Sender(ENV.SHOPIFY_WEBHOOK_SECRET, (count) => (acknowledged = count));
      sender.aim(service.url);
      const first = sender.sendAll(webhooks.slice(0, webhooks.length / 2), CONNECTIONS);
      await until(() => acknowledged >= ORDERS / 4);
      const before = acknowledged;
      await ponte(service.url, 'backup', backup);
      await first;
      const rest = sender.sendAll(webhooks.slice(webhooks.length / 2), CONNECTIONS).catch(() => undefined);
      await until(() => acknowledged > webhooks.length / 2 + CONNECTIONS);
      await service.kill();
      sender.giveUp();
      await rest;
      await lost.drop();

      const restored = await ponte(service.url, 'restore', backup, '--data-dir', dataDir);
      // Whatever was acknowledged before somebody asked for the backup is in it; what came meanwhile may be.
      expect(restored['deliveries']).toBeGreaterThanOrEqual(before);
      expect(restored['deliveries']).toBeLessThanOrEqual(webhooks.length / 2);
      expect(restored['key']).toBe('fits');

      service = await RunningService.start(SERVICE, { ...ENV, DATA_DIR: dataDir });
      const again = new Sender(ENV.SHOPIFY_WEBHOOK_SECRET, () => undefined);
      again.aim(service.url);
      await again.sendAll(webhooks, CONNECTIONS);
      await settled(service.url, ENV.ADMIN_API_KEY);
      expect(await service.stop()).toBe(0);
      const database = await openDatabase(new Settings({ DATA_DIR: dataDir }));
      try {
        expect(await examine(database, orders, webhooks)).toEqual(IN_ORDER);
      } finally {
        await database.close();
      }
    } finally {
      await service.kill();
      await lost.drop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
