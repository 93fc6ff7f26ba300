import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunningService } from '../scripts/demo/running-service';
import { shopifyOrder } from '../scripts/demo/shop-orders';
import { cpfNumber } from '../test/support/documents';
import { STRICT, writeConfiguration } from '../test/system/remote-chaos/companies';
import { Sender } from '../test/system/load';
import { makePlace } from './measured-books';

const ROOT = join(__dirname, '..');
const OPERATORS_KEY = 'operators-key-of-the-bench';
const SECRET = 'bench-secret';
const CONNECTIONS = 16;
const MEBIBYTE = 1024;

/** The built Ponte before a finance service, in a process and on a database of its own. */
export class MeasuredPonte {
  private orders = 0;

  private constructor(
    private readonly service: RunningService,
    private readonly clean: () => Promise<void>,
  ) {}

  static async start(financeUrl: string): Promise<MeasuredPonte> {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-bench-'));
    writeConfiguration(folder);
    const place = await makePlace();
    const clean = async (): Promise<void> => {
      rmSync(folder, { recursive: true, force: true });
      await place.clean();
    };
    try {
      const service = await RunningService.start(join(ROOT, 'dist/src/main.js'), {
        ...place.environment,
        CONFIG_DIR: folder,
        ADMIN_API_KEY: OPERATORS_KEY,
        SHOPIFY_WEBHOOK_SECRET: SECRET,
        FINANCE_BACKEND: 'remote',
        FINANCE_BASE_URL: financeUrl,
      });
      return new MeasuredPonte(service, clean);
    } catch (error) {
      await clean();
      throw error;
    }
  }

  async connect(limits: { perSecond: number; atOnce: number }): Promise<void> {
    const { organization, apiKey, uniqueDocuments } = STRICT;
    const reply = await this.ask('/admin/organizations/main/finance', {
      method: 'PUT',
      body: JSON.stringify({ organization, apiKey, uniqueDocuments, limits }),
    });
    if (!reply.ok) throw new Error(`connecting was answered ${reply.status}: ${await reply.text()}`);
  }

  /** Sends new paid orders, each of another customer and with one instalment: one lane and four calls each. */
  async takeOrders(count: number): Promise<void> {
    const webhooks = Array.from({ length: count }, () => {
      const number = (this.orders += 1);
      const order = {
        id: 7_000_000_000_000 + number,
        number,
        total: '100.00',
        name: `Cliente ${number}`,
        document: cpfNumber(number),
        email: `cliente${number}@example.com`,
        instalments: 1,
      };
      return { topic: 'orders/paid', id: `bench-${number}`, body: shopifyOrder(order, true) };
    });
    const sender = new Sender(SECRET, () => undefined);
    sender.aim(this.service.url);
    await sender.sendAll(webhooks, CONNECTIONS);
  }

  /** Waits until no delivery waits. */
  async settled(): Promise<void> {
    for (;;) {
      const reply = await this.ask('/admin/organizations/main/deliveries?state=waiting&limit=1');
      if (((await reply.json()) as { items: unknown[] }).items.length === 0) return;
      await sleep(100);
    }
  }

  /** @returns status and what it says */
  async ready(): Promise<string> {
    const reply = await this.ask('/health/ready');
    return `${reply.status} ${((await reply.json()) as { status: string }).status}`;
  }

  /** Of its process, in MiB, as the system counts it. */
  get residentMemory(): number {
    const [, kibibytes] =
      /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${this.service.pid}/status`, 'utf8')) ?? [];
    return Number(kibibytes) / MEBIBYTE;
  }

  /** Milliseconds that its main thread has worked so far, and that it has waited for a processor to work on. */
  get processor(): { worked: number; waited: number } {
    const { pid } = this.service;
    const [worked = 0, waited = 0] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8')
      .split(' ')
      .map(Number);
    return { worked: worked / 1e6, waited: waited / 1e6 };
  }

  async stop(): Promise<void> {
    await this.service.kill();
    await this.clean();
  }

  private ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${OPERATORS_KEY}`, 'content-type': 'application/json' };
    return fetch(`${this.service.url}${path}`, { ...init, headers });
  }
}
