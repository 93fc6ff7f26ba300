import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunningService } from '../../scripts/demo/running-service';
import { Settings } from '../../src/config/settings';
import { GIVEN_UP } from '../../src/deliveries/delivery-queue.repository';
import { openDatabase } from '../../src/database/open-database';
import { Random } from '../support/random';
import { testDatabasePlace, type TestDatabasePlace } from '../support/database';
import { TEST_SERVER } from '../support/postgres-server';
import { examine, IN_ORDER } from './books';
import { makeOrders, makeWebhooks, Sender } from './load';
import { settled } from './settled';

const ROOT = join(__dirname, '../..');
const SERVICE = join(ROOT, 'dist/src/main.js');
const ORDERS = Number(process.env['CHAOS_ORDERS'] ?? 500);
const KILLS = Number(process.env['CHAOS_KILLS'] ?? 20);
const SEED = Number(process.env['CHAOS_SEED'] ?? 20261121);
const CONNECTIONS = 16;

describe(`kill -9 at random moments, on ${TEST_SERVER ? 'PostgreSQL' : 'the embedded database'}`, () => {
  it(`loses none of ${ORDERS} acknowledged orders and does nothing twice, ${KILLS} kills later`, async () => {
    const place = await testDatabasePlace();
    try {
      const random = new Random(SEED);
      const orders = makeOrders(ORDERS, random);
      const webhooks = makeWebhooks(orders, random);
      const run = await killedAgainAndAgain(place, webhooks, random);
      const database = await openDatabase(new Settings(place.environment));
      try {
        expect(await examine(database, orders, webhooks)).toEqual(IN_ORDER);
      } finally {
        await database.close();
      }
      expect(run.kills).toBe(KILLS);
      // Three kills in the midst of one delivery's work are rare, as long as it is tried again by itself and later.
      expect(run.interrupted).toBeLessThanOrEqual(2);
      process.stdout.write(
        `seed ${SEED}: ${orders.length} orders, ${webhooks.length} webhooks, ${run.kills} kills, ${run.unanswered} tries without an answer, ${run.interrupted} interrupted three times, lost 0, duplicated 0\n`,
      );
    } finally {
      await place.drop();
    }
  });
});

async function killedAgainAndAgain(
  place: TestDatabasePlace,
  webhooks: ReturnType<typeof makeWebhooks>,
  random: Random,
): Promise<{ kills: number; unanswered: number; interrupted: number }> {
  const secret = 'chaos-secret';
  const env = {
    CONFIG_DIR: join(ROOT, 'config'),
    SHOPIFY_WEBHOOK_SECRET: secret,
    ADMIN_API_KEY: 'chaos-operators-key-0001',
    ...place.environment,
  };
  let service = await RunningService.start(SERVICE, env);
  // A kill follows shortly after each of these numbers of acknowledgements, so that it falls into the load.
  const moments = Array.from({ length: KILLS }, () => random.between(1, webhooks.length - CONNECTIONS)).sort(
    (a, b) => a - b,
  );
  let kills = 0;
  let killing = Promise.resolve();
  const killAndRestart = async (): Promise<void> => {
    // Every other kill, more or less, follows the acknowledgement at once: what was not committed then is lost.
    if (random.next() < 0.5) await sleep(random.between(1, 40));
    sender.aim(undefined);
    await service.kill();
    kills += 1;
    service = await RunningService.start(SERVICE, env);
    sender.aim(service.url);
  };
  const sender = new Sender(secret, (count) => {
    while (moments[0] !== undefined && count >= moments[0]) {
      moments.shift();
      killing = killing.then(killAndRestart);
    }
  });
  try {
    sender.aim(service.url);
    await sender.sendAll(webhooks, CONNECTIONS);
    await killing;
    await settled(service.url, env.ADMIN_API_KEY);
    const interrupted = await retryInterrupted(service.url, env.ADMIN_API_KEY);
    await settled(service.url, env.ADMIN_API_KEY);
    expect(await service.stop()).toBe(0);
    return { kills, unanswered: sender.unanswered, interrupted };
  } finally {
    await service.kill();
  }
}

/**
 * A delivery whose work three of the kills have interrupted is a dead letter, because it could be what kills the process:
 * an operator retries it. Dead letters for any other reason stay.
 * @returns how many were retried
 */
async function retryInterrupted(url: string, key: string): Promise<number> {
  const letters = `${url}/admin/organizations/main/dead-letters`;
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const reply = await fetch(letters, { headers });
  const { items } = (await reply.json()) as { items: { id: string; reason: string }[] };
  const interrupted = items.filter(({ reason }) => reason === GIVEN_UP);
  for (const { id } of interrupted) {
    const body = JSON.stringify({ reason: 'the process was killed on purpose' });
    const retried = await fetch(`${letters}/${id}/retry`, { method: 'POST', headers, body });
    expect(retried.status).toBe(204);
  }
  return interrupted.length;
}
