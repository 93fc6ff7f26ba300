import { FaultyFinance } from '../../../../test/faulty-finance/faulty-finance';
import { listenForAlarms } from '../../../../test/support/alarms';
import { openTestDatabase } from '../../../../test/support/database';
import { booksOf, connectionTo, httpWire, MAIN_ACCOUNT } from '../../../../test/support/http-finance';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import type { StoredConnection } from '../connections/connection-settings';
import type { CallContent, CallResult } from './call';
import type { CallOptions } from './calls';

/** The database is put back on 10 March, at noon in the organization's zone. */
const PUT_BACK_ON = '2026-03-10';
const BOOKS = booksOf({ accounts: [{ id: MAIN_ACCOUNT, name: 'main' }] });

let database: Database;
let service: FaultyFinance;
/** Of a state that is lost. */
let lost: RemoteFinance;
/** Knows nothing of what the other asked for. */
let finance: RemoteFinance;

beforeAll(async () => {
  listenForAlarms();
  database = await openTestDatabase();
});
beforeEach(async () => {
  service = await FaultyFinance.start([BOOKS]);
  lost = await open();
  finance = await open();
  await finance.recover();
});
afterEach(() => service.stop());
afterAll(() => database.close());

function open(connection: StoredConnection = {}): Promise<RemoteFinance> {
  return RemoteFinance.open(database, httpWire(), connectionTo({ url: service.url }, connection));
}

async function make(
  to: RemoteFinance,
  content: CallContent,
  effectKey: string,
  options: CallOptions = {},
): Promise<CallResult> {
  const name = { organizationId: to.organization.id, effectKey, part: 1 };
  return to.calls.make(await to.connections.of(to.organization), name, content, options);
}

/** Asks for a call, again once it was looked for. */
async function search(content: CallContent, key: string, options: CallOptions = {}): Promise<CallResult> {
  const asked = await make(finance, content, key, options);
  expect(asked).toMatchObject({ state: 'unknown', reason: expect.stringContaining('may have this already') });
  await finance.reconciler.reconcile();
  return make(finance, content, key, options);
}

function payment(date: string): CallContent {
  return { operation: 'payments.register', body: { accountId: MAIN_ACCOUNT, value: 3.2, date } };
}

function receivable(stakeholderId: string): CallContent {
  const body = { stakeholderId, reference: 'shop/order/1', value: 100, dueDate: '2026-04-10' };
  return { operation: 'schedules.createCredit', body };
}

async function customer(): Promise<string> {
  const made = await make(lost, { operation: 'customers.create', body: { name: 'Rui' } }, newId());
  if (made.state !== 'applied') throw new Error(made.state);
  return made.output.id ?? '';
}

const effects = () => service.judge.effects.length;

describe('a receivable', () => {
  it('that a lost state made is taken over', async () => {
    const content = receivable(await customer());
    const made = await make(lost, content, 'order');
    expect(made.state).toBe('applied');
    const before = effects();
    expect(await search(content, 'order')).toMatchObject({
      state: 'applied',
      output: { id: made.state === 'applied' && made.output.id },
      earlier: true,
    });
    expect(effects()).toBe(before);
  });

  it('that no state made is made once', async () => {
    const content = receivable(await customer());
    const before = effects();
    expect(await search(content, 'order')).toMatchObject({ state: 'applied', earlier: false });
    expect(await make(finance, content, 'order')).toMatchObject({ state: 'applied', earlier: true });
    expect(effects()).toBe(before + 1);
  });

  it('that the service refused is looked for, too: a lost state may have sent it again', async () => {
    await finance.recover(true);
    const content = receivable(await customer());
    const wrong: CallContent = { ...content, body: { ...content.body, dueDate: 'soon' } };
    expect(await make(finance, wrong, 'order')).toMatchObject({ state: 'rejected' });
    expect(await make(lost, content, 'order')).toMatchObject({ state: 'applied' });
    await finance.recover();
    const before = effects();
    expect(await make(finance, content, 'order')).toMatchObject({ state: 'unknown' });
    await finance.reconciler.reconcile();
    const found = await make(finance, content, 'order');
    expect([found.state, effects()]).toEqual(['applied', before]);
  });
});

