/**
 * How fast signed orders are acknowledged, and how soon after they are booked: the built service in a process of
 * its own, the whole way over HTTP. `npm run bench:orders -- ORDERS`; with `DATABASE_URL` (an empty PostgreSQL
 * database) there, else embedded. The client takes its share of the same processors.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunningService } from '../scripts/demo/running-service';
import { shopifyOrder } from '../scripts/demo/shop-orders';
import { signedHeaders } from '../src/sources/signing';
import { makeOrders } from '../test/system/load';
import { Random } from '../test/support/random';

const ROOT = join(__dirname, '..');
const CONNECTIONS = 32;
const SECRET = 'bench-secret';
const OPERATORS_KEY = 'operators-key-of-the-bench';

interface Webhook {
  body: Buffer;
  headers: Record<string, string>;
}

function webhooks(count: number): Webhook[] {
  return makeOrders(count, new Random(1)).map((order) => {
    const body = shopifyOrder({ ...order, instalments: 3 }, true);
    const message = {
      topic: 'orders/paid',
      body,
      id: `bench-${order.id}`,
      secret: SECRET,
      sentAt: new Date(),
    };
    return { body, headers: { ...signedHeaders('shopify', message), 'content-length': String(body.length) } };
  });
}

/** @returns milliseconds until the answer had arrived */
function send(url: URL, agent: Agent, { body, headers }: Webhook): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (reply) => {
      reply.resume().on('end', () => {
        if (reply.statusCode === 200) resolve(performance.now() - started);
        else reject(new Error(`answered ${reply.statusCode}`));
      });
    });
    outgoing.on('error', reject).end(body);
  });
}

async function settled(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${OPERATORS_KEY}` };
  for (;;) {
    const reply = await fetch(`${url}/admin/organizations/main/deliveries?state=waiting&limit=1`, {
      headers,
    });
    if (((await reply.json()) as { items: unknown[] }).items.length === 0) return;
    await sleep(50);
  }
}

async function measure(service: RunningService, load: readonly Webhook[]): Promise<Record<string, number>> {
  const url = new URL('/hooks/main/shopify', service.url);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const queue = [...load];
  const latencies: number[] = [];
  const started = performance.now();
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift()) latencies.push(await send(url, agent, next));
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  const acknowledged = performance.now() - started;
  await settled(service.url);
  const booked = performance.now() - started;
  agent.destroy();
  latencies.sort((left, right) => left - right);
  const quantile = (part: number): number =>
    Math.round(latencies[Math.floor((latencies.length - 1) * part)] ?? 0);
  const perSecond = (milliseconds: number): number => Math.round((load.length * 1000) / milliseconds);
  return {
    orders: load.length,
    'acknowledged/s': perSecond(acknowledged),
    'booked/s': perSecond(booked),
    'p50 ms': quantile(0.5),
    'p99 ms': quantile(0.99),
  };
}

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-bench-'));
  const { DATABASE_URL: databaseUrl } = process.env;
  const service = await RunningService.start(join(ROOT, 'dist/src/main.js'), {
    CONFIG_DIR: join(ROOT, 'config'),
    DATA_DIR: folder,
    ADMIN_API_KEY: OPERATORS_KEY,
    SHOPIFY_WEBHOOK_SECRET: SECRET,
    ...(databaseUrl
      ? { DATABASE_URL: databaseUrl, SECRETS_KEY: Buffer.alloc(32, 1).toString('base64') }
      : {}),
  });
  try {
    const result = await measure(service, webhooks(Number(process.argv[2] ?? 2_000)));
    process.stdout.write(`${databaseUrl ? 'PostgreSQL' : 'embedded'} ${JSON.stringify(result)}\n`);
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
