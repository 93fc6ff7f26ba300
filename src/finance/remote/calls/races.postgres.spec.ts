import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { FaultyFinance } from '../../../../test/faulty-finance/faulty-finance';
import type { Fault } from '../../../../test/faulty-finance/fault';
import { listenForAlarms } from '../../../../test/support/alarms';
import { customerEffect, receiptEffect, scheduleEffect } from '../../../../test/support/company';
import { openTestReplicas } from '../../../../test/support/database';
import { booksOf, connectionTo, httpWire, MAIN_ACCOUNT } from '../../../../test/support/http-finance';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { StallingClient } from '../../../../test/support/stalling-client';
import { StubService } from '../../../../test/support/stub-service';
import { until } from '../../../../test/support/until';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import type { EffectResult, PlannedEffect } from '../../api/effects/effect';

/** Milliseconds between askings for what is pending: asking without end would hold up what it waits for. */
const ASK_AGAIN_MS = 20;
/** Milliseconds between readings of calls of unknown outcome. */
const LOOK_EVERY_MS = 200;

let databases: Database[];
let alarms: string[];

beforeAll(async () => {
  databases = await openTestReplicas(2);
});
beforeEach(() => (alarms = listenForAlarms()));
afterAll(() => Promise.all(databases.map((database) => database.close())));

/** Two replicas, each with its own way to one service. */
async function replicas(service: { url: string }): Promise<[RemoteFinance, RemoteFinance, StallingClient]> {
  const [one, two] = [databases[0]!, databases[1]!];
  const stalling = new StallingClient(httpWire(one));
  const finance = await RemoteFinance.open(one, stalling, connectionTo(service));
  return [finance, finance.on(two, httpWire(two)), stalling];
}

function outputOf(result: EffectResult) {
  if (!('output' in result)) throw new Error(`${result.state}: ${result.reason}`);
  return result.output;
}

