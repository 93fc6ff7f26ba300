import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { RunningService } from '../../scripts/demo/running-service';
import { Settings } from '../../src/config/settings';
import { openDatabase } from '../../src/database/open-database';
import {
  createDatabase,
  databaseUrl,
  dropDatabase,
  randomDatabaseName,
  requireTestServer,
} from '../support/postgres-server';
import { until } from '../support/until';
import { type BooksReport, examine, IN_ORDER } from './books';
import { ContinuousLoad } from './upgrade/continuous-load';
import { LoadBalancer } from './upgrade/load-balancer';
import { RELEASED, ReleasedVersion } from './upgrade/released-version';

const ROOT = join(__dirname, '../..');
const SERVICE = join(ROOT, 'dist/src/main.js');
const FROM = process.env['UPGRADE_FROM'] ?? RELEASED;
const ROUNDS = Number(process.env['UPGRADE_ROUNDS'] ?? 3);
const SEED = Number(process.env['UPGRADE_SEED'] ?? 20261123);
/** As many as a shop has; what intake turns away beyond its pace is not what is tried here. */
const CONNECTIONS = 16;
/** Webhooks that a version takes before the next thing happens. */
const BEFORE = 300;
const SECRET = 'upgrade-secret';

interface RoundReport {
  refused: string[];
  books: BooksReport;
  /** Exit codes of the version before and of this one. */
  ended: (number | null)[];
}

const AS_IT_SHOULD_BE: RoundReport = { refused: [], books: IN_ORDER, ended: [0, 0] };

describe(`an upgrade from ${FROM.slice(0, 12)} under load`, () => {
  let before: ReleasedVersion;

  beforeAll(() => {
    requireTestServer();
    before = ReleasedVersion.build(FROM);
  });

  afterAll(() => before?.remove());

  for (let round = 1; round <= ROUNDS; round += 1)
    it(`refuses no webhook, fails no start and books every order once, round ${round}`, async () => {
      const name = randomDatabaseName();
      await createDatabase(name);
      try {
        expect(await upgrade(name, before, SEED + round)).toEqual(AS_IT_SHOULD_BE);
      } finally {
        await dropDatabase(name);
      }
    });
});

async function upgrade(name: string, before: ReleasedVersion, seed: number): Promise<RoundReport> {
  const env = {
    DATABASE_URL: databaseUrl(name),
    SECRETS_KEY: randomBytes(32).toString('base64'),
    SHOPIFY_WEBHOOK_SECRET: SECRET,
    ADMIN_API_KEY: 'upgrade-operators-key-0001',
  };
  const services: RunningService[] = [];
  const start = async (main: string, configuration: string): Promise<RunningService> => {
    const service = await RunningService.start(main, { ...env, CONFIG_DIR: configuration });
    services.push(service);
    balancer.add(service.url);
    return service;
  };
  const balancer = new LoadBalancer(SECRET);
  const took = (service: RunningService, count: number): Promise<void> =>
    until(() => balancer.acknowledgedBy(service.url) >= count);
  try {
    const old = await start(before.main, before.configuration);
    const load = new ContinuousLoad(balancer, seed, CONNECTIONS);
    await took(old, BEFORE);
    const underLoad = balancer.acknowledgedBy(old.url);
    // Its migrations run now.
    const fresh = await start(SERVICE, join(ROOT, 'config'));
    const duringStart = balancer.acknowledgedBy(old.url) - underLoad;
    await took(fresh, BEFORE);
    await balancer.remove(old.url);
    const ended = [await old.stop()];
    await took(fresh, 2 * BEFORE);
    await load.stop();
    await balancer.close();
    await settled(fresh.url, env.ADMIN_API_KEY);
    ended.push(await fresh.stop());
    const database = await openDatabase(new Settings(env));
    const books = await examine(database, load.orders, load.webhooks).finally(() => database.close());
    process.stdout.write(
      `seed ${seed}: ${load.orders.length} orders, ${load.webhooks.length} webhooks, ${duringStart} of them while the ` +
        `new version started in ${fresh.startedInMs} ms, ${balancer.refused.length} refused\n`,
    );
    return { refused: balancer.refused, books, ended };
  } finally {
    await balancer.close();
    for (const service of services) await service.kill();
  }
}

async function settled(url: string, key: string): Promise<void> {
  await until(async () => {
    const reply = await fetch(`${url}/admin/organizations/main/deliveries?state=waiting&limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return ((await reply.json()) as { items: unknown[] }).items.length === 0;
  });
}
