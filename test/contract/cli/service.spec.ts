import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ponte, type Ran, type RunOptions } from '../../support/command-line';
import { OperatorsClient } from '../../support/operators-client';
import { OPERATORS_KEY, SECRETS, TestService } from '../../support/service';

/** `ponte` at a running service, for what the service has: everything else stands in commands.spec.ts. */

const PAGE = readFileSync(join(__dirname, '../../../docs/cli.md'), 'utf8');

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

function run(args: string, options: RunOptions = {}): Promise<Ran> {
  const env = { PONTE_URL: service.url, ADMIN_API_KEY: OPERATORS_KEY, PONTE_ORG: 'main', ...options.env };
  return ponte(
    [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word = '']) => quoted ?? word),
    { ...options, env },
  );
}

/** What a command that must succeed prints as JSON. */
async function json<T>(args: string, options: RunOptions = {}): Promise<T> {
  const ran = await run(`${args} --json`, options);
  expect([args, ran.code, ran.stderr.includes('urn:')]).toEqual([args, 0, false]);
  return JSON.parse(ran.stdout) as T;
}

interface Listed {
  items: Record<string, string>[];
  after: string | null;
}

const SHOPIFY = { env: { SECRET: SECRETS.shopify } };

function send(more: string, fixture = 'shopify/orders-paid'): Promise<Ran> {
  return run(
    `send --source main/shopify --provider shopify --fixture ${fixture} --secret-env SECRET ${more}`,
    SHOPIFY,
  );
}

describe('ponte send', () => {
  it('sends what the service understands: an order becomes what the rule says', async () => {
    const first = await send('--id first --json');
    expect([first.code, first.stderr]).toEqual([0, '']);
    const { delivery, duplicate } = JSON.parse(first.stdout) as { delivery: string; duplicate: boolean };
    expect(duplicate).toBe(false);
    await service.settle();
    const shown = await json<{ state: string; effects: { operation: string }[] }>(
      `deliveries show ${delivery}`,
    );
    expect(shown.state).toBe('done');
    expect(shown.effects.map(({ operation }) => operation)).toContain('receipt.allocate');
    const again = await send('--id first --json');
    expect(JSON.parse(again.stdout)).toEqual({ delivery, duplicate: true });
  });

  it.each([
    ['woocommerce', 'woocommerce', 'woocommerce/order-created', SECRETS.woocommerce],
    ['woocommerce', 'woocommerce', 'woocommerce/order-updated', SECRETS.woocommerce],
    ['standard', 'standard-webhooks', 'standard-webhooks/order-created', SECRETS.standard],
    ['standard', 'standard-webhooks', 'standard-webhooks/order-paid', SECRETS.standard],
    ['standard', 'standard-webhooks', 'standard-webhooks/customer-updated', SECRETS.standard],
    ['shopify', 'shopify', 'shopify/orders-create', SECRETS.shopify],
    ['shopify', 'shopify', 'shopify/orders-paid', SECRETS.shopify],
  ])('to %s as %s: %s is understood', async (source, provider, fixture, secret) => {
    const ran = await run(
      `send --source main/${source} --provider ${provider} --fixture ${fixture} --secret-stdin --json`,
      { input: `${secret}\n` },
    );
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const { delivery } = JSON.parse(ran.stdout) as { delivery: string };
    await service.settle();
    expect(await json(`deliveries show ${delivery}`)).toMatchObject({
      state: 'done',
      reason: null,
      eventTypes: expect.arrayContaining([expect.any(String)]),
    });
  });

  it('sends a file, several times: all but the first are duplicates', async () => {
    const file = 'docs/examples/shopify-order-paid.json';
    const ran = await send('--topic orders/paid --times 3', file);
    expect(ran.stdout.match(/^200 +(true|false)/gm)?.map((row) => row.slice(3).trim())).toEqual([
      'false',
      'true',
      'true',
    ]);
  });

  it('tells why it was refused, without the secret', async () => {
    const forged = await run(
      'send --source main/shopify --provider shopify --fixture shopify/orders-paid --secret-env SECRET',
      {
        env: { SECRET: 'guessed-by-a-stranger' },
      },
    );
    expect([forged.code, forged.stdout]).toEqual([1, '']);
    expect(forged.stderr).toContain('signature-invalid, 401');
    expect(forged.stderr).not.toContain('guessed-by-a-stranger');
    const lost = await run(
      'send --source main/nowhere --provider shopify --fixture shopify/orders-paid --secret-env SECRET',
      SHOPIFY,
    );
    expect([lost.code, lost.stderr]).toEqual([1, expect.stringContaining('signature-invalid')]);
  });
});

