import type { ServerResponse } from 'node:http';
import { listenForAlarms } from '../../../../test/support/alarms';
import { arrive } from '../../../../test/support/arrivals';
import { openTestDatabase } from '../../../../test/support/database';
import { timePasses } from '../../../../test/support/time-passes';
import { connectionTo, httpWire } from '../../../../test/support/http-finance';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { StallingClient } from '../../../../test/support/stalling-client';
import { StubService } from '../../../../test/support/stub-service';
import { until } from '../../../../test/support/until';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import type { CallContent } from '../calls/call';
import type { StoredConnection } from '../connections/connection-settings';

const MINUTE_MS = 60_000;
/** How long a call that somebody looks for is left alone by others. */
const LEASE_MS = 30_000;

let database: Database;
let service: StubService;
let finance: RemoteFinance;
/** What schedules the service lists. */
let listed: object[];
/** Requests that wait for their answer, by their method; the others are answered at once. */
let held: ServerResponse[];
let holding: string[];

beforeAll(async () => {
  listenForAlarms();
  database = await openTestDatabase();
});
beforeEach(async () => {
  service = await StubService.start();
  [listed, held, holding] = [[], [], []];
  service.answer = (response, { method }) =>
    holding.includes(method) ? void held.push(response) : answer(response, method);
  finance = await openFinance();
});
afterEach(async () => {
  await service.stop();
  await database.prisma.financeAttempt.deleteMany();
  await database.prisma.financeCall.deleteMany();
});
afterAll(() => database.close());

/** 202 promises nothing: it leaves a call unknown, and the service up. */
function answer(response: ServerResponse, method: string): void {
  response.writeHead(method === 'GET' ? 200 : 202).end(method === 'GET' ? JSON.stringify(listed) : '');
}

function openFinance(connection: StoredConnection = {}): Promise<RemoteFinance> {
  return RemoteFinance.open(database, httpWire(), connectionTo({ url: service.url() }, connection));
}

async function make(content: CallContent, deliveryId?: string, by = finance, effectKey = newId()) {
  const { organization, connections, calls } = by;
  const name = { organizationId: organization.id, effectKey, part: 1 };
  return calls.make(await connections.of(organization), name, content, deliveryId ? { deliveryId } : {});
}

/** Nothing tells whether it took effect: a look parks it without asking the service. */
const CUSTOMER: CallContent = { operation: 'customers.create', body: { name: 'Lia' } };

const CUSTOMER_ID = newId();
const SCHEDULE = { reference: 'order/1', value: 100, dueDate: '2026-04-10' };

function receivable(stakeholderId = newId()): CallContent {
  return { operation: 'schedules.createCredit', body: { ...SCHEDULE, stakeholderId } };
}

/** What the service lists when it took effect of {@link receivable}. */
function schedule(scheduleId = newId()) {
  return { ...SCHEDULE, scheduleId, openValue: 100, type: 'Credit' };
}

async function lose(count: number, content = CUSTOMER, by = finance): Promise<void> {
  for (let index = 0; index < count; index += 1)
    expect(await make(content, undefined, by)).toMatchObject({ state: 'unknown' });
}

/** Looks as the scheduler would, as long as something is done. @returns how many calls were looked for */
async function lookOn({ reconciler } = finance): Promise<number> {
  for (let looked = 0; ;) {
    const now = await reconciler.reconcile();
    if (now === 0) return looked;
    looked += now;
  }
}

async function row(by = finance) {
  const [first] = await by.rows();
  return first!;
}

const inMs = async (): Promise<number> => (await row()).nextAt!.getTime() - finance.clock.now().getTime();

it('looks for a call when the service has had its time, and not for one that is parked', async () => {
  await lose(1);
  finance.pass((await inMs()) - 1);
  expect(await lookOn()).toBe(0);
  finance.pass(1);
  expect(await lookOn()).toBe(1);
  expect(await row()).toMatchObject({ state: 'unknown', nextAt: null, needsReviewAt: finance.clock.now() });
  finance.pass(24 * 60 * MINUTE_MS);
  expect(await lookOn()).toBe(0);
});

