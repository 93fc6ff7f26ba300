import { CloudEvent, HTTP, type CloudEventV1 } from 'cloudevents';
import { FeedModule } from '../../../src/feed/feed.module';
import { FinanceModule } from '../../../src/finance/finance.module';
import { SERVED, type Operation, type OperationId } from '../../../src/finance/api/operations/operations';
import { Payables } from '../../../src/finance/embedded/payables/payables';
import { CalendarDate } from '../../../src/kernel/calendar-date';
import { newId } from '../../../src/kernel/identifier';
import { Money } from '../../../src/kernel/money';
import { customerEffect, outputOf, receiptEffect, scheduleEffect } from '../../support/company';
import { openBooks } from '../../support/books-of-one';
import { FeedClient } from '../../support/feed-client';
import { CASES } from '../../support/operation-cases';
import { TestingApp } from '../../support/testing-app';

type Books = Awaited<ReturnType<typeof openBooks>>;

const CHANGING = SERVED.filter(({ effect }) => effect !== 'read');
type ChangingId = Exclude<
  OperationId,
  `${string}.list${string}` | `${string}.get${string}` | 'schedules.nextOpenDebit'
>;

/** What each changing operation is told as, and where `/v1` shows the record, if anywhere. */
const TOLD: Record<ChangingId, { types: string[]; shown?: (names: Books['names'], id: string) => string }> = {
  'customers.create': {
    types: ['customer.created'],
    shown: (_, id) => `/customers?$filter=id eq ${id}`,
  },
  'customers.update': {
    types: ['customer.updated'],
    shown: (_, id) => `/customers?$filter=id eq ${id}`,
  },
  'schedules.createCredit': {
    types: ['credit-schedule.created'],
    shown: ({ customer }, id) => `/customers/${customer}/schedules?$filter=scheduleId eq ${id}`,
  },
  'payments.register': { types: ['payment.registered'] },
  'receipts.register': { types: ['receipt.registered'] },
  'receipts.registerForSchedule': { types: ['receipt.registered'] },
  'costCenters.update': {
    types: ['cost-center.updated'],
    shown: (_, id) => `/costcenters?$filter=costCenterId eq ${id}`,
  },
  'accounts.transfer': { types: ['transfer.made'] },
  'payments.remove': { types: ['payment.deleted'] },
  'accounts.update': { types: ['account.updated'], shown: (_, id) => `/accounts?$filter=id eq ${id}` },
  'accounts.create': {
    types: ['account.created', 'balance.changed'],
    shown: (_, id) => `/accounts?$filter=id eq ${id}`,
  },
};

let testing: TestingApp;
let books: Books;
let feed: FeedClient;
let key: string;
let start: string;

beforeAll(async () => {
  testing = await TestingApp.open({ imports: [FinanceModule, FeedModule] });
});
beforeEach(async () => {
  books = await openBooks(testing, 'OWN');
  const { organization } = books.company;
  ({ key } = await testing.makeKey(organization, 'finance:read', 'finance:write'));
  feed = await FeedClient.of(testing, organization);
  start = (await feed.page({ limit: 500 })).cursor;
});
afterAll(() => testing.close());

async function send(row: Operation) {
  const { path, body } = CASES[row.id as OperationId].request(books.names);
  const request = testing.http[row.method.toLowerCase() as 'post'](`/v1${path}`).set('apitoken', key);
  return body ? request.send(body) : request;
}

async function shown(path: string): Promise<object> {
  const reply = await testing.http.get(`/v1${path}`).set('apitoken', key).expect(200);
  const items = (Array.isArray(reply.body) ? reply.body : reply.body.items) as object[];
  expect(items).toHaveLength(1);
  return items[0]!;
}

describe('what /v1 changes', () => {
  it.each(CHANGING.map((row) => [`${row.method} ${row.path}`, row] as const))(
    '%s is told once, with the record as /v1 shows it',
    async (_name, row) => {
      const reply = await send(row);
      expect(reply.status).toBe(row.status);
      const items = await feed.rest(start);
      const { types, shown: where } = TOLD[row.id as ChangingId];
      expect(items.map(({ type }) => type)).toEqual(types);
      const { subject, data, businesskey, deliveryid, organization, source } = items[0]!;
      const [, id = ''] = subject.split('/');
      expect({ businesskey, deliveryid }).toEqual({});
      expect({ organization, source }).toEqual({
        organization: feed.organization.slug,
        source: `/organizations/${feed.organization.id}`,
      });
      if (row.response === 'identifier') expect(id).toBe(reply.body);
      expect(Object.values(data)).toContain(id);
      if (where) expect(data).toEqual(await shown(where(books.names, id)));
    },
  );

  it('is not told when it is refused, and told once under one Idempotency-Key', async () => {
    const path = `/v1/schedules/credit/${books.names.receivable}/receipts`;
    const body = { accountId: books.names.account, date: '2026-03-10', value: 1 };
    await testing.http
      .post(path)
      .set('apitoken', key)
      .send({ ...body, value: 999_999 })
      .expect(422);
    for (let time = 0; time < 2; time += 1)
      await testing.http.post(path).set('apitoken', key).set('idempotency-key', 'K').send(body).expect(204);
    expect((await feed.rest(start)).map(({ type }) => type)).toEqual(['receipt.registered']);
  });

  it('tells a closing receipt with what it wrote off', async () => {
    const path = `/v1/schedules/credit/${books.names.receivable}/receipts`;
    const body = { accountId: books.names.account, date: '2026-03-10', value: 90, payingType: 'close' };
    await testing.http.post(path).set('apitoken', key).send(body).expect(204);
    const told = (await feed.rest(start)).map(({ type, data }) => [type, data]);
    const common = { scheduleId: books.names.receivable, date: '2026-03-10T00:00:00-03:00' };
    const account = { id: books.names.account, name: expect.any(String), isDeleted: false };
    expect(told).toEqual([
      ['receipt.registered', expect.objectContaining({ ...common, value: 90, account })],
      ['discount.registered', expect.objectContaining({ ...common, value: 10, account: {} })],
      ['schedule.paid', expect.objectContaining({ scheduleId: books.names.receivable, openValue: 0 })],
    ]);
  });
});

