import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { RunningService } from '../../scripts/demo/running-service';
import { until } from '../support/until';
import { blocksOf, run } from './pages';
import { installForProduction } from './production-install';

const OPERATORS_KEY = 'operators-key-of-a-new-user';
const SECRET = 'my-first-secret';
const EXAMPLE = 'docs/examples/shopify-order-paid.json';

interface CommandOutput {
  code: number;
  stdout: string;
  stderr: string;
}

interface Rows {
  items: Record<string, unknown>[];
}

/** The first hour with what the README's production install leaves: without development packages and sources. */
describe("a new user's hour", () => {
  let folder: string;
  let service: RunningService;
  const log: Record<string, unknown>[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ponte-new-user-'));
    const main = await installForProduction(folder);
    const env = {
      DATA_DIR: join(folder, 'data'),
      CONFIG_DIR: join(folder, 'config'),
      ADMIN_API_KEY: OPERATORS_KEY,
      SHOPIFY_WEBHOOK_SECRET: SECRET,
      NODE_ENV: 'production',
    };
    service = await RunningService.start(main, env, [], (line) => {
      log.push(JSON.parse(line) as Record<string, unknown>);
    });
  });

  afterAll(async () => {
    await service?.kill();
    rmSync(folder, { recursive: true, force: true });
  });

  async function ponte(...args: string[]): Promise<CommandOutput> {
    const env = { ...process.env, PONTE_URL: service.url, ADMIN_API_KEY: OPERATORS_KEY, PONTE_ORG: 'main' };
    try {
      const ran = await promisify(execFile)('npm', ['run', '--silent', 'ponte', '--', ...args], {
        cwd: folder,
        env,
      });
      return { code: 0, ...ran };
    } catch (error) {
      return error as CommandOutput;
    }
  }

  /** What a command lists. */
  async function rows(...args: string[]): Promise<Rows['items']> {
    const { code, stdout, stderr } = await ponte(...args, '--json');
    expect([code, stderr]).toEqual([0, '']);
    return (JSON.parse(stdout) as Rows).items;
  }

  /** Sends the example's order with these fields instead of its own, and waits until it is worked on. */
  async function send(topic: string, fields: object, secret = SECRET): Promise<number> {
    const order = JSON.parse(readFileSync(join(folder, EXAMPLE), 'utf8')) as object;
    const body = JSON.stringify({ ...order, ...fields });
    const reply = await fetch(`${service.url}/hooks/main/shopify`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-shopify-topic': topic,
        'x-shopify-hmac-sha256': createHmac('sha256', secret).update(body).digest('base64'),
      },
      body,
    });
    await until(async () => (await rows('deliveries', 'list', '--state', 'waiting')).length === 0);
    return reply.status;
  }

  it("begins with the README's ten minutes", async () => {
    const marked = blocksOf('README.md').filter(({ before }) => before.endsWith('<!-- run -->'));
    const [, , delivery = '', books = ''] = await run(
      marked,
      { PONTE: service.url, ADMIN_API_KEY: OPERATORS_KEY, SHOPIFY_WEBHOOK_SECRET: SECRET },
      { cwd: folder },
    );
    expect(JSON.parse(delivery)).toMatchObject({ state: 'done', outcome: 'applied' });
    expect(books.match(/"isPaid":true/g)).toHaveLength(3);
    expect(books).toContain('"balance":250');
  });

  it('says that a second rule uses the key of the first, before it is in force and when it runs', async () => {
    const rule = readFileSync(join(folder, 'config/profiles/cash/order-paid.yaml'), 'utf8')
      .replace('rule: order-paid', 'rule: order-paid-in-one')
      .replace(/^ +instalments: .*\n/m, '');
    const file = join(folder, 'order-paid-in-one.yaml');
    writeFileSync(file, rule);
    for (const command of [
      ['check', file],
      ['put', file],
    ]) {
      const { code, stdout, stderr } = await ponte('rules', ...command);
      expect(code).toBe(0);
      expect(stdout + stderr).toMatch(/rule order-paid uses the key/);
    }
    expect(await send('orders/paid', { id: 5_820_013_460_043, order_number: 2043 })).toBe(200);
    const raised = await rows('attention', 'list');
    expect(raised).toMatchObject([{ code: 'key-shared', businessKey: 'shopify/order/5820013460043' }]);
    expect((await ponte('rules', 'disable', 'order-paid-in-one', '--reason', 'a mistake')).code).toBe(0);
    for (const { id } of raised)
      expect((await ponte('attention', 'resolve', String(id), '--reason', 'rule switched off')).code).toBe(0);
    expect(await rows('attention', 'list')).toEqual([]);
  });

  it('books a refund, and shows one that left no account', async () => {
    const refund = (id: number, amount: string, gateway: string) => {
      const processed_at = '2026-11-21T10:00:01-03:00';
      const transactions = [{ kind: 'refund', status: 'success', gateway, amount, processed_at }];
      return { id, created_at: processed_at, transactions };
    };
    const update = (refunds: object[]) =>
      send('orders/updated', {
        ...{ updated_at: '2026-11-21T10:00:02-03:00', financial_status: 'partially_refunded' },
        ...{ refunds, total_outstanding: '0.00' },
      });
    const money = refund(9_001, '30.00', 'mercado_pago');
    expect(await update([money])).toBe(200);
    const [booked] = await rows('deliveries', 'list', '--limit', '1');
    expect(booked).toMatchObject({ outcome: 'applied' });
    const { stdout } = await ponte('deliveries', 'show', String(booked?.['id']), '--json');
    expect(stdout).toMatch(/"payment\/[^"]+\/refund\/9001"/);
    expect(await rows('attention', 'list')).toEqual([]);
    expect(await update([money, refund(9_002, '12.00', 'gift_card')])).toBe(200);
    expect(await rows('attention', 'list')).toMatchObject([
      { code: 'store-credit-not-booked', value: '12.00', currency: 'BRL' },
    ]);
    const [last] = await rows('deliveries', 'list', '--limit', '1');
    expect(last).toMatchObject({ outcome: 'applied; needs a person: store-credit-not-booked' });
  });

  it('finds a refused signature in the log, and at the source', async () => {
    expect(await send('orders/paid', { id: 5_820_013_460_044 }, 'not the secret')).toBe(401);
    const refusals = () => log.filter(({ msg }) => /^intake: webhooks are refused/.test(String(msg)));
    await until(() => refusals().length > 0);
    expect(refusals()).toMatchObject([
      { organization: 'main', source: 'shopify', reason: expect.stringContaining('signature') },
    ]);
    const { stdout } = await ponte('sources', 'show', 'shopify', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      status: { lastRefusal: expect.stringContaining('signature') },
    });
  });

  it('finds a dead letter in the log, mends the data, and sees it closed', async () => {
    const order = { id: 5_820_013_460_045, order_number: 2045 };
    const broken = [
      { name: 'cpf', value: '529.982.247-26' },
      { name: 'parcelas', value: '1' },
    ];
    expect(await send('orders/paid', { ...order, note_attributes: broken })).toBe(200);
    const [letter] = await rows('dead-letters', 'list');
    expect(letter).toMatchObject({ reason: expect.stringContaining('document') });
    expect(log).toContainEqual(
      expect.objectContaining({ organization: 'main', source: 'shopify', delivery: letter?.['id'] }),
    );
    await send('orders/updated', { ...order, updated_at: '2026-11-21T11:00:00-03:00' });
    await until(async () => (await rows('dead-letters', 'list')).length === 0);
    const { stdout } = await ponte('deliveries', 'show', String(letter?.['id']), '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'discarded',
      outcome: expect.stringMatching(/^closed: /),
    });
  });
});
