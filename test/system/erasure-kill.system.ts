import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunningService } from '../../scripts/demo/running-service';
import { Settings } from '../../src/config/settings';
import { openDatabase } from '../../src/database/open-database';
import { testDatabasePlace } from '../support/database';
import { placesOf } from '../support/find-text';
import { TEST_SERVER } from '../support/postgres-server';
import { Random } from '../support/random';
import { examine, IN_ORDER } from './books';
import { makeOrders, makeWebhooks, Sender } from './load';
import { settled } from './settled';

const ROOT = join(__dirname, '../..');
const SERVICE = join(ROOT, 'dist/src/main.js');
const KEY = 'chaos-operators-key-0001';
const SECRET = 'chaos-secret';
const ORDERS = 200;
const KILLS = 3;
/** Erasures that are done between two kills: the next is under way then. */
const DONE_BETWEEN = 2;

describe(`kill -9 while people are erased, on ${TEST_SERVER ? 'PostgreSQL' : 'the embedded database'}`, () => {
  it('leaves nobody half erased, and the books as they were', async () => {
    const place = await testDatabasePlace();
    const random = new Random(20_261_126);
    const orders = makeOrders(ORDERS, random);
    const webhooks = makeWebhooks(orders, random);
    const gone = [...new Map(orders.map((order) => [order.document, order])).values()].slice(0, 12);
    const env = {
      CONFIG_DIR: join(ROOT, 'config'),
      ...{ SHOPIFY_WEBHOOK_SECRET: SECRET, ADMIN_API_KEY: KEY },
      ...place.environment,
    };
    let service = await RunningService.start(SERVICE, env);
    try {
      const sender = new Sender(SECRET, () => undefined);
      sender.aim(service.url);
      await sender.sendAll(webhooks, 8);
      await settled(service.url, KEY);
      for (const { document } of gone) await beginErasure(service.url, document);
      for (let kills = 0; kills < KILLS; kills += 1) {
        await erasuresDone(service.url, (kills + 1) * DONE_BETWEEN);
        await service.kill();
        service = await RunningService.start(SERVICE, env);
      }
      await erasuresDone(service.url, gone.length);
      expect(await service.stop()).toBe(0);
      const database = await openDatabase(new Settings(place.environment));
      try {
        const theirs = gone.flatMap(({ document, email }) => [document, document.replace(/\D/g, ''), email]);
        expect(await placesOf(database, theirs)).toEqual([]);
        expect(await database.prisma.stakeholder.count({ where: { erasedAt: { not: null } } })).toBe(
          gone.length,
        );
        // Taken again by the next process, after its own had been killed.
        const again = await database.prisma.erasure.count({ where: { leaseNumber: { gt: 1 } } });
        expect(again).toBeGreaterThan(0);
        process.stdout.write(`${gone.length} people erased, ${KILLS} kills, ${again} erasures interrupted\n`);
        expect(await examine(database, orders, webhooks)).toEqual(IN_ORDER);
      } finally {
        await database.close();
      }
    } finally {
      await service.kill();
      await place.drop();
    }
  });
});

async function ask<T>(url: string, path: string, body?: object): Promise<T> {
  const reply = await fetch(`${url}/admin/organizations/main/privacy/${path}`, {
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${reply.status} ${text}`);
  return JSON.parse(text) as T;
}

async function beginErasure(url: string, document: string): Promise<void> {
  const asked = { document, reason: 'asked' };
  const { plan } = await ask<{ plan: string }>(url, 'erase', asked);
  await ask(url, 'erase', { ...asked, dryRun: false, plan });
}

/** Waits until so many are done. A process that was killed keeps its erasure for a minute: others take it then. */
async function erasuresDone(url: string, count: number): Promise<void> {
  for (;;) {
    const { items } = await ask<{ items: { state: string }[] }>(url, 'erasures?limit=100');
    if (items.filter(({ state }) => state === 'done').length >= count) return;
    await sleep(100);
  }
}