describe('ponte overview, search, order and books', () => {
  it('lead from the money of a day to the order, and from there to the books', async () => {
    await send('--id of-a-day --json');
    await service.settle();
    const { items: accounts } = await json<Listed>('books accounts');
    const entries = await Promise.all(
      accounts.map(({ id }) => json<Listed>(`books entries ${id} --all`).then(({ items }) => items)),
    );
    const [entry] = entries.flat();
    const day = entry?.['date'] ?? '';
    const key = entry?.['businessKey'] ?? '';
    expect(key).toMatch(/^shopify\/order\/\d+$/);
    const { received, money } = await json<{ received: object; money: { bySource: object[] } }>(
      'overview show',
    );
    expect(received).toMatchObject({ accepted: expect.any(Number) });
    expect(money).toMatchObject({ books: 'ledger' });
    const { items: payments } = await json<Listed>(`overview payments --date ${day} --source shopify --all`);
    expect(payments.map(({ businessKey }) => businessKey)).toContain(key);

    const found = await json<{ items: { kind: string; businessKey: string; customer: string }[] }>(
      `search ${key}`,
    );
    expect(found.items[0]).toMatchObject({ kind: 'order', businessKey: key });
    const told = await run(`order ${key}`);
    expect([told.code, told.stderr]).toEqual([0, '']);
    for (const words of ['shopify orders/paid', 'receipt.allocate', 'receipt.registered'])
      expect(told.stdout).toContain(words);

    const { items: customers } = await json<Listed>('books customers');
    const { items: owed } = await json<Listed>('books receivables --state all --all');
    expect(owed.map(({ businessKey }) => businessKey)).toContain(key);
    const statement = await json<{ isWhole: boolean; items: object[] }>(
      `books statement ${customers[0]?.['id']}`,
    );
    expect(statement.isWhole).toBe(true);
    expect(statement.items.slice(0, 2)).toMatchObject([{ type: 'receivable' }, { type: 'receipt' }]);
    expect((await run('order shopify/order/0')).code).toBe(5);
  });
});

