import type { BooksReceivableView, BooksStatementView } from '../../../src/admin/books/books.dto';
import { BookDetailsPort } from '../../../src/finance/api/ports/book-details.port';
import { cpfNumber } from '../../support/documents';
import { refusalOf } from '../../support/finance-client';
import { OperatorsClient } from '../../support/operators-client';
import { TestService } from '../../support/service';

let service: TestService;
let client: OperatorsClient;
let account: string;
let customer: string;

beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  client = await OperatorsClient.of(service);
  const till = { name: 'Till', openBalance: 1000, dateOfOpenBalance: '2026-01-01' };
  account = await made('/accounts', till);
  const document = { number: cpfNumber(61_001) };
  customer = await made('/customers', { name: 'Lia Campos', document, email: 'lia@example.com' });
});
afterAll(() => service.stop());

async function made(path: string, body: object): Promise<string> {
  const reply = await client.finance('post', path, body);
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.body as string;
}

function receivable(fields: object = {}): Promise<string> {
  const body = { stakeholderId: customer, value: 12.34, dueDate: '2026-02-01', scheduleDate: '2026-01-10' };
  return made('/schedules/credit', { ...body, ...fields });
}

async function receive(schedule: string, fields: object = {}): Promise<void> {
  const receipt = { accountId: account, value: 12.34, date: '2026-02-01', ...fields };
  const reply = await client.finance('post', `/schedules/credit/${schedule}/receipts`, receipt);
  expect([reply.status, reply.text]).toEqual([204, '']);
}

const receivables = async (query: string) =>
  (await client.items(`/books/receivables?${query}`)) as unknown as BooksReceivableView[];

async function statement(): Promise<BooksStatementView> {
  return (await client.send('get', `/books/customers/${customer}`)).body as BooksStatementView;
}

const TILL = { name: 'Till', balance: '1000.00', currency: 'BRL' };

describe('books/accounts', () => {
  it('says which account is the default, and which are virtual', async () => {
    const details = { exibitionName: 'Loja' };
    const virtual = await made('/accounts', { name: 'Wallet', virtualAccountDetails: details });
    const shown = (isDefault: boolean) => [
      { ...TILL, id: account, kind: 'ordinary', isDefault },
      { ...TILL, id: virtual, name: 'Wallet', kind: 'virtual', balance: '0.00', isDefault: false },
    ];
    expect(await client.items('/books/accounts')).toEqual(shown(false));
    expect((await client.send('patch', '', { defaultAccountId: account })).status).toBe(200);
    expect(await client.items('/books/accounts')).toEqual(shown(true));
  });
});

describe('books/accounts/{id}/entries', () => {
  it('adds up to the balance, whatever was taken back, and walks through many of one day', async () => {
    const out = { stakeholderId: await client.make('/suppliers', { name: 'Padaria' }), value: '10.00' };
    const debit = await client.make('/schedules/debit', { ...out, dueDate: '2026-02-01' });
    const payment = { accountId: account, value: '10.00', date: '2026-02-01' };
    const paid = await client.make(`/schedules/debit/${debit}/payments`, payment);
    for (let number = 0; number < 5; number += 1) await receive(await receivable());
    const removed = await client.finance('delete', `/schedules/debit/${debit}/payments/${paid}`);
    expect(removed.status).toBe(204);
    const again = await client.make(`/schedules/debit/${debit}/payments`, { ...payment, value: '4.00' });

    const found: Record<string, unknown>[] = [];
    for (let after: string | null = ''; after !== null;) {
      const path: string = `/books/accounts/${account}/entries?limit=2${after && `&after=${after}`}`;
      const page = (await client.send('get', path)).body as {
        items: Record<string, unknown>[];
        after: string | null;
      };
      found.push(...page.items);
      ({ after } = page);
    }
    expect(found.map(({ type, value }) => `${type as string} ${value as string}`)).toEqual([
      'payment -4.00',
      ...Array<string>(5).fill('receipt 12.34'),
      'opening 1000.00',
    ]);
    expect(found[0]).toMatchObject({
      ...{ id: again, schedule: debit, customerOrSupplier: { id: out.stakeholderId, name: 'Padaria' } },
    });
    expect(await client.items('/books/accounts')).toMatchObject([{ id: account, balance: '1057.70' }]);
  });

  it('gives the last entry no cursor', async () => {
    const path = `/books/accounts/${account}/entries`;
    expect((await client.send('get', `${path}?limit=1`)).body).toMatchObject({
      ...{ items: [{ type: 'opening' }], after: null },
    });
    expect(await client.items(`${path}?from=2026-01-02`)).toEqual([]);
    expect(await client.items(`${path}?to=2025-12-31`)).toEqual([]);
  });
});

