import { listenForAlarms } from '../../../../test/support/alarms';
import { receiptEffect, scheduleEffect } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { connectionTo, httpWire, MAIN_ACCOUNT } from '../../../../test/support/http-finance';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { StubService } from '../../../../test/support/stub-service';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';

/** How long the service may list what was so before; the default. */
const SETTLE_MS = 30_000;

let database: Database;
let service: StubService;
let finance: RemoteFinance;
let scheduleId: string;
/** What the service lists as open: it does not follow what is sent. Undefined: the schedule is not listed. */
let listed: number | undefined;
/** What it answers to a write. */
let status: number;

beforeAll(async () => {
  listenForAlarms();
  database = await openTestDatabase();
});
beforeEach(async () => {
  [listed, status, scheduleId] = [100, 204, newId()];
  service = await StubService.start();
  service.answer = (response, { method, url }) => {
    const schedule = { scheduleId, value: 100, openValue: listed, dueDate: '2026-04-10', type: 'Credit' };
    if (method === 'GET') response.writeHead(200).end(JSON.stringify(listed === undefined ? [] : [schedule]));
    else if (url.includes('/receipts')) response.writeHead(status, { 'retry-after': '0' }).end();
    else response.writeHead(200).end(JSON.stringify(scheduleId));
  };
  finance = await RemoteFinance.open(database, httpWire(), connectionTo({ url: service.url() }));
});
afterEach(() => service.stop());
afterAll(() => database.close());

async function schedule(): Promise<void> {
  const effect = scheduleEffect('order', { customer: newId(), value: '100.00', reference: 'order' });
  expect(await finance.apply(effect)).toMatchObject({ state: 'applied', output: { id: scheduleId } });
}

const pay = (key: string, value: string) =>
  finance.apply(receiptEffect(key, { schedules: [scheduleId], value, account: MAIN_ACCOUNT }));

/** The values of the receipts that were sent. */
const received = (): number[] =>
  service.requests
    .filter(({ method, url }) => method === 'POST' && url.includes('/receipts'))
    .map(({ body }) => (JSON.parse(body) as { value: number }).value);

it('counts what it received itself although the listing does not show it yet', async () => {
  await schedule();
  expect(await pay('first', '60.00')).toMatchObject({ state: 'applied' });
  expect(await pay('second', '60.00')).toMatchObject({
    state: 'applied',
    attention: [{ code: 'payment-left-over', amount: '20.00' }],
  });
  expect(received()).toEqual([60, 40]);
});

it('counts receipts of equal value, whichever of them the listing shows', async () => {
  await schedule();
  for (const [index, shown] of [100, 100, 75, 25].entries()) {
    listed = shown;
    expect(await pay(`payment ${index}`, '25.00')).toMatchObject({ state: 'applied', attention: [] });
  }
  const rows = (await finance.rows()).filter(({ operation }) => operation.startsWith('receipts'));
  expect(rows.map(({ evidence }) => (evidence as { openValue: string }).openValue)).toEqual([
    '100.00',
    '75.00',
    '50.00',
    '25.00',
  ]);
  listed = 0;
  expect(await pay('one more', '25.00')).toMatchObject({ attention: [{ amount: '25.00' }] });
});

it('waits where others received something as well, and believes the listing when it must be true', async () => {
  await schedule();
  await pay('first', '60.00');
  listed = 90;
  expect(await pay('second', '60.00')).toMatchObject({ state: 'pending' });
  expect(received()).toEqual([60]);
  listed = 30;
  finance.pass(SETTLE_MS - 1);
  expect(await pay('second', '60.00')).toMatchObject({ state: 'pending' });
  finance.pass(1);
  expect(await pay('second', '60.00')).toMatchObject({ state: 'applied', attention: [{ amount: '30.00' }] });
  expect(received()).toEqual([60, 30]);
});

it('waits for a schedule that it has just made to be listed, and not for ever', async () => {
  await schedule();
  listed = undefined;
  expect(await pay('first', '60.00')).toMatchObject({ state: 'pending' });
  finance.pass(SETTLE_MS - 1);
  expect(await pay('first', '60.00')).toMatchObject({ state: 'pending' });
  finance.pass(1);
  expect(await pay('first', '60.00')).toMatchObject({ state: 'refused', code: 'not-found' });
});

it.each([
  ['took effect', 0, { state: 'applied' }, [50, 50]],
  ['took no effect', 50, { state: 'applied' }, [50, 50, 50]],
])('knows a lost receipt from one before it of equal value: it %s', async (_how, after, settled, sent) => {
  await schedule();
  await pay('first', '50.00');
  status = 202;
  expect(await pay('second', '50.00')).toMatchObject({ state: 'pending' });
  listed = after;
  status = 204;
  finance.pass(SETTLE_MS);
  await finance.reconciler.reconcile();
  expect(await pay('second', '50.00')).toMatchObject(settled);
  expect(received()).toEqual(sent);
});

it('does not send what was weighed before another receipt was made', async () => {
  await schedule();
  status = 429;
  expect(await pay('first', '60.00')).toMatchObject({ state: 'pending' });
  status = 204;
  expect(await pay('second', '30.00')).toMatchObject({ state: 'applied' });
  finance.pass(2_000);
  expect(await pay('first', '60.00')).toMatchObject({ state: 'applied' });
  const rows = (await finance.rows()).filter(({ effectKey }) => effectKey === 'first');
  expect(rows).toMatchObject([{ evidence: { openValue: '70.00' } }]);
});
