import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DemoOrder, shopifyOrder } from '../../scripts/demo/shop-orders';
import { ponte } from '../support/command-line';
import { OPERATORS_KEY, SECRETS, TestService } from '../support/service';

/** The last digit of the CPF is wrong. */
const ORDER: DemoOrder = {
  id: 9_300_000_000_001,
  number: 301,
  total: '100.00',
  name: 'Lia Campos',
  document: '529.982.247-26',
  email: 'lia@example.com',
  instalments: 3,
};
const KEY = `shopify/order/${ORDER.id}`;
const RULE = join(__dirname, '../../config/profiles/cash/order-paid.yaml');

interface Entry {
  id: string;
  actor: string;
  action: string;
  subject: string;
  before: unknown;
  after: unknown;
  reason: string | null;
}

interface Effect {
  key: string;
  operation: string;
  state: string;
  value: string | null;
}

describe('an operator, with nothing but the command line', () => {
  let service: TestService;
  let folder: string;

  beforeAll(async () => {
    service = await TestService.start();
    folder = mkdtempSync(join(tmpdir(), 'ponte-walk-'));
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true });
    await service.stop();
  });

  const env = (): Record<string, string> => ({
    PONTE_URL: service.url,
    PONTE_KEY: OPERATORS_KEY,
    PONTE_ORG: 'main',
    SECRET: SECRETS.shopify,
  });

  /** Runs a command that must succeed. @returns what it prints for a person */
  async function run(...args: string[]): Promise<string> {
    const ran = await ponte(args, { env: env() });
    expect([args.join(' '), ran.code, ran.code === 0 ? '' : ran.stderr]).toEqual([args.join(' '), 0, '']);
    return ran.stdout;
  }

  /** Runs a command that must succeed. @returns what it prints for a program */
  async function json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await run(...args, '--json')) as T;
  }

  function file(name: string, content: string | Buffer): string {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  }

  function send(fixture: string, id: string): Promise<{ delivery: string; duplicate: boolean }> {
    const source = ['--source', 'main/shopify', '--provider', 'shopify', '--secret-env', 'SECRET'];
    return json('send', ...source, '--fixture', fixture, '--topic', 'orders/paid', '--id', id);
  }

  async function booked(): Promise<[schedules: number, receipts: number]> {
    const { prisma } = service.database;
    return [await prisma.schedule.count(), await prisma.entry.count({ where: { kind: 'receipt' } })];
  }

  it('finds an order with a broken CPF, mends the rule, looks at the plan, and has it booked once', async () => {
    const fixture = file('order.json', shopifyOrder(ORDER, true));
    const { delivery } = await send(fixture, 'first');
    await service.settle();

    // It is found among the dead letters, with a reason that a person understands.
    const table = await run('dead-letters', 'list');
    expect(table).toContain(delivery);
    const letters = await json<{ items: { id: string; reason: string }[] }>('dead-letters', 'list');
    expect(letters.items).toMatchObject([
      {
        id: delivery,
        reason:
          "rule order-paid, step customer: the customer's document is not a valid CPF: its check digits do not match",
      },
    ]);
    expect(await booked()).toEqual([0, 0]);
    const before = await run('rules', 'preview', 'order-paid', '--delivery', delivery);
    expect(before).toContain("the customer's document is");

    // The rule is mended: this shop's documents are not to be trusted. Looked at first, then put.
    const mended = readFileSync(RULE, 'utf8').replace(/^ *document: .*\n/m, '');
    const rule = file('order-paid.yaml', mended);
    await run('rules', 'check', rule);
    const preview = await json<{
      events: {
        matched: boolean;
        plan: { steps: { effects: { key: string; operation: string }[] }[] } | null;
      }[];
    }>('rules', 'preview', 'order-paid', '--delivery', delivery, '--document', rule);
    const planned = preview.events.flatMap(({ plan }) => plan?.steps.flatMap(({ effects }) => effects) ?? []);
    expect(planned.map(({ operation }) => operation)).toEqual([
      'customer.ensure',
      'credit-schedule.create',
      'receipt.allocate',
    ]);
    expect(await json('rules', 'put', rule, '--reason', 'documents of this shop are wrong')).toEqual({
      name: 'order-paid',
      version: 2,
      warnings: [],
    });
    expect(await booked()).toEqual([0, 0]);

    // Tried again, it is booked as the preview said.
    await run('dead-letters', 'retry', delivery, '--reason', 'the rule is mended');
    await service.settle();
    const shown = await json<{ state: string; effects: Effect[] }>('deliveries', 'show', delivery);
    expect(shown.state).toBe('done');
    const keys = (effects: { key: string }[]) => effects.map(({ key }) => key).sort();
    expect(keys(shown.effects)).toEqual(keys(planned));
    expect(shown.effects.every(({ state }) => state === 'applied')).toBe(true);
    expect(await booked()).toEqual([3, 3]);
    expect((await json<{ items: unknown[] }>('dead-letters', 'list')).items).toEqual([]);

    // However often it is done again, nothing is booked twice.
    const plan = await json<{ applied: unknown[]; missing: unknown[] }>(
      'deliveries',
      'replay',
      delivery,
      '--dry-run',
    );
    expect([plan.applied.length, plan.missing]).toEqual([3, []]);
    await run('deliveries', 'replay', delivery, '--yes', '--reason', 'to be sure');
    expect(await send(fixture, 'first')).toEqual({ delivery, duplicate: true });
    await send(fixture, 'second');
    await service.settle();
    expect(await booked()).toEqual([3, 3]);
    const own = await json<{ items: { state: string }[] }>('deliveries', 'list', '--business-key', KEY);
    expect(own.items.map(({ state }) => state)).toEqual(['done', 'done']);

    // The audit log tells it all.
    const audit = (await json<{ items: Entry[] }>('audit', 'list')).items.reverse();
    expect(audit.map(({ action, subject, reason }) => [action, subject, reason])).toEqual([
      ['rule.put', 'order-paid', 'documents of this shop are wrong'],
      ['dead-letter.retry', delivery, 'the rule is mended'],
      ['delivery.replay', delivery, 'to be sure'],
    ]);
    expect(new Set(audit.map(({ actor }) => actor)).size).toBe(1);
    expect(audit[0]).toMatchObject({ before: { version: 1 }, after: { version: 2 } });
    expect(audit[1]).toMatchObject({ before: { state: 'dead' }, after: { state: 'waiting' } });
    expect(JSON.stringify(audit)).not.toMatch(/Lia|529[.]?982|example\.com/);
  });
});