describe('books/receivables', () => {
  it('says which instalment each is, and for how many days it is overdue where the organization is', async () => {
    await receivable({
      value: 30,
      instalment: [
        { value: 10, dueDate: '2026-02-01' },
        { value: 20, dueDate: '2099-03-01' },
      ],
    });
    const overdue = await receivables('state=overdue');
    expect(overdue).toMatchObject([{ value: '10.00', open: '10.00', instalment: '1/2' }]);
    expect(overdue[0]!.overdueDays).toBeGreaterThan(0);
    expect(await receivables('state=open')).toMatchObject([
      { instalment: '1/2' },
      { instalment: '2/2', overdueDays: 0, dueDate: '2099-03-01' },
    ]);
  });

  it('has what is paid in none but its own state', async () => {
    const [part, whole] = [await receivable(), await receivable()];
    await receive(part, { value: 2.34 });
    await receive(whole);
    expect(await receivables('state=paid')).toMatchObject([{ id: whole, open: '0.00', overdueDays: 0 }]);
    expect(await receivables('state=overdue')).toMatchObject([{ id: part, value: '12.34', open: '10.00' }]);
    expect((await receivables('state=all')).map(({ id }) => id)).toEqual([whole, part]);
  });

  it("gives a cursor that is none of /v1's, which shows a count", async () => {
    await receivable();
    await receivable();
    const { after } = (await client.send('get', '/books/receivables?limit=1')).body as { after: string };
    const reply = await client.finance('get', `/schedules/credit/opened?$skiptoken=${after}`);
    expect(refusalOf(reply)).toBe('400 malformed-request');
    const other = await client.send('get', `/books/receivables?limit=1&state=all&after=${after}`);
    expect(refusalOf(other)).toBe('400 malformed-request');
  });
});

describe('books/customers/{id}', () => {
  it('runs through what was booked, received and given up', async () => {
    const [part, closed] = [await receivable(), await receivable({ value: 20, scheduleDate: '2026-01-11' })];
    await receive(part, { value: 2.34 });
    await receive(closed, { value: 15, date: '2026-02-02', payingType: 'close' });
    const shown = await statement();
    expect(shown).toMatchObject({
      ...{ id: customer, name: 'Lia Campos', email: 'l***@example.com', isWhole: true, after: null },
      totals: {
        ...{ booked: '32.34', received: '17.34', discounts: '5.00', open: '10.00', overdue: '10.00' },
      },
    });
    expect(shown.items.map(({ type, date, value, open }) => [type, date, value, open])).toEqual([
      ['receivable', '2026-01-10', '12.34', '12.34'],
      ['receivable', '2026-01-11', '20.00', '32.34'],
      ['receipt', '2026-02-01', '-2.34', '30.00'],
      ['receipt', '2026-02-02', '-15.00', '15.00'],
      ['discount', '2026-02-02', '-5.00', '10.00'],
    ]);
  });

  it('is empty for a customer without receivables', async () => {
    expect(await statement()).toMatchObject({
      ...{ items: [], after: null, totals: { booked: '0.00', received: '0.00', open: '0.00' } },
    });
  });

  it('says so where there is more than a statement is made of', async () => {
    const [row] = await service.database.prisma.schedule.findMany({ where: { id: await receivable() } });
    await service.database.prisma.$executeRaw`
      insert into schedule (id, organization_id, kind, stakeholder_id, description, value_minor, open_minor,
        schedule_date, accrual_date, due_date, group_id)
      select gen_random_uuid(), organization_id, kind, stakeholder_id, description, value_minor, open_minor,
        schedule_date, accrual_date, due_date, group_id
      from schedule, generate_series(1, 2000) where id = ${row!.id}::uuid`;
    expect(await statement()).toMatchObject({ isWhole: false, totals: null, items: [], after: null });
  });
});