it('looks for a call whose sender has died, when it cannot be on its way any more', async () => {
  holding = ['POST'];
  const listedAs = schedule();
  void make(receivable()).catch(() => undefined);
  await until(() => held.length === 1);
  finance.pass((await inMs()) - 1);
  expect(await lookOn()).toBe(0);
  listed = [listedAs];
  finance.pass(1);
  expect(await lookOn()).toBe(1);
  expect(await row()).toMatchObject({ state: 'applied', output: { id: listedAs.scheduleId } });
});

describe('the budget', () => {
  it.each([
    { perSecond: 1, most: 12 },
    { perSecond: 0.01, most: 1 },
  ])('is a fifth of what the service allows: %j', async ({ perSecond, most }) => {
    finance = await openFinance({ limits: { perSecond, atOnce: 4 } });
    await lose(15);
    finance.pass(MINUTE_MS);
    expect(await lookOn()).toBe(most);
    finance.pass(MINUTE_MS - 1);
    expect(await lookOn()).toBe(0);
    finance.pass(1);
    expect(await lookOn()).toBe(Math.min(most, 15 - most));
  });

  it('is spent on those that wait longest, for each organization by itself', async () => {
    finance = await openFinance({ limits: { perSecond: 0.1, atOnce: 4 } });
    const other = await openFinance({ limits: { perSecond: 0.2, atOnce: 4 } });
    for (let index = 0; index < 3; index += 1) {
      await lose(1);
      finance.pass(1);
    }
    await lose(3, CUSTOMER, other);
    finance.pass(MINUTE_MS);
    expect(await lookOn()).toBe(3);
    const parked = async (by: RemoteFinance) =>
      (await by.rows()).map(({ needsReviewAt }) => needsReviewAt !== null);
    expect(await parked(finance)).toEqual([true, false, false]);
    expect((await parked(other)).filter(Boolean)).toHaveLength(2);
  });
});

describe('a look that never ends', () => {
  it('is taken up again by another, and says nothing any more', async () => {
    await lose(1, receivable());
    finance.pass(MINUTE_MS);
    holding = ['GET'];
    const hung = finance.reconciler.reconcile();
    await until(() => held.length === 1);
    const other = finance.on(database, httpWire());
    expect(await lookOn(other)).toBe(0);
    finance.pass(LEASE_MS - 1);
    expect(await lookOn(other)).toBe(0);
    finance.pass(1);
    holding = [];
    const found = schedule();
    listed = [found];
    expect(await lookOn(other)).toBe(1);
    held[0]?.writeHead(200).end('[]');
    await hung;
    expect(await row()).toMatchObject({ state: 'applied', output: { id: found.scheduleId } });
  });

  it('is left alone by others as long as the process that began it lives', async () => {
    await lose(3, receivable());
    finance.pass(MINUTE_MS);
    holding = ['GET'];
    const hung = finance.reconciler.tick();
    await until(() => held.length === 1);
    const other = finance.on(database, httpWire());
    for (let third = 0; third < 10; third += 1) {
      finance.pass(LEASE_MS / 3);
      await finance.reconciler.tick();
      expect(await lookOn(other)).toBe(0);
    }
    holding = [];
    held[0]?.writeHead(200).end('[]');
    await hung;
    expect((await finance.rows()).map(({ state }) => state)).toEqual(['planned', 'planned', 'planned']);
  });

  it.each([
    ['was sent again meanwhile', [], { attempts: 2, needsReviewAt: null }],
    [
      'a person has to decide on',
      [schedule(), schedule()],
      { attempts: 1, needsReviewAt: expect.any(Date) as Date },
    ],
  ])('says nothing of a call that %s', async (_what, found, meanwhile) => {
    await lose(1, receivable(CUSTOMER_ID));
    finance.pass(MINUTE_MS);
    holding = ['GET'];
    const hung = finance.reconciler.reconcile();
    await until(() => held.length === 1);
    finance.pass(LEASE_MS);
    [holding, listed] = [[], found];
    expect(await lookOn(finance.on(database, httpWire()))).toBe(1);
    await make(receivable(CUSTOMER_ID), undefined, finance, (await row()).effectKey);
    const before = await row();
    expect(before).toMatchObject({ state: 'unknown', ...meanwhile });
    held[0]?.writeHead(200).end(JSON.stringify([schedule()]));
    await hung;
    expect(await row()).toEqual(before);
  });

  it('is left to its end by the next run, and waited for by a process that stops', async () => {
    await lose(7, receivable());
    finance.pass(MINUTE_MS);
    holding = ['GET'];
    const { reconciler } = finance;
    const run = reconciler.tick();
    await until(() => held.length === 1);
    await reconciler.tick();
    let stopped = false;
    const stop = reconciler.beforeApplicationShutdown().then(() => (stopped = true));
    await reconciler.tick();
    expect([stopped, service.requests.filter(({ method }) => method === 'GET').length]).toEqual([false, 1]);
    holding = [];
    held[0]?.writeHead(200).end('[]');
    await Promise.all([run, stop]);
    const states = (await finance.rows()).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['planned', ...Array<string>(6).fill('unknown')]);
    // What it had taken is to be had at once.
    expect(await lookOn(finance.on(database, httpWire()))).toBe(6);
  });
});

