import type { Response } from 'supertest';
import type { DemoOrder } from '../../scripts/demo/shop-orders';
import type {
  BooksAccountView,
  BooksCustomerView,
  BooksEntryView,
  BooksReceivableView,
  BooksStatementView,
} from '../../src/admin/books/books.dto';
import { SchedulesPort } from '../../src/finance/api/ports/schedules.port';
import { newId } from '../../src/kernel/identifier';
import { OrganizationsRepository } from '../../src/organizations/organizations.repository';
import { cpfNumber } from '../support/documents';
import { refusalOf } from '../support/finance-client';
import { OrderHarness } from '../support/order-harness';
import { OPERATORS_KEY } from '../support/service';

const ON_CREDIT = `rule: order-created
when: { event: order.created }
then:
  - id: customer
    do: customer.ensure
    with:
      name: \${order.customer.name}
      document: \${order.customer.document}
      email: \${order.customer.email}
  - id: schedule
    do: creditSchedule.ensure
    key: \${order.key}
    with:
      customer: \${steps.customer.id}
      value: \${order.total}
      dueDate: \${order.createdAt.dateIn(org.timeZone)}
      description: Order \${order.number}
      instalments: \${order.total.instalments(order.instalments, order.createdAt.dateIn(org.timeZone))}
  - id: till
    do: account.ensure
    with: { name: Till }
  - id: receipt
    do: receipt.register
    key: \${order.key}/down
    with:
      schedules: \${steps.schedule.all}
      allocate: oldest-first
      value: \${money("33.34")}
      date: \${order.createdAt.dateIn(org.timeZone)}
      account: \${steps.till.id}
`;

interface Schedule {
  scheduleId: string;
  value: number;
  openValue: number;
  isDued: boolean;
  stakeholder: { id: string };
}

