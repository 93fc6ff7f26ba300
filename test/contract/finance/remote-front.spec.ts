import { BookDetailsPort } from '../../../src/finance/api/ports/book-details.port';
import { operation } from '../../../src/finance/api/operations/operations';
import type { Page } from '../../../src/http/paging';
import { idOf, refusalOf } from '../../support/finance-client';
import { StubFront } from '../../support/stub-front';
import { StubService } from '../../support/stub-service';
import type { TestingApp } from '../../support/testing-app';

const MADE = '01a1ff90-6fa5-70b9-b12d-29885e79080c';

let service: StubService;
let testing: TestingApp;
let client: StubFront;

beforeAll(async () => {
  service = await StubService.start();
  testing = await StubFront.open(service.url());
});
beforeEach(async () => {
  service.requests.length = 0;
  client = await StubFront.of(testing);
});
afterAll(async () => {
  await testing.close();
  await service.stop();
});

describe('pages of a service with names of its own for the next one', () => {
  const account = (name: string) => ({
    id: MADE,
    name,
    openBalance: 0,
    dateOfOpenBalance: '2026-01-01T00:00:00-03:00',
    isVirtual: false,
  });

  /** What the service was asked for, less the key. */
  function asked(): string[] {
    return service.requests.map(({ url }) => decodeURIComponent(url.replace('/api/v1', '')));
  }

  async function pageAt(link: string): Promise<Page<object>> {
    const reply = await fetch(link, { headers: { apitoken: client.key } });
    expect(reply.status).toBe(200);
    return (await reply.json()) as Page<object>;
  }

  it.each([
    ['/accounts?$top=2&$skip=2', '/accounts?$orderby=id&$top=2&$skip=2'],
    ['https://elsewhere.example/accounts?%24skip=4&%24Top=2', '/accounts?$orderby=id&$skip=4&$Top=2'],
    ['/accounts?$skip=2&$orderby=name', '/accounts?$top=2&$skip=2&$orderby=name'],
    ['/accounts?$skiptoken=next%2Fone&$top=2', '/accounts?$top=2&$orderby=id&$skiptoken=next/one'],
    ['/accounts?$skiptoken=~own', '/accounts?$top=2&$orderby=id&$skiptoken=~own'],
  ])('are asked for by them, and linked to by the front: %s', async (nextPageLink, second) => {
    service.replies(200, JSON.stringify({ items: [account('A')], count: 2, nextPageLink }));
    const { body } = (await client.ask('GET', '/accounts?$top=2')) as { body: Page<object> };
    expect(new URL(body.nextPageLink ?? '').origin).toBe(await testing.app.getUrl());
    service.replies(200, JSON.stringify({ items: [account('B')], count: 2, nextPageLink: null }));
    expect(await pageAt(body.nextPageLink ?? '')).toMatchObject({
      items: [{ name: 'B' }],
      nextPageLink: null,
    });
    expect(asked()).toEqual(['/accounts?$top=2&$orderby=id', second]);
  });

  it('are linked to by the front where the service only counts them', async () => {
    const part = (...names: string[]) => JSON.stringify({ items: names.map(account), count: 5 });
    service.replies(200, part('A', 'B'));
    const first = (await client.ask('GET', '/accounts?$top=500')) as { body: Page<object> };
    service.replies(200, part('C', 'D'));
    const second = await pageAt(first.body.nextPageLink ?? '');
    service.replies(200, part('E'));
    const third = await pageAt(second.nextPageLink ?? '');
    expect([second, third].map(({ items }) => items)).toMatchObject([
      [{ name: 'C' }, { name: 'D' }],
      [{ name: 'E' }],
    ]);
    expect(third.nextPageLink).toBeNull();
    expect(asked()).toEqual([
      '/accounts?$top=500&$orderby=id',
      '/accounts?$top=500&$orderby=id&$skip=2',
      '/accounts?$top=500&$orderby=id&$skip=4',
    ]);
  });

  it('are not linked to where nothing more is to be had', async () => {
    service.replies(200, JSON.stringify({ items: [], count: 5 }));
    expect((await client.ask('GET', '/accounts?$top=0')).body).toMatchObject({ nextPageLink: null });
    expect((await client.ask('GET', '/accounts?$skip=3')).body).toMatchObject({ nextPageLink: null });
    service.replies(200, JSON.stringify({ items: [account('D'), account('E')], count: 5 }));
    expect((await client.ask('GET', '/accounts?$skip=3')).body).toMatchObject({ nextPageLink: null });
  });

  it.each([
    ['/accounts', '/accounts?$top=100&$orderby=id'],
    ['/accounts?$skip=2', '/accounts?$top=100&$skip=2&$orderby=id'],
    ['/accounts/views/balance?$skip=2', '/accounts/views/balance?$top=100&$skip=2&$orderby=accountId'],
    ['/schedules/debit?$skip=2', '/schedules/debit?$top=100&$skip=2&$orderby=scheduleId'],
    ['/schedules/credit/dued?$skip=2', '/schedules/credit/dued?$top=100&$skip=2&$orderby=date,scheduleId'],
    ['/costcenters?$skip=2', '/costcenters?$top=100&$skip=2&$orderby=costCenterId'],
    [
      `/customers/${MADE}/schedules?$skip=2`,
      `/customers/${MADE}/schedules?$top=500&$skip=2&$orderby=dueDate,scheduleId`,
    ],
    ['/accounts?$skip=2&$orderby=name', '/accounts?$top=100&$skip=2&$orderby=name'],
  ])('are never passed over without an order: %s', async (path, sent) => {
    service.replies(200, '[]');
    expect((await client.ask('GET', path)).status).toBe(200);
    expect(asked()).toEqual([sent]);
  });

  it('come as they are where the service takes no order, as long as none are passed over', async () => {
    service.replies(400, '{"error":"no-order"}');
    expect(refusalOf(await client.ask('GET', '/accounts'))).toBe('400 malformed-request');
    expect(refusalOf(await client.ask('GET', '/accounts?$skip=2'))).toBe('400 malformed-request');
    expect(asked()).toEqual([
      '/accounts?$top=100&$orderby=id',
      '/accounts?$top=100',
      '/accounts?$top=100&$skip=2&$orderby=id',
    ]);
  });
});