describe('what is found', () => {
  it('is not believed while another call that makes a record alike is on its way', async () => {
    const [mine, twins] = [schedule(), schedule()];
    const content = receivable();
    await lose(1, content);
    finance.pass(MINUTE_MS);
    holding = ['POST'];
    const twin = make(content);
    await until(() => held.length === 1);
    listed = [mine];
    expect(await lookOn()).toBe(1);
    expect(await row()).toMatchObject({ state: 'unknown', needsReviewAt: null, reconcileAttempts: 1 });
    expect((await row()).reason).toContain('another call that makes a record alike');
    held[0]?.writeHead(200).end(JSON.stringify(twins.scheduleId));
    expect(await twin).toMatchObject({ state: 'applied', output: { id: twins.scheduleId } });
    listed = [twins, mine];
    finance.pass(await inMs());
    expect(await lookOn()).toBe(1);
    expect(await row()).toMatchObject({ state: 'applied', output: { id: mine.scheduleId } });
  });

  it.each([
    ['in effect', [schedule()], 'applied'],
    ['not there', [], 'planned'],
    ['doubtful', [schedule(), schedule()], 'unknown'],
  ])('wakes the delivery that waits for it: %s', async (_what, items, state) => {
    const { id, readyAt } = await waiting();
    await make(receivable(), id);
    finance.pass(MINUTE_MS);
    listed = items;
    expect(await lookOn()).toBe(1);
    expect(await row()).toMatchObject({ state });
    expect((await readyAt()) <= new Date()).toBe(true);
  });

  it('wakes no delivery that somebody is at', async () => {
    const { id, readyAt } = await waiting();
    await make(receivable(), id);
    await database.prisma.delivery.update({ where: { id }, data: { leaseId: newId() } });
    const before = await readyAt();
    finance.pass(MINUTE_MS);
    expect(await lookOn()).toBe(1);
    expect(await readyAt()).toEqual(before);
  });

  it('revives a delivery that was given up when the answer comes after all', async () => {
    const stalling = new StallingClient(finance.wire);
    const slow = finance.on(database, stalling);
    const stall = stalling.stall('customers.create');
    const made = newId();
    service.replies(200, JSON.stringify(made));
    const { id } = await waiting();
    const sender = make(CUSTOMER, id, slow);
    await stall.reached;
    finance.pass(20 * MINUTE_MS);
    expect(await lookOn()).toBe(1);
    expect((await row()).needsReviewAt).not.toBeNull();
    const where = { id };
    await database.prisma.delivery.update({ where, data: { state: 'dead', reason: 'parked' } });
    stall.release();
    expect(await sender).toMatchObject({ state: 'applied', output: { id: made } });
    const revived = await database.prisma.delivery.findUniqueOrThrow({ where });
    expect([revived.state, revived.readyAt <= new Date()]).toEqual(['waiting', true]);
  });

  /** A delivery that waits for longer than any test takes. */
  async function waiting() {
    const [id = ''] = await arrive(database, ['lane'], {
      organizationId: finance.organization.id,
      receivedAt: finance.clock.now(),
    });
    await timePasses(database, -24 * 60 * MINUTE_MS);
    const find = () => database.prisma.delivery.findUniqueOrThrow({ where: { id } });
    return { id, readyAt: async () => (await find()).readyAt };
  }
});

