import { Agent, request as send } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CompanySettings } from './company';
import type { Fault } from './fault';
import { FaultyFinance } from './faulty-finance';
import { FaultyFinanceProcess } from './faulty-finance-process';

const ACCOUNT = '6f1f0c51-7d3c-4c1e-9a51-000000000001';
const OTHER_ACCOUNT = '6f1f0c51-7d3c-4c1e-9a51-000000000002';
const PAYABLE = '6f1f0c51-7d3c-4c1e-9a51-000000000003';
const PAYMENT = '6f1f0c51-7d3c-4c1e-9a51-000000000004';
const STRICT: CompanySettings = {
  organization: 'strict',
  apiKey: 'key-of-the-strict',
  uniqueDocuments: true,
  refusesOverpayment: true,
  accounts: [
    { id: ACCOUNT, name: 'main' },
    { id: OTHER_ACCOUNT, name: 'other' },
  ],
  categories: [],
  costCenters: [{ id: '6f1f0c51-7d3c-4c1e-9a51-000000000005', description: 'shop' }],
  suppliers: [
    {
      id: '6f1f0c51-7d3c-4c1e-9a51-000000000006',
      name: 'somebody',
      document: { number: '11222333000181' },
    },
  ],
  payables: [
    {
      id: PAYABLE,
      description: 'rent',
      minor: 900_00,
      dueDate: '2026-01-10',
      payments: [{ id: PAYMENT, accountId: ACCOUNT, minor: 900_00 }],
    },
  ],
};
const LAX: CompanySettings = {
  ...STRICT,
  organization: 'lax',
  apiKey: 'key-of-the-lax',
  uniqueDocuments: false,
  refusesOverpayment: false,
};
const CUSTOMER = { name: 'Lia Campos', document: { number: '123.456.789-09' } };

/** What a client saw: a reply, or how the connection ended and what had come by then. */
interface Seen {
  status?: number;
  headers?: Record<string, unknown>;
  body?: string;
  error?: string;
}

let service: FaultyFinance;
const agents: Agent[] = [];

beforeEach(async () => {
  service = await FaultyFinance.start([STRICT, LAX]);
});
afterEach(async () => {
  agents.splice(0).forEach((agent) => agent.destroy());
  await service.stop();
});

function ask(
  method: string,
  path: string,
  { body, company = STRICT, accept, agent }: Partial<Asking> = {},
): Promise<Seen> {
  const url = new URL(`${service.url}${path}`);
  url.searchParams.set('Organization', company.organization);
  const headers = {
    apitoken: company.apiKey,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(accept !== undefined && { accept }),
  };
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException): void => resolve({ error: error.code ?? error.message });
    const sent = send(url, { method, headers, agent }, (reply) => {
      const { statusCode: status, headers: got } = reply;
      text(reply).then((read) => resolve({ status, headers: got, body: read }), failed);
    });
    sent.on('error', failed).end(body === undefined ? undefined : JSON.stringify(body));
  });
}

interface Asking {
  body: unknown;
  company: CompanySettings;
  accept: string;
  agent: Agent;
}

function created(seen: Seen): string {
  expect(seen).toMatchObject({ status: 200, body: expect.stringMatching(/^"[0-9a-f-]{36}"$/) });
  return JSON.parse(seen.body!) as string;
}

function read(seen: Seen): unknown {
  expect(seen.status).toBe(200);
  return JSON.parse(seen.body!);
}

interface Page {
  items: { balance?: number }[];
  nextPageLink: string | null;
}

function readPage(seen: Seen): Page {
  return read(seen) as Page;
}

async function customer(company = STRICT): Promise<string> {
  return created(await ask('POST', '/customers', { body: CUSTOMER, company }));
}

function schedule(stakeholderId: string, more: object = {}): object {
  return { stakeholderId, reference: 'shop/1', value: 100.5, dueDate: '2026-04-10T00:00:00', ...more };
}

const CREDIT = '/schedules/credit/FormatType=json';