describe('a receipt for a receivable', () => {
  let scheduleId: string;

  beforeEach(async () => {
    const content = receivable(await customer());
    const made = await make(lost, content, 'order');
    scheduleId = made.state === 'applied' ? (made.output.id ?? '') : '';
    expect(await search(content, 'order')).toMatchObject({ state: 'applied', output: { id: scheduleId } });
  });

  function receipt(value: number): CallContent {
    const body = { scheduleId, accountId: MAIN_ACCOUNT, date: PUT_BACK_ON, value };
    const path = { ScheduleId: scheduleId };
    return { operation: 'receipts.registerForSchedule', path, body: { ...body, identifier: 'paid' } };
  }

  /** What is open by Ponte's own receipts. */
  const open = (openValue: string): CallOptions => ({
    evidence: { openValue, readAt: finance.clock.now().toISOString() },
  });

  it('is taken for one of a lost state where others came after it, and so are those', async () => {
    for (const [key, value] of [['first', 60] as const, ['second', 40] as const])
      expect(await make(lost, receipt(value), key)).toMatchObject({ state: 'applied' });
    const before = effects();
    expect(await search(receipt(60), 'first', open('100.00'))).toMatchObject({ state: 'applied' });
    finance.pass(60_000);
    expect(await search(receipt(40), 'second', open('40.00'))).toMatchObject({ state: 'applied' });
    expect(effects()).toBe(before);
  });

  it('is looked for once, also where it was refused after what is open was read anew', async () => {
    const content = receipt(200);
    expect(await search(content, 'too-much', open('100.00'))).toMatchObject({ state: 'rejected' });
    expect(await make(finance, content, 'too-much', open('100.00'))).toMatchObject({ state: 'rejected' });
  });
});

it('wakes the delivery that asked last once a call was looked for', async () => {
  const [before, last] = [newId(), newId()];
  const content = payment('2026-03-11');
  const { organization, calls } = finance;
  await calls.plan(organization.id, 'fee', [{ content }], before);
  expect(await make(finance, content, 'fee', { deliveryId: last })).toMatchObject({ state: 'unknown' });
  expect(await finance.rows()).toMatchObject([{ effectKey: 'fee', deliveryId: last }]);
});

describe('a movement on an account', () => {
  it('of a day before or on that of the recovery is left to a person, who has it sent once', async () => {
    const content = payment(PUT_BACK_ON);
    const found = await search(content, 'fee');
    expect(found).toMatchObject({
      state: 'needs-review',
      reason: expect.stringContaining('3.20 of 2026-03-10'),
    });
    expect(effects()).toBe(0);
    const { callId } = found as { callId: string };
    const { organization, decisions } = finance;
    await database.transaction((tx) => decisions.repeat(tx, organization.id, callId, 'it is not there'));
    expect(await make(finance, content, 'fee')).toMatchObject({ state: 'applied' });
    expect(effects()).toBe(1);
  });

  it('of a later day was not sent before, and is sent', async () => {
    expect(await search(payment('2026-03-11'), 'fee')).toMatchObject({ state: 'applied', earlier: false });
    expect(effects()).toBe(1);
  });

  it('that is lost once it was sent is left to a person, whatever its day', async () => {
    service.forecast.add([{ request: 'POST /payments', fault: { kind: 'cut-before-headers' } }]);
    const content = payment('2026-03-11');
    expect(await search(content, 'fee')).toMatchObject({ state: 'unknown' });
    await finance.laterOn();
    expect(await make(finance, content, 'fee')).toMatchObject({ state: 'needs-review' });
    expect(effects()).toBe(1);
  });
});

it('leaves a customer to a person, unless the service refuses a second one with the same document', async () => {
  const content: CallContent = {
    operation: 'customers.create',
    body: { name: 'Rui', document: { number: '52998224725' } },
  };
  expect(await search(content, 'customer')).toMatchObject({ state: 'needs-review' });
  expect(effects()).toBe(0);
  finance = await open({ uniqueDocuments: true });
  await finance.recover();
  expect(await search(content, 'customer')).toMatchObject({ state: 'applied', earlier: false });
});

it('looks for nothing once the recovery is ended, and again after another', async () => {
  await finance.recover(true);
  expect(await make(finance, payment(PUT_BACK_ON), 'first')).toMatchObject({ state: 'applied' });
  await finance.recover();
  const { callId } = (await search(payment(PUT_BACK_ON), 'second')) as { callId: string };
  const { organization, decisions } = finance;
  await database.transaction((tx) => decisions.repeat(tx, organization.id, callId, 'it is not there'));
  finance.pass(1_000);
  await finance.recover();
  expect(await search(payment(PUT_BACK_ON), 'second')).toMatchObject({ state: 'needs-review' });
  expect(effects()).toBe(1);
});

it('sends a request to /v1 as it comes: only its sender knows whether it was sent before', async () => {
  expect(await make(finance, payment(PUT_BACK_ON), 'v1/a-request')).toMatchObject({ state: 'applied' });
});