describe.each([
  ["Ponte's own books", false, () => OrderHarness.embedded()],
  ['a remote finance service', true, () => OrderHarness.remote({ uniqueDocuments: true })],
])('an order in three instalments, one paid and one refunded, in %s', (_where, isRemote, open) => {
  const order: DemoOrder = {
    ...{ id: 8_700_000_000_001, number: 1, total: '100.00', name: "Lia D'Ávila" },
    ...{ document: cpfNumber(87_001), email: 'lia@example.com', instalments: 3 },
  };
  const businessKey = `shopify/order/${order.id}`;
  let harness: OrderHarness;
  let key: string;
  let account: string;
  let customer: string;
  let schedules: Schedule[];
  let delivery: string;

  async function v1<T>(method: 'get' | 'post', path: string, body?: object): Promise<T> {
    const request = harness.service.http[method](`/v1${path}`).set('apitoken', key);
    const reply = await (body ? request.send(body) : request);
    expect([reply.status, reply.text]).toEqual([reply.status < 300 ? reply.status : 200, reply.text]);
    return reply.body as T;
  }

  const ask = async (path: string): Promise<Response> =>
    harness.service.http
      .get(`/admin/organizations/main/books${path}`)
      .set('authorization', `Bearer ${OPERATORS_KEY}`);

  async function page<T>(path: string): Promise<{ items: T[]; after: string | null }> {
    const reply = await ask(path);
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    return reply.body as { items: T[]; after: string | null };
  }

  /** Page by page. */
  async function walk<T>(path: string, limit: number): Promise<T[]> {
    const found: T[] = [];
    for (let after: string | null = ''; after !== null;) {
      const more: string = after === '' ? '' : `&after=${after}`;
      const read: { items: T[]; after: string | null } = await page<T>(`${path}limit=${limit}${more}`);
      expect(read.items.length).toBeLessThanOrEqual(limit);
      found.push(...read.items);
      after = read.after;
    }
    return found;
  }

  const organization = async () => (await harness.service.part(OrganizationsRepository).find('main'))!;

  beforeAll(async () => {
    harness = await open();
    await harness.service.http
      .put('/admin/organizations/main/rules/order-created')
      .set('authorization', `Bearer ${OPERATORS_KEY}`)
      .type('application/yaml')
      .send(ON_CREDIT)
      .expect(200);
    const made = await harness.service.operate('post', 'keys', {
      name: 'till',
      scopes: ['finance:read', 'finance:write'],
    });
    ({ key } = made.body as { key: string });
    await harness.shopify(
      order,
      { financial_status: 'pending', total_outstanding: '100.00' },
      'orders/create',
    );
    delivery = (await harness.lastDelivery()).id;
    const accounts = await v1<{ items: { id: string; name: string }[] }>('get', '/accounts');
    account = accounts.items.find(({ name }) => name === 'Till')!.id;
    customer = (await harness.customers(order.name))[0]!.id;
    schedules = await v1('get', `/customers/${customer}/schedules`);
    const [, second] = schedules as [Schedule, Schedule];
    await v1('post', `/schedules/credit/${second.scheduleId}/receipts`, {
      ...{ accountId: account, value: second.value, date: '2026-12-02', identifier: 'by hand' },
    });
    await v1('post', '/payments', {
      ...{ accountId: account, stakeholderId: customer, value: second.value, date: '2026-12-03' },
      ...{ description: 'Refund', reference: 'no effect has this key' },
    });
    schedules = await v1('get', `/customers/${customer}/schedules`);
  });
  afterAll(() => harness.stop());

  it('shows the account with the balance that /v1 has', async () => {
    const balances = await v1<{ items: { accountId: string; balance: number }[] }>(
      'get',
      '/accounts/views/balance',
    );
    const accounts = await walk<BooksAccountView>('/accounts?', 1);
    expect(accounts.map(({ id, balance }) => [id, Number(balance)])).toEqual(
      balances.items.map(({ accountId, balance }) => [accountId, balance]),
    );
    expect(accounts.find(({ id }) => id === account)).toEqual({
      ...{ id: account, name: 'Till', kind: 'ordinary', balance: '33.34', currency: 'BRL' },
      isDefault: isRemote ? null : false,
    });
    expect(accounts.filter(({ isDefault }) => isDefault)).toHaveLength(isRemote ? 0 : 1);
  });

  it('shows what moved it, the latest first, with whom, for what and why', async () => {
    const entries = await walk<BooksEntryView>(`/accounts/${account}/entries?`, 2);
    const who = { id: customer, name: order.name };
    const [first, second] = schedules;
    const uuid = expect.any(String) as string;
    expect(entries).toEqual([
      {
        ...{ id: uuid, date: '2026-12-03', type: 'payment', description: 'Refund', value: '-33.33' },
        ...{ customerOrSupplier: who, schedule: null, businessKey: null, delivery: null },
      },
      {
        ...{ id: uuid, date: '2026-12-02', type: 'receipt', description: uuid, value: '33.33' },
        ...{ customerOrSupplier: who, schedule: second?.scheduleId, businessKey: null, delivery: null },
      },
      {
        ...{ id: uuid, date: uuid, type: 'receipt', description: uuid, value: '33.34' },
        ...{ customerOrSupplier: who, schedule: first?.scheduleId, businessKey, delivery },
      },
    ]);
    const days = await page<BooksEntryView>(`/accounts/${account}/entries?from=2026-12-02&to=2026-12-02`);
    expect(days).toEqual({ items: [entries[1]], after: null });
  });

  it('shows the receivables by what became of them, as /v1 has them', async () => {
    const shown = async (query: string) =>
      (await walk<BooksReceivableView>(`/receivables?customer=${customer}&${query}`, 2)).map(({ id }) => id);
    const ids = schedules.map(({ scheduleId }) => scheduleId);
    expect(await shown('state=all&')).toEqual(ids.toReversed());
    expect(await shown('state=paid&')).toEqual(ids.slice(0, 2).reverse());
    expect(await shown('')).toEqual(ids.slice(2));
    expect(await shown('state=overdue&')).toEqual(
      schedules.filter(({ isDued }) => isDued).map(({ scheduleId }) => scheduleId),
    );
    const { items } = await page<BooksReceivableView>('/receivables?state=all');
    const last = items.find(({ id }) => id === ids[2]);
    expect(last).toMatchObject({
      ...{ customer: { id: customer, name: order.name }, value: '33.33', open: '33.33' },
      ...{ instalment: isRemote ? null : '3/3', businessKey, delivery },
    });
    expect(last!.overdueDays > 0).toBe(schedules[2]!.isDued);
    const due = last!.dueDate;
    expect(await shown(`state=all&from=${due}&to=${due}&`)).toEqual([ids[2]]);
    expect(await shown('state=all&from=2090-01-01&')).toEqual([]);
  });

  it('finds the customer by a part of the name and by the document, and hides both document and address', async () => {
    const masked = {
      ...{ id: customer, name: order.name, email: 'l***@example.com' },
      document: `***${order.document.slice(-4)}`,
    };
    const { document } = order;
    const spelled = `${document.slice(0, 3)}.${document.slice(3, 6)}.${document.slice(6, 9)}-${document.slice(9)}`;
    for (const search of ["d'á", document, spelled])
      expect(await page<BooksCustomerView>(`/customers?search=${encodeURIComponent(search)}`)).toEqual({
        items: [masked],
        after: null,
      });
    expect(await page('/customers?search=nobody')).toEqual({ items: [], after: null });
    expect((await ask(`/customers/${customer}`)).body).toMatchObject(masked);
  });

  it('shows a statement whose sums agree with each other and with /v1', async () => {
    const whole = (await ask(`/customers/${customer}`)).body as BooksStatementView;
    const sum = (of: (schedule: Schedule) => number) =>
      schedules.reduce((total, schedule) => total + of(schedule), 0).toFixed(2);
    expect(whole).toMatchObject({
      ...{ isWhole: true, currency: 'BRL', after: null },
      totals: {
        ...{ booked: '100.00', received: '66.67', discounts: '0.00' },
        open: sum(({ openValue }) => openValue),
        overdue: sum(({ isDued, openValue }) => (isDued ? openValue : 0)),
      },
    });
    expect(whole.items).toHaveLength(5);
    expect(whole.items.at(-1)!.open).toBe(whole.totals!.open);
    expect(await walk(`/customers/${customer}?`, 2)).toEqual(whole.items);
    const byHand = whole.items.filter((line) => line.businessKey === null);
    expect(byHand.map(({ type, value }) => [type, value])).toEqual([['receipt', '-33.33']]);
    for (const line of whole.items.filter((one) => !byHand.includes(one)))
      expect(line).toMatchObject({ businessKey, delivery });
  });

  it('lists a transfer where the books tell of it', async () => {
    const [main] = await walk<BooksAccountView>('/accounts?', 200);
    await v1('post', '/accounts/transfer', {
      ...{ originAccountId: account, destinyAccountId: main!.id, value: 10, date: '2026-12-04' },
    });
    const query = '/entries?from=2026-12-04&to=2026-12-04';
    const values = async (id: string) =>
      (await page<BooksEntryView>(`/accounts/${id}${query}`)).items.map(({ type, value }) => [type, value]);
    expect(await values(account)).toEqual(isRemote ? [] : [['transfer', '-10.00']]);
    expect(await values(main!.id)).toEqual(isRemote ? [] : [['transfer', '10.00']]);
  });

  it('does not take a customer who is not there for one who owes nothing', async () => {
    expect(refusalOf(await ask(`/receivables?customer=${newId()}`))).toBe('404 not-found');
    const known = await v1<string>('post', '/customers', { name: 'Owes nothing' });
    expect(await page(`/receivables?customer=${known}`)).toEqual({ items: [], after: null });
  });

  it('shows no receivable that it did not ask for, whatever the finance service lists', async () => {
    const port = harness.service.part(SchedulesPort);
    const { items } = await port.listOpenCredit(await organization(), { top: 1, skip: 0 });
    const listing = jest.spyOn(port, 'listCredit').mockResolvedValue({ items, count: 1 });
    try {
      expect(refusalOf(await ask('/receivables?state=paid'))).toBe('502 finance-misbehaved');
      expect((await ask('/receivables?state=all')).status).toBe(200);
    } finally {
      listing.mockRestore();
    }
  });

  it('leaves out of a statement what is owed to the customer', async () => {
    const port = harness.service.part(SchedulesPort);
    const before = (await ask(`/customers/${customer}`)).body as BooksStatementView;
    const [credit, ...others] = await port.listOfCustomer(await organization(), customer, {
      top: 500,
      skip: 0,
    });
    const owed = { ...credit!, type: 'Debit' as const, scheduleId: newId() };
    const listing = jest.spyOn(port, 'listOfCustomer').mockResolvedValue([credit!, owed, ...others]);
    try {
      expect((await ask(`/customers/${customer}`)).body).toEqual(before);
    } finally {
      listing.mockRestore();
    }
  });

  it('knows no other record', async () => {
    const nobody = '0197a5b0-0000-7000-8000-000000000000';
    expect(refusalOf(await ask(`/accounts/${nobody}/entries`))).toBe('404 not-found');
    expect(refusalOf(await ask(`/customers/${nobody}`))).toBe('404 not-found');
  });

  it('refuses a cursor that it did not give', async () => {
    const after = Buffer.from('["a","b","c"]').toString('base64url');
    const paths = ['/accounts', `/accounts/${account}/entries`, '/receivables', '/customers'];
    for (const path of paths)
      expect(refusalOf(await ask(`${path}?after=${after}`))).toBe('400 malformed-request');
    expect(refusalOf(await ask(`/customers/${customer}?after=x`))).toBe('400 malformed-request');
  });
});

describe('books in a finance service that cannot be asked', () => {
  it('are answered as /v1 answers: not connected, and not reached', async () => {
    const harness = await OrderHarness.remote();
    const ask = async (organization: string, path: string): Promise<Response> =>
      harness.service.http
        .get(`/admin/organizations/${organization}/books${path}`)
        .set('authorization', `Bearer ${OPERATORS_KEY}`);
    const nobody = '0197a5b0-0000-7000-8000-000000000000';
    const paths = [
      '/accounts',
      `/accounts/${nobody}/entries`,
      '/receivables',
      '/customers',
      `/customers/${nobody}`,
    ];
    try {
      const made = await harness.service.http
        .post('/admin/organizations')
        .set('authorization', `Bearer ${OPERATORS_KEY}`)
        .send({ slug: 'unconnected', name: 'Unconnected', rules: 'none' });
      expect(made.status).toBe(201);
      for (const path of paths)
        expect(refusalOf(await ask('unconnected', path))).toBe('409 finance-not-connected');
      await harness.books.close();
      for (const path of paths) {
        const refusal = refusalOf(await ask('main', path));
        expect(['502 finance-misbehaved', '503 finance-unreachable']).toContain(refusal);
      }
    } finally {
      await harness.stop();
    }
  });
});