describe('the service on a good day', () => {
  it('makes customers, schedules and receipts, and lists what they come to', async () => {
    const stakeholder = await customer();
    const body = schedule(stakeholder, {
      instalment: [
        { value: 50.25, dueDate: '2026-04-10' },
        { value: 50.25, dueDate: '2026-05-10' },
      ],
    });
    const first = created(await ask('POST', CREDIT, { body }));
    const receipt = {
      scheduleId: first,
      accountId: ACCOUNT,
      date: '2026-04-01',
      value: 20.1,
      identifier: 'p',
    };
    expect(await ask('POST', `/schedules/credit/${first}/receipts`, { body: receipt })).toMatchObject({
      status: 204,
      body: '',
    });
    expect(read(await ask('GET', `/customers/${stakeholder}/schedules`))).toEqual([
      expect.objectContaining({
        scheduleId: first,
        reference: 'shop/1',
        value: 50.25,
        openValue: 30.15,
        isPaid: false,
      }),
      expect.objectContaining({ dueDate: '2026-05-10T00:00:00', openValue: 50.25 }),
    ]);
    const { items } = readPage(await ask('GET', '/accounts/views/balance'));
    expect(items[0]).toMatchObject({ accountId: ACCOUNT, balance: -879.9 });
    expect(service.judge.report()).toEqual({
      requests: 5,
      effects: {
        'POST /customers': { count: 1, minor: 0 },
        'POST /schedules/credit': { count: 2, minor: 100_50 },
        'POST /schedules/credit/receipts': { count: 1, minor: 20_10 },
      },
      duplicates: {},
      repeats: {},
      faults: {},
    });
  });

  it('registers on accounts, transfers, opens accounts and takes a payment back', async () => {
    const direct = { accountId: ACCOUNT, value: 10, date: '2026-03-01', description: 'cash' };
    created(await ask('POST', '/receipts', { body: direct }));
    created(await ask('POST', '/payments', { body: { ...direct, value: 3 } }));
    const moved = {
      originAccountId: ACCOUNT,
      destinyAccountId: OTHER_ACCOUNT,
      value: 2.5,
      date: '2026-03-01',
    };
    expect((await ask('POST', '/accounts/transfer', { body: moved })).status).toBe(204);
    const opened = { name: 'new', openBalance: -7.5, dateOfOpenBalance: '2026-01-01' };
    created(await ask('POST', '/accounts', { body: opened }));
    const payment = `/schedules/debit/${PAYABLE}/payments/${PAYMENT}`;
    expect((await ask('DELETE', payment)).status).toBe(204);
    expect((await ask('DELETE', payment)).status).toBe(404);
    const balances = readPage(await ask('GET', '/accounts/views/balance')).items;
    expect(balances.map(({ balance }) => balance)).toEqual([4.5, 2.5, -7.5]);
    expect(readPage(await ask('GET', '/schedules/debit')).items).toEqual([
      expect.objectContaining({ scheduleId: PAYABLE, openValue: 900, isPaid: false }),
    ]);
  });

  it('describes cost centers, and lists suppliers with their documents', async () => {
    const [{ id = '' } = {}] = STRICT.costCenters;
    const body = { costCenterId: id, description: 'market', externalCode: 'sales' };
    expect((await ask('PUT', `/costcenters/${id}`, { body })).status).toBe(204);
    expect(readPage(await ask('GET', '/costcenters')).items).toEqual([body]);
    expect((await ask('PUT', `/costcenters/${ACCOUNT}`, { body })).status).toBe(404);
    expect(readPage(await ask('GET', '/suppliers')).items).toEqual(STRICT.suppliers);
  });

  it('answers lists in pages whose links lead on', async () => {
    const page = readPage(await ask('GET', '/accounts?$top=1&$orderby=id'));
    expect(page).toMatchObject({ count: 2, items: [{ id: ACCOUNT, name: 'main' }] });
    const { pathname, search } = new URL(page.nextPageLink!);
    const next = readPage(await ask('GET', `${pathname}${search}`.replace('/api/v1', '')));
    expect(next).toMatchObject({ items: [{ id: OTHER_ACCOUNT }], nextPageLink: null });
    expect((await ask('GET', '/accounts?$top=1&$skip=1')).status).toBe(500);
    expect(readPage(await ask('GET', '/costcenters')).items).toHaveLength(1);
    expect(readPage(await ask('GET', '/suppliers')).items).toHaveLength(1);
  });

  it('lists as due what is open and past', async () => {
    const stakeholder = await customer();
    const past = schedule(stakeholder, { dueDate: '2020-01-01' });
    const id = created(await ask('POST', CREDIT, { body: past }));
    created(await ask('POST', CREDIT, { body: schedule(stakeholder, { dueDate: '2999-01-01' }) }));
    const { items } = readPage(await ask('GET', '/schedules/credit/dued'));
    expect(items).toEqual([expect.objectContaining({ scheduleId: id, reference: 'shop/1', value: 100.5 })]);
  });

  it('writes an identifier in XML for who accepts it', async () => {
    const seen = await ask('POST', '/customers', { body: CUSTOMER, accept: 'application/xml' });
    expect(seen.headers).toMatchObject({ 'content-type': 'application/xml; charset=utf-8' });
    expect(seen.body).toMatch(/^<guid [^>]*>[0-9a-f-]{36}<\/guid>$/);
  });

  it('refuses without effect what it must not take', async () => {
    const stakeholder = await customer();
    const id = created(await ask('POST', CREDIT, { body: schedule(stakeholder) }));
    const receipt = { accountId: ACCOUNT, date: '2026-04-01', value: 100.51, identifier: 'p' };
    const seen = [
      await ask('GET', '/accounts', { company: { ...STRICT, apiKey: 'wrong' } }),
      await ask('GET', '/accounts', { company: { ...STRICT, organization: 'nobody' } }),
      await ask('GET', '/nowhere'),
      await ask('POST', CREDIT, { body: schedule(ACCOUNT) }),
      await ask('POST', CREDIT, { body: schedule(stakeholder, { value: '100.50' }) }),
      await ask('POST', CREDIT, { body: schedule(stakeholder, { value: 0.001 }) }),
      await ask('POST', `/schedules/credit/${id}/receipts`, { body: receipt }),
      await ask('POST', '/customers', { body: CUSTOMER }),
    ];
    expect(seen.map(({ status }) => status)).toEqual([401, 401, 404, 404, 422, 422, 422, 409]);
    expect(JSON.parse(seen[6]!.body!)).toMatchObject({ error: 'exceeds-open-value', openValue: 100.5 });
    expect(JSON.parse(seen[7]!.body!)).toMatchObject({ error: 'customer-exists', customerId: stakeholder });
    expect(service.judge.effects).toHaveLength(2);
  });
});