describe('what a service writes null for', () => {
  it.each([
    ['/costcenters', { costCenterId: MADE, description: 'Shop', externalCode: null }, ['externalCode'], []],
    [
      '/accounts/views/balance',
      { accountId: MADE, accountName: 'A', balance: 1.5, bank: null },
      [],
      ['bank'],
    ],
    [
      '/receipts',
      {
        ...{ entryId: MADE, scheduleId: null, account: null, stakeholder: null, category: null },
        ...{ date: '2026-03-10T00:00:00Z', identifier: null, value: 1.5, description: '', reference: null },
        ...{ isReconciliated: false, isTransfer: false, isFlagged: false },
      },
      ['scheduleId', 'identifier', 'reference'],
      ['account', 'stakeholder', 'category'],
    ],
  ])('is left out, or an empty object, as it is described: %s', async (path, item, without, empty) => {
    service.replies(200, JSON.stringify({ items: [item], count: 1 }));
    const { status, body } = (await client.ask('GET', path)) as { status: number; body: Page<object> };
    expect(status).toBe(200);
    const kept = Object.entries(item).filter(([name]) => !(without as string[]).includes(name));
    const expected = kept.map(([name, value]) => [name, (empty as string[]).includes(name) ? {} : value]);
    expect(body.items).toEqual([Object.fromEntries(expected)]);
  });
});

