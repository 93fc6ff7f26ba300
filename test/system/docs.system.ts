import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { RunningService } from '../../scripts/demo/running-service';
import { SERVED } from '../../src/finance/api/operations/operations';
import { signedHeaders } from '../../src/sources/registry';
import { until } from '../support/until';
import { type Block, blocksOf, ROOT, run } from './pages';
import { comparable } from './replies';

const OPERATORS_KEY = 'operators-key-of-the-pages';
/** Of the source `standard` of the organization `main`, as `config/` has them. */
const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

/** Its commands are those of `ponte`, which speaks to persons on the standard error. */
const OPERATORS_PAGE = 'docs/operators.md';

/** The pages whose examples are run; the indexes have none. */
const PAGES = ['docs/finance', 'docs/admin']
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`))
  .filter((page) => page.endsWith('.md') && basename(page) !== 'README.md')
  .concat('docs/feed.md', OPERATORS_PAGE);

/** What no shell understands and no service answers. */
const NOT_RUN = ['ebnf'];

const ORDER = {
  id: '3001',
  total: '1000.00',
  createdAt: '2026-07-15T14:30:02-03:00',
  customer: { id: '77', name: 'Helena Moura Prado', document: '417.203.958-88' },
};

let folder: string;
const services: RunningService[] = [];
let asking: RunningService;
/** Takes an organization's name for a key. */
let trusting: RunningService;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ponte-docs-'));
  asking = await start('key', {
    FINANCE_PATH_PREFIX: '/empresas/v1',
    FINANCE_CORS_ORIGINS: 'https://painel.example',
  });
  trusting = await start('organization');
});

afterAll(async () => {
  for (const service of services) await service.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function start(financeAuth: string, environment: Record<string, string> = {}): Promise<RunningService> {
  const service = await RunningService.start(join(ROOT, 'dist/src/main.js'), {
    DATA_DIR: join(folder, `data-${services.length}`),
    CONFIG_DIR: join(ROOT, 'config'),
    ADMIN_API_KEY: OPERATORS_KEY,
    STANDARD_WEBHOOKS_SECRET: SECRET,
    FINANCE_AUTH: financeAuth,
    ...environment,
  });
  services.push(service);
  return service;
}

async function post<T>(path: string, body: object): Promise<T> {
  const reply = await fetch(`${asking.url}/admin/organizations${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATORS_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect(reply.status).toBe(201);
  return (await reply.json()) as T;
}

async function get<T>(path: string): Promise<T> {
  const reply = await fetch(`${asking.url}/admin/organizations${path}`, {
    headers: { authorization: `Bearer ${OPERATORS_KEY}` },
  });
  expect(reply.status).toBe(200);
  return (await reply.json()) as T;
}

/**
 * The variables that a page may count on: an organization with nothing in it but its chart, and a key to it; and the
 * secret that webhooks to the source `standard` of `main` are signed with.
 */
async function variables(page: string): Promise<Record<string, string>> {
  const slug = `reader-of-${basename(page, '.md')}`;
  await post('', { slug, name: 'Padaria Aurora', chart: 'brazil' });
  const { key } = await post<{ key: string }>(`/${slug}/keys`, {
    name: 'a reader',
    scopes: ['finance:read', 'finance:write'],
  });
  return {
    PONTE: asking.url,
    TRUSTING_PONTE: trusting.url,
    ADMIN_API_KEY: OPERATORS_KEY,
    ORG: slug,
    KEY: key,
    SECRET,
  };
}

/**
 * What the page of situations counts on: an organization with sources, a dead letter in it, one that is done, and an
 * item that needs a person.
 */
async function operatorsVariables(): Promise<Record<string, string>> {
  const person = { id: '77', name: 'Helena Moura Prado' };
  const [delivery, letter] = [
    await sendOrder('2001', { ...person, document: '417.203.958-88' }),
    await sendOrder('2002', { ...person, document: '417.203.958-00' }),
  ];
  await sendOrder('2001', { ...person, document: '417.203.958-88' }, '900.00');
  const { items } = await get<{ items: { id: string }[] }>('/main/attention');
  return {
    ...{ PONTE: asking.url, ADMIN_API_KEY: OPERATORS_KEY, ORG: 'main', ITEM: items[0]?.id ?? '' },
    ...{ DELIVERY: delivery, LETTER: letter, NEW_SECRET: 'the new secret of a shop' },
  };
}

/** Sends a paid order to the source `standard` of `main`. @returns its delivery, which is worked on */
async function sendOrder(id: string, customer: object, total = '1000.00'): Promise<string> {
  const payment = { id: `p${id}`, gateway: 'pagarme', method: 'pix', paidAt: '2026-07-15T14:32:08-03:00' };
  const order = { id, total, createdAt: '2026-07-15T14:30:02-03:00', customer, payment };
  const body = JSON.stringify({ type: 'order.paid', timestamp: '2026-07-15T14:32:10-03:00', data: order });
  const message = {
    topic: 'order.paid',
    body,
    id: `operators-${id}-${total}`,
    secret: SECRET,
    sentAt: new Date(),
  };
  const headers = signedHeaders('standard-webhooks', message);
  const reply = await fetch(`${asking.url}/hooks/main/standard`, { method: 'POST', headers, body });
  expect(reply.status).toBe(200);
  const { delivery } = (await reply.json()) as { delivery: string };
  await until(async () => {
    const { state } = await get<{ state: string }>(`/main/deliveries/${delivery}`);
    return state !== 'waiting';
  });
  return delivery;
}