describe('ponte deliveries and dead-letters', () => {
  let dead: string[];

  beforeAll(async () => {
    const sent: string[] = [];
    for (const id of ['broken-1', 'broken-2', 'broken-3']) {
      const ran = await run(
        `send --source main/shopify --provider shopify --fixture - --topic orders/paid --secret-env SECRET --json --id ${id}`,
        {
          input: '{"id": 1',
          ...SHOPIFY,
        },
      );
      sent.push((JSON.parse(ran.stdout) as { delivery: string }).delivery);
    }
    await service.settle();
    dead = sent.reverse();
  });

  it('list exactly what the API gives, or a table of it', async () => {
    const ran = await run('dead-letters list --json');
    expect(JSON.parse(ran.stdout)).toEqual(await service.admin('dead-letters'));
    const table = (await run('dead-letters list')).stdout.split('\n');
    expect(table[0]).toMatch(/^id +receivedAt +source +topic +businessKey +reason$/);
    expect(table.slice(1, 4).map((line) => line.slice(0, 36))).toEqual(dead);
  });

  it('filter as the API does', async () => {
    const { items } = await json<Listed>('deliveries list --state dead --source shopify --topic orders/paid');
    expect(items.map(({ id }) => id)).toEqual(dead);
    expect((await json<Listed>('deliveries list --source woocommerce --state dead')).items).toEqual([]);
  });

  it('page by page come to what stands on one page', async () => {
    const whole = await json<Listed>('deliveries list --limit 500');
    expect(whole.items.length).toBeGreaterThan(5);
    const paged = await run('deliveries list --all --limit 2 --json');
    expect(JSON.parse(paged.stdout)).toEqual(whole);
    expect(paged.stderr).toContain(`${whole.items.length} so far`);
    const table = (await run('deliveries list --all --limit 2')).stdout.trimEnd().split('\n');
    expect(table.map((line) => line.slice(0, 36).trim())).toEqual(
      ['id', ...whole.items.map(({ id }) => id)].map((id) => expect.stringMatching(new RegExp(`^${id}`))),
    );
    const first = await run('deliveries list --limit 2');
    expect(first.stderr).toContain(`--after ${whole.items[1]?.['id']}`);
  });

  it('show, retry and discard one', async () => {
    const [newest = '', second = ''] = dead;
    expect((await run(`deliveries show ${newest}`)).stdout).toMatch(/^state +dead$/m);
    const discarded = await run(`dead-letters discard ${newest} --reason "a test"`);
    expect(discarded).toEqual({ code: 0, stdout: '', stderr: 'It is off the list.\n' });
    expect((await run(`dead-letters retry ${second}`)).code).toBe(0);
    await service.settle();
    expect((await run(`dead-letters discard ${newest} --reason "a test"`)).code).toBe(5);
    const audit = await json<Listed>('audit list --limit 2');
    expect(audit.items.map(({ action, subject, reason }) => [action, subject, reason])).toEqual([
      ['dead-letter.retry', second, null],
      ['dead-letter.discard', newest, 'a test'],
    ]);
  });
});

