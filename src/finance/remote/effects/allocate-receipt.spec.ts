import { listenForAlarms } from '../../../../test/support/alarms';
import { receiptEffect } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { connectionTo, httpWire, MAIN_ACCOUNT } from '../../../../test/support/http-finance';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { StubService } from '../../../../test/support/stub-service';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';

let database: Database;
let service: StubService;
let finance: RemoteFinance;
/** What is open on the schedule, as the service says; undefined: it answers with the status instead. */
let open: number | undefined;
let status: number;
const scheduleId = newId();

beforeAll(async () => {
  listenForAlarms();
  database = await openTestDatabase();
});
beforeEach(async () => {
  [open, status] = [100, 204];
  service = await StubService.start();
  service.answer = (response, { method }) => {
    const schedule = { scheduleId, value: 100, openValue: open, dueDate: '2026-04-10', type: 'Credit' };
    if (method === 'GET' && open !== undefined) response.writeHead(200).end(JSON.stringify([schedule]));
    else response.writeHead(status, { 'retry-after': '0' }).end();
  };
  finance = await RemoteFinance.open(database, httpWire(), connectionTo({ url: service.url() }));
  const { organization, schedules } = finance;
  await database.transaction((tx) => schedules.put(tx, organization.id, newId(), [scheduleId]));
});
afterEach(() => service.stop());
afterAll(() => database.close());

const payment = receiptEffect('pay', { schedules: [scheduleId], value: '130.00', account: MAIN_ACCOUNT });
const requests = (wanted: string) => service.requests.filter(({ method }) => method === wanted);

it('receives what is open and says what is left over', async () => {
  expect(await finance.apply(payment)).toMatchObject({
    state: 'applied',
    attention: [{ code: 'payment-left-over', amount: '30.00' }],
  });
  expect(requests('POST').map(({ body }) => (JSON.parse(body) as { value: number }).value)).toEqual([100]);
});

it('is refused for a schedule that Ponte did not make, and sends nothing', async () => {
  const other = receiptEffect('other', { schedules: [newId()], value: '1.00', account: MAIN_ACCOUNT });
  expect(await finance.apply(other)).toMatchObject({ state: 'refused', code: 'not-found' });
  expect(service.requests).toEqual([]);
});

it('waits while the service cannot be read', async () => {
  [open, status] = [undefined, 500];
  expect(await finance.apply(payment)).toMatchObject({ state: 'pending' });
  [open, status] = [100, 204];
  expect(await finance.apply(payment)).toMatchObject({ state: 'applied' });
});

it.each([404, 410])('is refused when the service knows the customer no more: %i', async (gone) => {
  [open, status] = [undefined, gone];
  expect(await finance.apply(payment)).toMatchObject({
    state: 'refused',
    code: 'not-found',
    reason: expect.stringContaining('customer') as string,
  });
});

it('keeps how it was spread, and weighs what is open again when that was long ago', async () => {
  status = 429;
  expect(await finance.apply(payment)).toMatchObject({ state: 'pending' });
  finance.pass(9_000);
  await finance.apply(payment);
  expect(requests('GET')).toHaveLength(1);
  finance.pass(2_000);
  [open, status] = [80, 202];
  await finance.apply(payment);
  expect(requests('GET')).toHaveLength(2);
  const [row] = await finance.rows();
  expect(row).toMatchObject({ state: 'unknown', evidence: { openValue: '80.00' } });
  expect(JSON.parse(requests('POST').at(-1)!.body)).toMatchObject({ value: 100 });
});