describe('what is asked of the books', () => {
  it.each([
    '/receivables?state=gone',
    '/receivables?customer=lia',
    '/receivables?from=2026-02-30',
    '/receivables?to=yesterday',
    '/receivables?from=2026-02-02&to=2026-02-01',
    '/receivables?overdue=true',
    '/receivables?limit=0',
    '/receivables?after=x',
    '/receivables?after=',
    '/accounts?after=x',
    '/accounts?name=Till',
    '/accounts?limit=many',
    '/customers?search=%00',
    '/customers?after=x',
    `/customers?search=${'x'.repeat(501)}`,
  ])('refuses %s', async (path) => {
    expect(refusalOf(await client.send('get', `/books${path}`))).toBe('400 malformed-request');
  });

  it.each(['from=1899-01-01', 'from=2026-02-02&to=2026-02-01', 'after=x', 'after=W10', 'kind=receipt'])(
    'refuses entries with %s',
    async (query) => {
      const reply = await client.send('get', `/books/accounts/${account}/entries?${query}`);
      expect(refusalOf(reply)).toBe('400 malformed-request');
    },
  );

  it('gives no more than 200 at once', async () => {
    await receivable({
      value: 1.2,
      instalment: Array.from({ length: 120 }, () => ({ value: 0.01, dueDate: '2099-01-01' })),
    });
    await receivable({
      value: 1.2,
      instalment: Array.from({ length: 120 }, () => ({ value: 0.01, dueDate: '2099-01-01' })),
    });
    expect(await receivables('limit=500')).toHaveLength(200);
    expect(await receivables('')).toHaveLength(50);
  });

  it("knows another organization's records as little as none", async () => {
    const schedule = await receivable();
    await receive(schedule);
    const other = await OperatorsClient.of(service);
    const ofCustomer = [`/customers/${customer}`, `/receivables?state=all&customer=${customer}`];
    for (const path of [`/accounts/${account}/entries`, ...ofCustomer])
      expect(refusalOf(await other.send('get', `/books${path}`))).toBe('404 not-found');
    expect(await other.items('/books/customers?search=lia')).toEqual([]);
    const [organization, port] = [await organizationOf(other), service.part(BookDetailsPort)];
    expect(await port.entries(organization, account, { limit: 10 })).toEqual({ items: [] });
    expect(await port.settlements(organization, customer, [schedule])).toEqual([]);
    expect((await port.instalments(organization, [schedule])).size).toBe(0);
  });

  it('needs the scope admin', async () => {
    const keyWith = async (...scopes: string[]) =>
      ((await client.send('post', '/keys', { name: 'a key', scopes })).body as { key: string }).key;
    const key = await keyWith('finance:read', 'finance:write', 'feed:read');
    for (const path of ['/accounts', '/receivables', '/customers', `/customers/${customer}`]) {
      expect(refusalOf(await client.send('get', `/books${path}`, undefined, key))).toBe('403 scope-missing');
      const own = await client.send('get', `/books${path}`, undefined, await keyWith('admin'));
      expect(own.status).toBe(200);
    }
  });
});

async function organizationOf({ id }: OperatorsClient) {
  return service.database.prisma.organization.findUniqueOrThrow({ where: { id } });
}