describe('ponte at the rest of the service', () => {
  it('organizations: makes, changes, shows and lists', async () => {
    const made = await json<Record<string, unknown>>(
      'organizations create padaria --name "Padaria Aurora" --currency BRL --time-zone America/Manaus',
    );
    expect(made).toMatchObject({ slug: 'padaria', name: 'Padaria Aurora', timeZone: 'America/Manaus' });
    const changed = await json('organizations change padaria --name "Padaria Nova" --reason articles');
    expect(changed).toEqual({ ...made, name: 'Padaria Nova', profileChange: null });
    expect(await json('organizations show', { env: { PONTE_ORG: 'padaria' } })).toEqual({
      ...made,
      name: 'Padaria Nova',
    });
    expect((await run('organizations list')).stdout).toMatch(
      /^padaria +BRL +America\/Manaus .*Padaria Nova$/m,
    );
    const again = await run('organizations create padaria --name Twice');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('409')]);
    const bad = await run('organizations create Padaria! --name Padaria');
    const shown = /```text\n([^`]*)```/.exec(PAGE)?.[1];
    const anyId = (text = ''): string => text.replace(/urn:uuid:\S+/, 'urn:uuid:…');
    expect([bad.code, anyId(bad.stderr)]).toEqual([1, anyId(shown)]);
  });

  it('keys: a key is shown once, does what it may, and nothing once revoked', async () => {
    const made = await run('keys create --name erp --scopes admin');
    const key = /^key +(\S+)$/m.exec(made.stdout)?.[1] ?? '';
    const id = /^id +(\S+)$/m.exec(made.stdout)?.[1] ?? '';
    const own = { env: { PONTE_KEY: key, ADMIN_API_KEY: '' } };
    expect((await run('deliveries list', own)).code).toBe(0);
    expect((await run('deliveries list --org other', own)).code).not.toBe(0);
    const listed = await run('keys list');
    expect(listed.stdout).toContain(id);
    expect(listed.stdout + listed.stderr + made.stderr).not.toContain(key);
    expect((await run(`keys revoke ${id}`)).code).toBe(0);
    const refused = await run('deliveries list', own);
    expect([refused.code, refused.stdout]).toEqual([4, '']);
    expect(refused.stderr).toContain('key-invalid, 401');
    expect(refused.stderr).not.toContain(key);
    const reader = await json<{ key: string }>('keys create --name reader --scopes feed:read');
    expect((await run('deliveries list', { env: { PONTE_KEY: reader.key } })).code).toBe(4);
  });

  it('another organization, or a thing that is not there, ends with 5', async () => {
    expect((await run('deliveries list --org nobody')).code).toBe(5);
    expect((await run('deliveries show 01939b2e-58c5-7c04-9d3c-0f6f2f1f7f61')).code).toBe(5);
    const other = await OperatorsClient.of(service);
    const [{ id = '' } = {}] = (await json<Listed>('deliveries list --limit 1')).items;
    expect((await run(`deliveries show ${id} --org ${other.slug}`)).code).toBe(5);
  });

  it('effects, attention, finance and audit answer', async () => {
    expect(await json('effects list --state applied')).toEqual({ items: [], after: null });
    expect((await run('effects list')).stderr).toBe('There is none.\n');
    expect(await json('attention list')).toEqual(await service.admin('attention'));
    const finance = await run('finance set --base-url https://f.example.com/v1 --secret-env SECRET', SHOPIFY);
    expect([finance.code, finance.stderr]).toEqual([
      1,
      expect.stringContaining('FINANCE_BACKEND is embedded'),
    ]);
    expect((await run('finance show')).code).toBe(5);
    expect(await json('audit list --limit 500')).toEqual(await service.admin('audit?limit=500'));
  });
});

describe('ponte import', () => {
  const line = (id: number, note = ''): string =>
    JSON.stringify({ id, note, line_items: [], total_price: '1.00', created_at: '2026-07-15T10:00:00Z' });

  async function imported(lines: readonly string[], more = ''): Promise<Ran> {
    return run(`import - --source shopify ${more}`, { input: lines.join('\n') });
  }

  it('sends a long file in parts, says how far it is, and changes nothing the second time', async () => {
    const lines = Array.from({ length: 1_500 }, (_, index) => line(70_000 + index));
    const first = await imported(lines, '--json');
    const counts = { refused: 0, problems: [] };
    expect([first.code, JSON.parse(first.stdout)]).toEqual([
      0,
      { lines: 1_500, stored: 1_500, duplicates: 0, ignored: 1_500, ...counts },
    ]);
    expect(first.stderr).toBe('to line 1000: 1000 stored, 0 known before, 0 refused\n');
    const again = await imported(lines, '--json --from-line 1400');
    expect(JSON.parse(again.stdout)).toMatchObject({ lines: 101, stored: 0, duplicates: 101 });
  });

  it('ends with 1 where lines were refused, says which, and takes the others', async () => {
    const ran = await imported([
      line(80_001),
      'no JSON',
      line(80_002, 'x'.repeat(1024 * 1024)),
      line(80_003),
    ]);
    expect(ran.code).toBe(1);
    expect(ran.stdout).toMatch(/^stored +2$/m);
    expect(ran.stderr).toMatch(/^line 2: the body is /m);
    expect(ran.stderr).toMatch(/^line 3: it is longer than 1048576 bytes$/m);
    expect(ran.stderr).toContain('2 of 4 lines were refused.');
  });

  it('says where to go on when something stands in its way', async () => {
    const paused = await json<Record<string, unknown>>('sources pause shopify');
    expect(paused).toMatchObject({ paused: true });
    const refused = await imported([line(90_001)]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('source-paused')]);
    await json('sources resume shopify');
    const lost = await run('import ./nowhere.ndjson --source shopify');
    expect([lost.code, lost.stderr]).toEqual([2, expect.stringContaining('cannot be read (ENOENT)')]);
  });
});