describe('what else changes the books', () => {
  it('is told of effects, with business key and delivery, each once', async () => {
    const { company } = books;
    const deliveryId = newId();
    const apply = (effect: Parameters<typeof company.request>[0]) =>
      testing.database.transaction((tx) =>
        company.applier.apply(tx, [{ ...company.request(effect), deliveryId }]),
      );
    const customer = customerEffect('order/1/customer', { document: '52998224725' });
    const { id } = outputOf((await apply(customer))[0]);
    const schedule = scheduleEffect('order/1', {
      customer: id!,
      instalments: [
        { value: '60.00', dueDate: '2026-04-10' },
        { value: '40.00', dueDate: '2026-05-10' },
      ],
    });
    const { all } = outputOf((await apply(schedule))[0]);
    const receipt = receiptEffect('order/1/payment', { schedules: all!, value: '70.00' });
    await apply(receipt);
    for (const again of [customer, schedule, receipt]) await apply(again);
    await apply(customerEffect('order/2/customer', { document: '52998224725' }));

    const items = await feed.rest(start);
    expect(items.every(({ deliveryid }) => deliveryid === deliveryId)).toBe(true);
    expect(items.map(({ type, businesskey, data }) => [type, businesskey, (data as never)['value']])).toEqual(
      [
        ['customer.created', 'order/1/customer', undefined],
        ['credit-schedule.created', 'order/1', 60],
        ['credit-schedule.created', 'order/1', 40],
        ['receipt.registered', 'order/1/payment', 60],
        ['receipt.registered', 'order/1/payment', 10],
        ['schedule.paid', 'order/1/payment', 60],
      ],
    );
    expect(items[0]!.data).toMatchObject({ id, type: 'Customer', document: { number: '52998224725' } });
    expect(items.slice(1, 3).map(({ data }) => data)).toEqual([
      expect.objectContaining({ scheduleId: all![0], openValue: 60, isPaid: false, type: 'Credit' }),
      expect.objectContaining({ scheduleId: all![1], openValue: 40, isPaid: false, type: 'Credit' }),
    ]);
  });

  it('is told of payables that operators make and pay', async () => {
    const { organization, database } = books.company;
    const payables = testing.app.get(Payables);
    const stakeholder = await database.prisma.stakeholder.findFirstOrThrow({
      where: { organizationId: organization.id, kind: 'supplier' },
    });
    const value = Money.parse('12.34', 'BRL');
    const date = CalendarDate.parse('2026-03-10');
    const schedule = { stakeholderId: stakeholder.id, value, dueDate: date };
    const id = await database.transaction((tx) => payables.create(tx, organization, schedule));
    const payment = { accountId: books.names.account, date, value };
    const paid = await database.transaction((tx) => payables.pay(tx, organization, id, payment));
    const told = (await feed.rest(start)).map(({ subject, data }) => [subject, data]);
    expect(told).toEqual([
      [`debit-schedule/${id}`, expect.objectContaining({ scheduleId: id, openValue: 12.34, type: 'Debit' })],
      [`payment/${paid}`, expect.objectContaining({ entryId: paid, scheduleId: id, value: 12.34 })],
      [`schedule/${id}`, expect.objectContaining({ scheduleId: id, openValue: 0, isPaid: true })],
    ]);
  });
});

describe('a change', () => {
  it('is a CloudEvent that the official SDK parses', async () => {
    for (const row of CHANGING) await send(row);
    const reply = await feed.get('?limit=500');
    const { items } = reply.body as { items: CloudEventV1<unknown>[] };
    expect(items.length).toBeGreaterThan(CHANGING.length);
    for (const item of items) expect(new CloudEvent(item, true).validate()).toBe(true);
    const message = {
      headers: { 'content-type': 'application/cloudevents-batch+json' },
      body: JSON.stringify(items),
    };
    const parsed = HTTP.toEvent(message) as CloudEventV1<unknown>[];
    expect(parsed.map(({ id, type, data }) => ({ id, type, data }))).toEqual(
      items.map(({ id, type, data }) => ({ id, type, data })),
    );
  });
});
