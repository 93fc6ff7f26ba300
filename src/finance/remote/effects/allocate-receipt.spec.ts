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
/** What is open on the schedules, as the service says; undefined: it answers with the status instead. */
let open: number | undefined;
let openLater: number;
let status: number;
const [scheduleId, laterId] = [newId(), newId()];

beforeAll(async () => {
  listenForAlarms();
  database = await openTestDatabase();
});
beforeEach(async () => {
  [open, openLater, status] = [100, 100, 204];
  service = await StubService.start();
  service.answer = (response, { method }) => {
    const both = [
      { scheduleId, value: 100, openValue: open, dueDate: '2026-04-10', type: 'Credit' },
      { scheduleId: laterId, value: 100, openValue: openLater, dueDate: '2026-05-10', type: 'Credit' },
    ];
    if (method === 'GET' && open !== undefined) response.writeHead(200).end(JSON.stringify(both));
    else response.writeHead(status, { 'retry-after': '0' }).end();
  };
  finance = await RemoteFinance.open(database, httpWire(), connectionTo({ url: service.url() }));
  const { organization, repository } = finance;
  await database.transaction((tx) =>
    repository.putSchedules(tx, organization.id, newId(), [scheduleId, laterId]),
  );
});
afterEach(() => service.stop());
afterAll(() => database.close());

const payment = receiptEffect('pay', { schedules: [scheduleId], value: '130.00', account: MAIN_ACCOUNT });
const payBoth = (key: string, value: string) =>
  receiptEffect(key, { schedules: [scheduleId, laterId], value, account: MAIN_ACCOUNT });
const requests = (wanted: string) => service.requests.filter(({ method }) => method === wanted);

/** The receipts that were sent, each with its schedule. */
const sent = () =>
  requests('POST').map(({ body }) => {
    const receipt = JSON.parse(body) as { scheduleId: string; value: number };
    return [receipt.scheduleId, receipt.value];
  });

it('receives what is open and says what is left over', async () => {
  expect(await finance.apply(payment)).toMatchObject({
    state: 'applied',
    attention: [{ code: 'payment-left-over', amount: '30.00' }],
  });
  expect(sent()).toEqual([[scheduleId, 100]]);
});

it('receives what is open where the service reckons in doubles', async () => {
  [open, openLater] = [100.1 - 33.37, 100 - 99.9 - 0.1];
  const both = payBoth('doubles', '66.73');
  expect(await finance.apply(both)).toMatchObject({ state: 'applied', attention: [] });
  expect(sent()).toEqual([[scheduleId, 66.73]]);
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
  [open, status] = [120, 202];
  await finance.apply(payment);
  expect(requests('GET')).toHaveLength(2);
  const [row] = await finance.rows();
  expect(row).toMatchObject({ state: 'unknown', evidence: { openValue: '120.00' } });
  expect(sent().at(-1)).toEqual([scheduleId, 100]);
});

it('spreads anew what others left open meanwhile, where nothing was received yet', async () => {
  status = 429;
  expect(await finance.apply(payBoth('early', '150.00'))).toMatchObject({ state: 'pending' });
  finance.pass(11_000);
  [open, openLater, status] = [40, 100, 204];
  expect(await finance.apply(payBoth('early', '150.00'))).toMatchObject({
    state: 'applied',
    attention: [{ code: 'payment-left-over', amount: '10.00' }],
  });
  expect(sent()).toEqual([
    [scheduleId, 100],
    [scheduleId, 40],
    [laterId, 100],
  ]);
});

it('keeps what is received, and spreads the rest anew', async () => {
  let answers = 0;
  const { answer } = service;
  service.answer = (response, request, socket) => {
    if (request.method === 'POST' && ++answers > 1) status = 429;
    answer(response, request, socket);
  };
  expect(await finance.apply(payBoth('halfway', '150.00'))).toMatchObject({ state: 'pending' });
  finance.pass(60_000);
  [open, openLater] = [0, 30];
  service.answer = answer;
  status = 204;
  expect(await finance.apply(payBoth('halfway', '150.00'))).toMatchObject({
    state: 'applied',
    attention: [{ code: 'payment-left-over', amount: '20.00' }],
  });
  expect(sent()).toEqual([
    [scheduleId, 100],
    [laterId, 50],
    [laterId, 30],
  ]);
  expect((await finance.rows()).map(({ state, part }) => [part, state])).toEqual([
    [1, 'applied'],
    [2, 'applied'],
  ]);
});

it('sends nothing, and says so, where others settled all of it meanwhile', async () => {
  status = 429;
  expect(await finance.apply(payment)).toMatchObject({ state: 'pending' });
  finance.pass(11_000);
  [open, status] = [0, 204];
  expect(await finance.apply(payment)).toMatchObject({
    state: 'applied',
    attention: [{ code: 'payment-left-over', amount: '130.00' }],
  });
  expect(sent()).toEqual([[scheduleId, 100]]);
});