describe('a service that is asked by two replicas', () => {
  let service: StubService;

  beforeEach(async () => (service = await StubService.start()));
  afterEach(() => service.stop());

  /** Keeps answers to requests that change something; everything else is an empty list. */
  function holdAnswers(): ServerResponse[] {
    const held: ServerResponse[] = [];
    service.answer = (response, { method }) =>
      method === 'GET' ? void answer(response, []) : void held.push(response);
    return held;
  }

  function answer(response: ServerResponse | undefined, value: unknown): void {
    response?.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  }

  it('gets one request when twenty ask for the same at once', async () => {
    const [one, two] = await replicas({ url: service.url() });
    const held = holdAnswers();
    const effect = customerEffect('customer/1');
    let answered = 0;
    const asked = Array.from({ length: 20 }, (_, index) =>
      (index % 2 ? one : two).apply(effect).finally(() => (answered += 1)),
    );
    await until(() => answered + held.length === 20);
    expect(held).toHaveLength(1);
    const id = newId();
    answer(held[0], id);
    const results = await Promise.all(asked);
    expect(results.filter(({ state }) => state === 'pending')).toHaveLength(19);
    expect(results.flatMap((result) => ('output' in result ? [result.output] : []))).toEqual([{ id }]);
    const again = await Promise.all([one, two].map((finance) => finance.apply(effect)));
    expect(again).toEqual(Array(2).fill({ state: 'existing', output: { id }, attention: [] }));
    expect(service.requests).toHaveLength(1);
  });

  describe('and answers after the call was looked for', () => {
    const effect = scheduleEffect('schedule/1', { customer: newId() });

    /** A call that is on its way for longer than anybody waits, and was not found. */
    async function lostAndRepeatable() {
      const [one, two] = await replicas({ url: service.url() });
      const held = holdAnswers();
      const first = one.apply(effect);
      await until(() => held.length === 1);
      await two.laterOn();
      expect(await one.rows()).toMatchObject([{ state: 'planned', attempts: 1 }]);
      return { one, two, held, first };
    }

    const twice = { state: 'unknown', attempts: 2, nextAt: null, needsReviewAt: expect.any(Date) as Date };

    it('is said to hold two when the second sending was done before the first was answered', async () => {
      const { one, two, held, first } = await lostAndRepeatable();
      const second = two.apply(effect);
      await until(() => held.length === 2);
      const [firstId, secondId] = [newId(), newId()];
      answer(held[1], secondId);
      expect(outputOf(await second)).toEqual({ id: secondId, all: [secondId] });
      answer(held[0], firstId);
      expect(await first).toMatchObject({ state: 'refused', code: 'effect-unknown' });
      expect(await one.rows()).toMatchObject([twice]);
      expect(alarms).toEqual([expect.stringContaining('may hold it twice')]);
      expect(await tries(one)).toEqual([firstId, secondId]);
    });

    it('is said to hold two when the first sending is answered while the second is on its way', async () => {
      const { one, two, held, first } = await lostAndRepeatable();
      const second = two.apply(effect);
      await until(() => held.length === 2);
      answer(held[0], newId());
      expect(await first).toMatchObject({ state: 'refused', code: 'effect-unknown' });
      expect(await one.rows()).toMatchObject([twice]);
      answer(held[1], newId());
      expect(await second).toMatchObject({ state: 'refused', code: 'effect-unknown' });
      expect(await one.rows()).toMatchObject([twice]);
      expect(alarms).toHaveLength(2);
    });

    it('is believed when it turns out that the second sending took no effect', async () => {
      const { one, two, held, first } = await lostAndRepeatable();
      const second = two.apply(effect);
      await until(() => held.length === 2);
      held[1]?.writeHead(409).end('{"error":"exists"}');
      expect(await second).toMatchObject({ state: 'refused', code: 'exists' });
      const id = newId();
      answer(held[0], id);
      expect(outputOf(await first)).toEqual({ id, all: [id] });
      expect(await one.rows()).toMatchObject([{ state: 'applied', needsReviewAt: null, output: { id } }]);
      expect(alarms).toEqual([]);
    });

    it('gets no third sending because it turned the first away while the second is on its way', async () => {
      const { one, two, held, first } = await lostAndRepeatable();
      const second = two.apply(effect);
      await until(() => held.length === 2);
      held[0]?.writeHead(503, { 'retry-after': '0' }).end();
      expect(await first).toMatchObject({ state: 'pending' });
      expect(await one.rows()).toMatchObject([{ state: 'intended', attempts: 2 }]);
      one.pass(5_000);
      expect(await one.apply(effect)).toMatchObject({ state: 'pending' });
      const id = newId();
      answer(held[1], id);
      expect(outputOf(await second)).toEqual({ id, all: [id] });
      expect(held).toHaveLength(2);
    });

    it('raises an alarm when another record had been taken for the one that was made', async () => {
      const [one, two] = await replicas({ url: service.url() });
      const held = holdAnswers();
      const first = one.apply(effect);
      await until(() => held.length === 1);
      const [alike, made] = [newId(), newId()];
      service.answer = (response) => answer(response, [listed(alike)]);
      await two.laterOn();
      expect(await one.rows()).toMatchObject([{ state: 'applied', output: { id: alike, all: [alike] } }]);
      answer(held[0], made);
      await first;
      expect(await one.rows()).toMatchObject([
        { state: 'applied', output: { id: alike }, reason: alarms[0] },
      ]);
      expect(alarms).toEqual([expect.stringContaining(`made ${made}, but ${alike}`)]);
    });
  });

  it('gets parts of one decision only when two spread a payment differently at once', async () => {
    const [one, two] = await replicas({ url: service.url() });
    const partsOf = (...values: number[]) =>
      values.map((value) => ({
        content: { operation: 'receipts.registerForSchedule' as const, body: { value } },
      }));
    for (const key of Array.from({ length: 10 }, () => newId())) {
      const plan = async ({ calls, organization }: RemoteFinance, ...values: number[]) => {
        const planned = await calls.plan(organization.id, key, partsOf(...values));
        return planned.map(({ content }) => (content.body as { value: number }).value);
      };
      const [first, second] = await Promise.all([plan(one, 100), plan(two, 60, 40)]);
      expect(first).toEqual(second);
      expect([[100], [60, 40]]).toContainEqual(first);
    }
  });

  it('is read once for each call when two reconcilers look at once', async () => {
    const [one, two] = await replicas({ url: service.url() });
    service.answer = (_response, _request, socket) => void socket.resetAndDestroy();
    const customers = Array.from({ length: 4 }, () => newId());
    for (const customer of customers) await one.apply(scheduleEffect(`schedule/${customer}`, { customer }));
    service.answer = (response) => answer(response, []);
    service.requests.length = 0;
    one.pass(60_000);
    const looked = await Promise.all([one, two].map(({ reconciler }) => reconciler.reconcile()));
    expect(looked[0]! + looked[1]!).toBe(4);
    const read = service.requests.map(({ url }) => /customers\/([^/]+)\/schedules/.exec(url)?.[1]);
    expect(read.toSorted()).toEqual(customers.toSorted());
    expect((await one.rows()).map(({ state }) => state)).toEqual(Array(4).fill('planned'));
  });

  function listed(scheduleId: string): object {
    const amounts = { value: 100, openValue: 100 };
    return { scheduleId, ...amounts, reference: 'schedule/1', dueDate: '2026-04-10', type: 'Credit' };
  }

  async function tries({ database, organization }: RemoteFinance): Promise<(string | null)[]> {
    const where = { call: { organizationId: organization.id } };
    const rows = await database.prisma.financeAttempt.findMany({ where, orderBy: { number: 'asc' } });
    return rows.map(({ reply }) => reply);
  }
});