describe('the judge', () => {
  it('sees each thing that was done twice', async () => {
    const stakeholder = await customer(LAX);
    await customer(LAX);
    const [id] = [
      created(await ask('POST', CREDIT, { body: schedule(stakeholder), company: LAX })),
      created(await ask('POST', CREDIT, { body: schedule(stakeholder), company: LAX })),
    ];
    const body = { accountId: ACCOUNT, date: '2026-04-01', value: 100.5, identifier: 'p' };
    await ask('POST', `/schedules/credit/${id}/receipts`, { body, company: LAX });
    await ask('POST', `/schedules/credit/${id}/receipts`, { body, company: LAX });
    const twice = {
      'lax: customer 12345678909': 2,
      'lax: schedule shop/1 2026-04-10': 2,
      [`lax: receipt ${id} p`]: 2,
    };
    expect(service.judge.report().duplicates).toEqual(twice);
    expect(Object.keys(service.judge.report().repeats)).toEqual(Object.keys(twice));
  });

  it('sees that something was asked for twice where the service would not do it twice', async () => {
    await customer();
    await ask('POST', '/customers', { body: CUSTOMER });
    expect(service.judge.report()).toMatchObject({
      duplicates: {},
      repeats: { 'strict: customer 12345678909': 1 },
    });
  });
});