describe('a service that cannot be read', () => {
  it('is asked again after ever longer times, up to two minutes, and leaves the delivery asleep', async () => {
    const [id = ''] = await arrive(database, ['lane'], { receivedAt: finance.clock.now() });
    const readyAt = new Date('2030-01-01');
    await database.prisma.delivery.update({ where: { id }, data: { readyAt } });
    await make(receivable(), id);
    finance.pass(MINUTE_MS);
    service.replies(404, '{"error":"no such customer"}');
    for (let look = 0; look < 12; look += 1) {
      expect(await lookOn()).toBe(1);
      const longest = Math.min(2 * MINUTE_MS, 5_000 * 2 ** look);
      const wait = await inMs();
      expect([wait >= longest / 2, wait <= longest]).toEqual([true, true]);
      finance.pass(wait);
    }
    expect(await row()).toMatchObject({ state: 'unknown', needsReviewAt: null, reconcileAttempts: 12 });
    expect((await row()).reason).toContain('refused to be read: no such customer');
    expect(await database.prisma.delivery.findUniqueOrThrow({ where: { id } })).toMatchObject({
      readyAt,
    });
    service.answer = (response, { method }) => answer(response, method);
    expect(await lookOn()).toBe(1);
    expect(await row()).toMatchObject({ state: 'planned', reconcileAttempts: 0 });
  });

  it('is not asked while it wants to be left alone, and that counts as no look', async () => {
    await lose(1, receivable());
    finance.pass(MINUTE_MS);
    service.answer = (response) => void response.writeHead(429, { 'retry-after': '600' }).end();
    expect(await finance.reconciler.reconcile()).toBe(1);
    expect(await row()).toMatchObject({ state: 'unknown', reconcileAttempts: 0 });
    expect(await inMs()).toBeGreaterThan(5 * MINUTE_MS);
    const asked = service.requests.length;
    finance.pass(20 * MINUTE_MS);
    expect(await lookOn()).toBe(0);
    expect(service.requests).toHaveLength(asked);
  });

  it('is not looked into while nobody has connected it', async () => {
    await lose(1);
    const where = { organizationId: finance.organization.id };
    const connection = await database.prisma.financeConnection.findUniqueOrThrow({ where });
    await database.prisma.financeConnection.delete({ where });
    finance.pass(MINUTE_MS);
    expect(await lookOn()).toBe(0);
    await database.prisma.financeConnection.create({ data: connection as never });
    // Another replica connected it: that is noticed a little later.
    finance.pass(5_000);
    expect(await lookOn()).toBe(1);
  });

  it('keeps no other organization waiting', async () => {
    const other = await openFinance();
    await lose(1, receivable());
    finance.pass(MINUTE_MS);
    holding = ['GET'];
    const slow = finance.reconciler.tick();
    await until(() => held.length === 1);
    holding = [];
    await lose(1, receivable(), other);
    finance.pass(MINUTE_MS);
    await finance.reconciler.tick();
    expect((await row(other)).state).toBe('planned');
    expect((await row()).state).toBe('unknown');
    held[0]?.writeHead(200).end('[]');
    await slow;
    expect((await row()).state).toBe('planned');
  });

  it('stops nothing for other organizations when its settings cannot be understood', async () => {
    const others = await Promise.all([openFinance(), openFinance()]);
    const all = [others[0], finance, others[1]];
    for (const one of all) {
      await lose(1, CUSTOMER, one);
      one.pass(MINUTE_MS);
    }
    const where = { organizationId: finance.organization.id };
    await database.prisma.financeConnection.update({ where, data: { settings: { baseUrl: 7 } } });
    for (const { reconciler } of all) await reconciler.tick();
    for (const one of others) expect((await row(one)).needsReviewAt).not.toBeNull();
    expect((await row()).needsReviewAt).toBeNull();
    expect(await finance.effects.callsAtOnce(finance.organization.id)).toBe(1);
  });
});