describe('books that two replicas write to', () => {
  let service: FaultyFinance;

  beforeEach(async () => (service = await FaultyFinance.start([booksOf()])));
  afterEach(() => service.stop());

  function meets(request: string, fault: Fault): void {
    service.forecast.add([{ request, fault }]);
  }

  async function customerOf(finance: RemoteFinance): Promise<string> {
    return outputOf(await finance.apply(customerEffect('customer'))).id!;
  }

  /** Asks until there is nothing more to wait for. */
  async function persist(finance: RemoteFinance, effect: PlannedEffect): Promise<EffectResult> {
    for (;;) {
      const result = await finance.apply(effect);
      if (result.state !== 'pending') return result;
      await pause(ASK_AGAIN_MS);
    }
  }

  /** What does not answer in time on a busy machine is looked for, as it would be; clocks go as fast as time does. */
  async function whileTimePasses<T>(finance: RemoteFinance, work: () => Promise<T>): Promise<T> {
    const over = new AbortController();
    const looking = (async () => {
      for (let last = performance.now(); !over.signal.aborted;) {
        await pause(LOOK_EVERY_MS);
        const now = performance.now();
        finance.pass(Math.floor(now - last));
        last = now;
        await finance.reconciler.reconcile();
      }
    })();
    try {
      return await work();
    } finally {
      over.abort();
      await looking;
    }
  }

  it.each<['in effect' | 'not in effect', Fault]>([
    ['in effect', { kind: 'none' }],
    ['in effect', { kind: 'cut-before-headers' }],
    ['not in effect', { kind: 'reset' }],
    ['not in effect', { kind: 'busy', status: 503, retryAfter: 0 }],
  ])('hold one effect when a sender comes too late: it was found %s after %j', async (found, fault) => {
    const [one, two, stalling] = await replicas(service);
    const effect = scheduleEffect('schedule', { customer: await customerOf(one) });
    const stall = stalling.stall('schedules.createCredit');
    meets('POST /schedules/credit', fault);
    const sender = one.apply(effect);
    await stall.reached;
    await two.laterOn();
    const [, afterReadBack] = await one.rows();
    expect(afterReadBack?.state).toBe(found === 'in effect' ? 'applied' : 'planned');
    const output = outputOf(await two.apply(effect));
    stall.release();
    expect(outputOf(await sender)).toEqual(output);
    expect(await one.rows()).toMatchObject([{}, { state: 'applied', output, needsReviewAt: null }]);
    expect(service.judge.report()).toMatchObject({ duplicates: {} });
    expect(service.judge.effects.map(({ id }) => id)).toContain(output.id);
    expect(alarms).toEqual([]);
  });

  it('see one payment once, however many spread it over schedules at once', async () => {
    const [one, two] = await replicas(service);
    const instalments = [
      { value: '60.00', dueDate: '2026-04-10' },
      { value: '40.00', dueDate: '2026-05-10' },
    ];
    const receivable = scheduleEffect('schedule', { customer: await customerOf(one), instalments });
    const schedules = outputOf(await one.apply(receivable)).all!;
    const payment = receiptEffect('pay', { schedules, value: '75.00', account: MAIN_ACCOUNT });
    const asked = Array.from({ length: 10 }, (_, index) => persist(index % 2 ? one : two, payment));
    expect((await Promise.all(asked)).map((result) => 'output' in result)).toEqual(Array(10).fill(true));
    const receipts = service.judge.effects.filter(({ operation }) => operation.endsWith('receipts'));
    expect(receipts.map(({ minor }) => minor)).toEqual([60_00, 15_00]);
  });

  it('see one receipt for a schedule at a time', async () => {
    const shared = new StallingClient(httpWire(databases[0]));
    const one = await RemoteFinance.open(databases[0]!, shared, connectionTo(service));
    const two = one.on(databases[1]!);
    const customer = await customerOf(one);
    const schedules = outputOf(await one.apply(scheduleEffect('schedule', { customer }))).all!;
    const slow: Fault = { kind: 'late-effect', afterMs: 20 };
    service.forecast.set({ seed: 1, share: 1, faults: [slow] });
    const payments = Array.from({ length: 8 }, (_, index) =>
      receiptEffect(`pay/${index}`, { schedules, value: '7.00', account: MAIN_ACCOUNT }),
    );
    const results = await whileTimePasses(one, () =>
      Promise.all(payments.map((payment, index) => persist(index % 2 ? one : two, payment))),
    );
    expect(results.map(({ state }) => state)).toEqual(Array(8).fill('applied'));
    expect(shared.mostAtOnce('receipts.registerForSchedule')).toBe(1);
    expect(service.judge.report()).toMatchObject({
      duplicates: {},
      effects: { 'POST /schedules/credit/receipts': { count: 8, minor: 56_00 } },
    });
  }, 240_000);
});