/** What the page shows right below a command: what it prints. */
function replyTo(command: Block, blocks: readonly Block[]): Block | undefined {
  const next = blocks[blocks.indexOf(command) + 1];
  return next?.before === '' && next.language !== 'sh' ? next : undefined;
}

describe.each(PAGES)('%s', (page) => {
  const blocks = blocksOf(page).filter(({ language }) => !NOT_RUN.includes(language));
  const commands = blocks.filter(({ language }) => language === 'sh');
  const replies = commands.map((command) => replyTo(command, blocks));

  it('shows nothing but commands and their replies', () => {
    expect(commands).not.toEqual([]);
    const others = blocks.filter((block) => !commands.includes(block) && !replies.includes(block));
    expect(others.map(({ at }) => at)).toEqual([]);
  });

  it('says what the service answers', async () => {
    const operators = page === OPERATORS_PAGE;
    const settings = operators ? await operatorsVariables() : await variables(page);
    const outputs = await run(commands, settings, { talkative: operators });
    const shown = replies.filter((reply) => reply !== undefined);
    const given = replies.flatMap((reply, index) =>
      reply ? [{ ...reply, text: outputs[index] ?? '' }] : [],
    );
    expect(comparable(given)).toEqual(comparable(shown));
  });
});

describe('examples among much to read', () => {
  /** The commands of a page, with what stands for the reader's own put in. */
  function commandsOf(page: string, own: Readonly<Record<string, string>>): Block[] {
    const commands = blocksOf(page).filter(({ language }) => language === 'sh');
    return commands.map((command) => {
      const text = Object.entries(own).reduce((filled, [theirs, ours]) => {
        expect(filled).toContain(theirs);
        return filled.replaceAll(theirs, ours);
      }, command.text);
      return { ...command, text };
    });
  }

  it('docs/rules.md: the rule of the page is put into force', async () => {
    const page = readFileSync(join(ROOT, 'docs/rules.md'), 'utf8');
    const [, rule = ''] = /^```yaml rule\n(rule: paid-order\n[^]*?)^```$/m.exec(page) ?? [];
    writeFileSync(join(folder, 'paid-order.yaml'), rule);
    const outputs = await run(
      commandsOf('docs/rules.md', {}),
      { PONTE: asking.url, ADMIN_API_KEY: OPERATORS_KEY },
      { cwd: folder },
    );
    const put = outputs.find((output) => output.trimStart().startsWith('{')) ?? '';
    const warnings = ['schedule', 'receipt'].map(
      (step) => expect.stringMatching(new RegExp(`^step ${step}: rule order-paid uses the key `)) as string,
    );
    expect(JSON.parse(put)).toEqual({ name: 'paid-order', version: 1, warnings });
    const disable = `${asking.url}/admin/organizations/main/rules/paid-order/disable`;
    await fetch(disable, { method: 'POST', headers: { authorization: `Bearer ${OPERATORS_KEY}` } });
  });

  it('docs/sources/standard-webhooks.md: the message is signed as Ponte expects', async () => {
    const order = { type: 'order.created', timestamp: '2026-07-15T14:32:10-03:00', data: ORDER };
    writeFileSync(join(folder, 'order.json'), JSON.stringify(order));
    const commands = commandsOf('docs/sources/standard-webhooks.md', {
      'whsec_…': SECRET,
      'curl -i http://127.0.0.1:3000/hooks/my-company/my-shop': `curl -sSi ${asking.url}/hooks/main/standard`,
    });
    const [reply] = await run(commands, {}, { cwd: folder });
    expect(reply).toMatch(/^HTTP\/1.1 200 [^]*"duplicate":false/);
  });

  it('docs/remote-finance.md: a finance service is connected and tried', async () => {
    const made = await post<{ slug: string }>('', { slug: 'acme', name: 'Acme', chart: 'brazil' });
    const { key } = await post<{ key: string }>(`/${made.slug}/keys`, {
      name: 'ponte',
      scopes: ['finance:read', 'finance:write'],
    });
    const books = `${asking.url}/v1`;
    const before = await start('key', { FINANCE_BACKEND: 'remote', FINANCE_BASE_URL: books });
    const commands = commandsOf('docs/remote-finance.md', {
      'https://books.example/api/v1': books,
      '"…"': JSON.stringify(key),
    });
    const [said = ''] = await run(commands, { PONTE: before.url, ADMIN_API_KEY: OPERATORS_KEY, ORG: 'main' });
    expect(said).toContain('"ok":true');
    expect(said).not.toContain(key);
  });
});

describe('the pages together', () => {
  it('show every operation of the finance interface at work', async () => {
    const metrics = await (await fetch(`${asking.url}/metrics`)).text();
    const missing = SERVED.filter(({ method, path, status }) => {
      const route = path.replace(
        /\{(\w)(\w*)\}/g,
        (_, first: string, rest: string) => `:${first.toLowerCase()}${rest}`,
      );
      return !metrics.includes(`{method="${method}",route="/v1${route}",status="${status}"}`);
    });
    expect(missing.map(({ id }) => id)).toEqual([]);
  });
});

describe('the situations', () => {
  it('are those that the alerts name', () => {
    const page = readFileSync(join(ROOT, OPERATORS_PAGE), 'utf8');
    const anchors = [...page.matchAll(/^## (.*)$/gm)].map(([, title = '']) =>
      title.toLowerCase().replaceAll(' ', '-'),
    );
    const alerts = readFileSync(join(ROOT, 'monitoring/alerts.yaml'), 'utf8');
    const named = [...alerts.matchAll(/runbook: (.*)$/gm)].map(([, name = '']) => name);
    expect(anchors).toHaveLength(16);
    expect(new Set(named)).toEqual(new Set(anchors));
  });
});