it('shows operators an entry of nobody, as a service writes it', async () => {
  const { account, ...others } = { account: { id: MADE, name: 'A', isDeleted: false }, stakeholder: null };
  const item = { entryId: MADE, scheduleId: null, account, ...others, category: null, date: '2026-03-10' };
  service.answer = (response, { url }) => {
    const items = url.includes('/receipts') ? [{ ...item, value: 1.5, description: null }] : [];
    response.end(JSON.stringify({ items, count: items.length }));
  };
  const details = testing.app.get(BookDetailsPort);
  const { items } = await details.entries(client.organization, MADE, { limit: 10 });
  const nothing = { description: '', stakeholder: null, schedule: null, reference: null };
  expect(items).toMatchObject([{ kind: 'receipt', minor: 1_50n, ...nothing }]);
});

describe('an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'k' };

  it('is free for another request when the first did not get to the service', async () => {
    service.replies(503, '', { 'retry-after': '0' });
    expect(refusalOf(await client.ask('POST', '/customers', { name: 'Lia' }, headers))).toBe(
      '503 finance-unreachable',
    );
    service.replies(200, `"${MADE}"`);
    await untilSent(() => client.ask('POST', '/customers', { name: 'Lia Campos' }, headers));
    expect(service.requests.map(({ body }) => body)).toEqual(['{"name":"Lia"}', '{"name":"Lia Campos"}']);
  });

  it('is not free while nobody knows what came of the first, and the first is not sent again', async () => {
    service.replies(500);
    const first = () => client.ask('POST', '/customers', { name: 'Lia' }, headers);
    expect(refusalOf(await first())).toBe('504 outcome-unknown');
    service.replies(200, `"${MADE}"`);
    const other = await client.ask('POST', '/customers', { name: 'Lia Campos' }, headers);
    expect(refusalOf(other)).toBe('422 idempotency-key-reused');
    const again = await first();
    expect([refusalOf(again), (again.body as { effectId: string }).effectId]).toEqual([
      '504 outcome-unknown',
      expect.stringMatching(/^[0-9a-f-]{36}$/),
    ]);
    expect(service.requests).toHaveLength(1);
  });

  it('is not passed on', async () => {
    service.replies(200, `"${MADE}"`);
    idOf(await client.ask('POST', '/customers', { name: 'Lia' }, headers));
    expect(service.requests[0]?.headers).not.toHaveProperty('idempotency-key');
  });

  /** Until the service, which wanted to be left alone for a moment, is asked again. */
  async function untilSent(ask: () => ReturnType<StubFront['ask']>): Promise<void> {
    for (;;) {
      const reply = await ask();
      if (reply.status !== 503) return void idOf(reply);
    }
  }
});

describe('receipts for one schedule', () => {
  const receipt = operation('receipts.registerForSchedule');

  it('get to the service one after another, however the schedule is spelled', async () => {
    service.answer = (response) => setImmediate(() => response.writeHead(204).end());
    service.mostOpen = 0;
    const path = `/schedules/credit/${client.names.receivable}/receipts`;
    const body = { accountId: client.names.account, date: '2026-03-10', value: 1 };
    const upper = path.replace(client.names.receivable, client.names.receivable.toUpperCase());
    const paths = [path, upper, path, upper, path, upper, path, upper];
    const replies = await Promise.all(paths.map((each) => client.ask('POST', each, body)));
    expect(replies.map(({ status }) => status)).toEqual(paths.map(() => 204));
    expect(service.mostOpen).toBe(1);
    expect(new Set(service.requests.map(({ url }) => url)).size).toBe(1);
  });

  it('are turned away when nobody knows what came of one before them', async () => {
    const hasty = await StubFront.of(testing, { timeouts: { totalMs: 2_000 } });
    service.replies(500);
    expect(refusalOf(await hasty.send(receipt))).toBe('504 outcome-unknown');
    service.replies(204);
    expect(refusalOf(await hasty.send(receipt))).toBe('503 finance-unreachable');
    expect(service.requests).toHaveLength(1);
  });
});
