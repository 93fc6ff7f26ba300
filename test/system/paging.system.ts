import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import buildQuery, { type QueryOptions } from 'odata-query';
import { RunningService } from '../../scripts/demo/running-service';

const ROOT = join(__dirname, '../..');
const OPERATORS_KEY = 'operators-key-of-the-pages';

/** Each receivable comes in as many instalments as one may have. */
const INSTALMENTS = 120;
const RECEIVABLES = 84;
const SCHEDULES = 10_000;

interface PageResult {
  items: { scheduleId: string; value: number }[];
  count: number;
  nextPageLink: string | null;
}

let folder: string;
let service: RunningService;
let key: string;
let customer: string;
/** Every overdue receivable there was before anybody began to page. */
let present: Set<string>;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ponte-pages-'));
  service = await RunningService.start(join(ROOT, 'dist/src/main.js'), {
    DATA_DIR: join(folder, 'data'),
    CONFIG_DIR: join(ROOT, 'config'),
    ADMIN_API_KEY: OPERATORS_KEY,
  });
  key = (
    await call<{ key: string }>('/admin/organizations/main/keys', OPERATORS_KEY, {
      name: 'a client that pages',
      scopes: ['finance:read', 'finance:write'],
    })
  ).key;
  customer = await call<string>('/v1/customers', key, { name: 'Someone who pays late' });
  for (let index = 0; index < RECEIVABLES; index++) {
    await sell(index < RECEIVABLES - 1 ? INSTALMENTS : SCHEDULES - (RECEIVABLES - 1) * INSTALMENTS);
  }
  const listed = await call<{ scheduleId: string }[]>(`/v1/customers/${customer}/schedules?$top=1`, key);
  expect(listed).toHaveLength(1);
  present = new Set(await walkBySkip());
  expect(present.size).toBe(SCHEDULES);
});

afterAll(async () => {
  await service.kill();
  rmSync(folder, { recursive: true, force: true });
});

async function call<T>(path: string, token: string, body?: unknown): Promise<T> {
  const reply = await fetch(path.startsWith('http') ? path : `${service.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { apitoken: token, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${reply.status} ${text}`);
  return JSON.parse(text) as T;
}

/** A receivable that is overdue, in so many instalments of one. */
async function sell(count: number): Promise<void> {
  const instalment = Array.from({ length: count }, () => ({ value: 1, dueDate: '2020-05-11' }));
  await call('/v1/schedules/credit/FormatType=json', key, {
    stakeholderId: customer,
    value: count,
    dueDate: '2020-05-11',
    instalment,
  });
}

/** Sells on, one receivable after another, until `work` is done. */
async function whileSelling<T>(work: () => Promise<T>): Promise<T> {
  let done = false;
  const selling = (async () => {
    while (!done) await sell(3);
  })();
  try {
    return await work();
  } finally {
    done = true;
    await selling;
  }
}

function overdue(query: Partial<QueryOptions<unknown>>): Promise<PageResult> {
  return call<PageResult>(`/v1/schedules/credit/dued${buildQuery(query)}`, key);
}

async function walkBySkip(query: Partial<QueryOptions<unknown>> = {}): Promise<string[]> {
  const ids: string[] = [];
  for (let skip = 0; ; skip += 250) {
    const { items } = await overdue({ ...query, top: 250, skip });
    ids.push(...items.map(({ scheduleId }) => scheduleId));
    if (items.length < 250) return ids;
  }
}

async function walkByLink(query: Partial<QueryOptions<unknown>> = {}): Promise<string[]> {
  const ids: string[] = [];
  let page = await overdue({ ...query, top: 250 });
  for (;;) {
    ids.push(...page.items.map(({ scheduleId }) => scheduleId));
    if (page.nextPageLink === null) return ids;
    page = await call<PageResult>(page.nextPageLink, key);
  }
}

function expectEachOnce(ids: readonly string[]): void {
  expect(new Set(ids).size).toBe(ids.length);
  const seen = new Set(ids);
  expect([...present].filter((id) => !seen.has(id))).toEqual([]);
}

describe('ten thousand overdue receivables, while more come in', () => {
  it('come once each to an OData client that skips', async () => {
    expectEachOnce(await whileSelling(() => walkBySkip()));
  });

  it('come once each to an OData client that follows the links', async () => {
    expectEachOnce(await whileSelling(() => walkByLink()));
  });

  it('come once each to an OData client that filters, orders and follows the links', async () => {
    const query = {
      filter: { value: { ge: 1 }, 'stakeholder/name': { contains: 'pays' }, isFlagged: false },
      orderBy: ['date desc', 'description', 'value'],
    } as Partial<QueryOptions<unknown>>;
    expectEachOnce(await whileSelling(() => walkByLink(query)));
  });

  it('come once each to a shell script that only knows curl', async () => {
    const script = `
      next="$PONTE/v1/schedules/credit/dued?%24top=250"
      while [ -n "$next" ]; do
        page=$(curl --fail-with-body --silent --show-error --header "ApiToken: $KEY" "$next")
        next=$(node -e 'const page = JSON.parse(require("fs").readFileSync(0, "utf8"));
          for (const { scheduleId } of page.items) console.error(scheduleId);
          console.log(page.nextPageLink ?? "");' <<<"$page" 2>>"$IDS")
      done
      cat "$IDS"`;
    const ids = await whileSelling(async () => {
      const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
        env: { ...process.env, PONTE: service.url, KEY: key, IDS: join(folder, 'ids') },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number];
      expect(code).toBe(0);
      return output.trim().split('\n');
    });
    expectEachOnce(ids);
  });
});