describe('a fault', () => {
  /** Asks for a customer under a fault; afterwards the same without one. */
  async function under(fault: Fault): Promise<{ seen: Seen; effects: number }> {
    service.forecast.add([{ request: 'POST /customers', fault }]);
    const seen = await ask('POST', '/customers', { body: CUSTOMER });
    await service.settled();
    expect(service.judge.report().faults).toEqual({ [fault.kind]: 1 });
    return { seen, effects: service.judge.effects.length };
  }

  it('resets without effect', async () => {
    expect(await under({ kind: 'reset' })).toEqual({ seen: { error: 'ECONNRESET' }, effects: 0 });
  });

  it('cuts before the headers, after the effect', async () => {
    expect(await under({ kind: 'cut-before-headers' })).toEqual({
      seen: { error: 'ECONNRESET' },
      effects: 1,
    });
  });

  it('cuts within the answer, after the effect', async () => {
    expect(await under({ kind: 'cut-within-answer' })).toEqual({ seen: { error: 'ECONNRESET' }, effects: 1 });
    const body = { originAccountId: ACCOUNT, destinyAccountId: OTHER_ACCOUNT, value: 1, date: '2026-03-01' };
    service.forecast.add([{ fault: { kind: 'cut-within-answer' } }]);
    expect(await ask('POST', '/accounts/transfer', { body })).toEqual({
      error: expect.stringMatching(/^(ECONNRESET|HPE_)/),
    });
  });

  it.each([true, false])('answers 500, with the effect or without: %s', async (applied) => {
    const { seen, effects } = await under({ kind: 'error-500', applied });
    expect(seen).toMatchObject({ status: 500, body: 'Internal Server Error' });
    expect(effects).toBe(applied ? 1 : 0);
  });

  it('is too busy without effect, and says until when or not', async () => {
    const { seen, effects } = await under({ kind: 'busy', status: 429, retryAfter: 2 });
    expect(seen).toMatchObject({ status: 429, headers: { 'retry-after': '2' } });
    expect(effects).toBe(0);
    service.forecast.add([{ fault: { kind: 'busy', status: 503 } }]);
    const other = await ask('POST', '/customers', { body: CUSTOMER });
    expect(other.status).toBe(503);
    expect(other.headers).not.toHaveProperty('retry-after');
    expect(service.judge.effects).toHaveLength(0);
  });

  it.each([true, false])('answers garbage, with the effect or without: %s', async (applied) => {
    const { seen, effects } = await under({ kind: 'garbage', applied });
    expect(seen).toMatchObject({ status: 200, body: expect.stringContaining('<html>') });
    expect(effects).toBe(applied ? 1 : 0);
  });

  it('writes the body of the answer twice, after one effect', async () => {
    const { seen, effects } = await under({ kind: 'double-body' });
    expect(seen.body).toMatch(/^("[0-9a-f-]{36}")\1$/);
    expect(effects).toBe(1);
  });

  it('sends the answer twice, after one effect', async () => {
    service.forecast.add([{ fault: { kind: 'double-answer' } }]);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify(CUSTOMER);
    socket.write(
      `POST /api/v1/customers?Organization=strict HTTP/1.1\r\nHost: x\r\nApiToken: ${STRICT.apiKey}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(await text(socket)).toMatch(/^(HTTP\/1\.1 200 [\s\S]*"[0-9a-f-]{36}")\1$/);
    expect(service.judge.effects).toHaveLength(1);
  });

  it('takes effect at once and answers late', async () => {
    service.forecast.add([{ fault: { kind: 'late-answer', afterMs: 300 } }]);
    const start = performance.now();
    const asked = ask('POST', '/customers', { body: CUSTOMER });
    // Seen by somebody else while the first still waits.
    for (;;) {
      if ((await ask('POST', '/customers', { body: CUSTOMER })).status === 409) break;
      expect(performance.now() - start).toBeLessThan(60_000);
    }
    created(await asked);
    expect(performance.now() - start).toBeGreaterThanOrEqual(295);
  });

  it('takes effect late, even when nobody waits any longer', async () => {
    service.forecast.add([{ fault: { kind: 'late-effect', afterMs: 200 } }]);
    const agent = new Agent();
    const asked = ask('POST', '/customers', { body: CUSTOMER, agent });
    while (service.judge.requests.length === 0) await new Promise(setImmediate);
    agent.destroy();
    expect(await asked).toEqual({ error: 'ECONNRESET' });
    await service.settled();
    const [asking, effect] = [service.judge.requests[0]!, service.judge.effects[0]!];
    expect(effect.at - asking.at).toBeGreaterThanOrEqual(195);
  });

  it('opens the door again when the time has come', async () => {
    service.shut('down', 100);
    await service.settled();
    expect((await ask('GET', '/accounts')).status).toBe(200);
  });

  it('shuts the door after one that came in, for a while', async () => {
    service.forecast.add([{ fault: { kind: 'refuse-others', forMs: 60_000 } }]);
    await customer();
    expect(await ask('GET', '/accounts')).toEqual({ error: 'ECONNREFUSED' });
    service.open();
    await service.settled();
    expect((await ask('GET', '/accounts')).status).toBe(200);
  });

  it('resets whoever comes next before anything is read, for a while', async () => {
    service.forecast.add([{ fault: { kind: 'reset-others', forMs: 60_000 } }]);
    await customer();
    expect(await ask('GET', '/accounts')).toEqual({ error: 'ECONNRESET' });
    expect(service.judge.requests).toHaveLength(1);
    service.open();
    await service.settled();
    expect((await ask('GET', '/accounts')).status).toBe(200);
  });

  it('goes down with everything that is connected, and forgets nothing', async () => {
    const stakeholder = await customer();
    service.forecast.add([{ request: 'POST /customers', fault: { kind: 'down', forMs: 60_000 } }]);
    const body = { ...CUSTOMER, document: { number: '2' } };
    expect(await ask('POST', '/customers', { body })).toEqual({ error: 'ECONNRESET' });
    expect(await ask('GET', '/suppliers')).toEqual({ error: 'ECONNREFUSED' });
    service.open();
    await service.settled();
    expect(service.judge.effects).toHaveLength(1);
    expect(read(await ask('GET', `/customers/${stakeholder}/schedules`))).toEqual([]);
  });
});

describe('the weather', () => {
  const faults = [
    { kind: 'reset' },
    { kind: 'error-500', applied: true },
    { kind: 'busy', status: 429 },
  ] as const satisfies Fault[];

  async function met(seed: number): Promise<string[]> {
    const start = service.judge.requests.length;
    service.forecast.set({ seed, share: 0.5, faults });
    for (let count = 0; count < 40; count++) await ask('GET', '/accounts');
    return service.judge.requests.slice(start).map(({ fault }) => fault);
  }

  it('is the same for the same seed, and mixed', async () => {
    const first = await met(1);
    expect(await met(1)).toEqual(first);
    expect(await met(2)).not.toEqual(first);
    expect(new Set(first)).toEqual(new Set(['none', 'reset', 'error-500', 'busy']));
  });

  it('leaves a calm day calm', async () => {
    service.forecast.set({ seed: 1, share: 1, faults });
    service.forecast.set(undefined);
    expect((await ask('GET', '/accounts')).status).toBe(200);
  });
});

describe('in a process of its own', () => {
  it('takes scripts and weather, shuts its door, and tells what happened', async () => {
    const process = await FaultyFinanceProcess.start([STRICT]);
    const url = `${process.url}/customers?Organization=strict`;
    const headers = { apitoken: STRICT.apiKey, 'content-type': 'application/json' };
    const post = (): Promise<number> =>
      fetch(url, { method: 'POST', headers, body: JSON.stringify(CUSTOMER) }).then(
        ({ status }) => status,
        () => 0,
      );
    try {
      await process.script({ fault: { kind: 'error-500', applied: false } });
      expect(await post()).toBe(500);
      await process.weather({ seed: 1, share: 1, faults: [{ kind: 'busy', status: 503 }] });
      expect(await post()).toBe(503);
      await process.weather(undefined);
      await process.shut('down', 60_000);
      expect(await post()).toBe(0);
      await process.open();
      expect(await process.report()).toMatchObject({ faults: { 'error-500': 1, busy: 1, down: 1 } });
      expect(await post()).toBe(200);
      expect(await process.effects()).toEqual([
        expect.objectContaining({ identity: 'strict: customer 12345678909' }),
      ]);
      expect((await process.requests()).map(({ status }) => status)).toEqual([undefined, undefined, 200]);
    } finally {
      await process.stop();
    }
  });
});

describe('listings that lag', () => {
  /** Longer than a test takes. */
  const HOUR_MS = 3_600_000;

  async function receivable(): Promise<{ customer: string; schedule: string }> {
    const customer = JSON.parse((await ask('POST', '/customers', { body: CUSTOMER })).body!) as string;
    const body = { stakeholderId: customer, value: 100, dueDate: '2026-04-10' };
    const made = await ask('POST', '/schedules/credit/FormatType=json', { body });
    return { customer, schedule: JSON.parse(made.body!) as string };
  }

  const openValues = async (customer: string): Promise<number[]> => {
    const listed = await ask('GET', `/customers/${customer}/schedules`);
    expect(listed.status).toBe(200);
    return (JSON.parse(listed.body!) as { openValue: number }[]).map(({ openValue }) => openValue);
  };

  it('do not show what was just written, to whoever writes it is current all the same', async () => {
    service.lagBy({ ms: HOUR_MS, kind: 'exact' });
    const { customer, schedule } = await receivable();
    expect(await ask('GET', `/customers/${customer}/schedules`)).toMatchObject({ status: 404 });
    const body = { accountId: ACCOUNT, value: 60, date: '2026-04-10' };
    const receive = () => ask('POST', `/schedules/credit/${schedule}/receipts`, { body });
    expect(await receive()).toMatchObject({ status: 204 });
    expect(await receive()).toMatchObject({ status: 422 });
    service.lagBy({ ms: 0, kind: 'exact' });
    expect(await openValues(customer)).toEqual([40]);
  });

  it('are behind by no more than was said', async () => {
    const { customer, schedule } = await receivable();
    const body = { accountId: ACCOUNT, value: 60, date: '2026-04-10' };
    await ask('POST', `/schedules/credit/${schedule}/receipts`, { body });
    service.lagBy({ ms: HOUR_MS, kind: 'random', seed: 1 });
    expect(await ask('GET', `/customers/${customer}/schedules`)).toMatchObject({ status: 404 });
    service.lagBy({ ms: 300, kind: 'random', seed: 1 });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(await openValues(customer)).toEqual([40]);
  });
});
