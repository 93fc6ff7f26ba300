import { FaultyFinance } from '../../../../test/faulty-finance/faulty-finance';
import type { Fault } from '../../../../test/faulty-finance/fault';
import { listenForAlarms } from '../../../../test/support/alarms';
import { openTestDatabase } from '../../../../test/support/database';
import { booksOf, connectionTo, httpWire, MAIN_ACCOUNT } from '../../../../test/support/http-finance';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { StubService } from '../../../../test/support/stub-service';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import { OPERATIONS } from '../../api/operations/operations';
import type { ClientCall } from '../client/finance-client';
import type { CallContent, Evidence, Finding } from '../calls/call';
import type { StoredConnection } from '../connections/connection-settings';

const OTHER_ACCOUNT = '6f1f0c51-7d3c-4c1e-9a51-00000000000b';
const PAYABLE = '6f1f0c51-7d3c-4c1e-9a51-00000000000c';
const PAYMENT = '6f1f0c51-7d3c-4c1e-9a51-00000000000d';
const BOOKS = booksOf({
  refusesOverpayment: false,
  accounts: [
    { id: MAIN_ACCOUNT, name: 'main' },
    { id: OTHER_ACCOUNT, name: 'other' },
  ],
  payables: [
    {
      id: PAYABLE,
      description: 'rent',
      minor: 900_00,
      dueDate: '2026-01-10',
      payments: [{ id: PAYMENT, accountId: MAIN_ACCOUNT, minor: 900_00 }],
    },
  ],
});

/** Two ways to lose a call: the service took effect of it, or never read it. */
const IN_EFFECT: Fault = { kind: 'cut-before-headers' };
const WITHOUT_EFFECT: Fault = { kind: 'reset' };

let database: Database;
let service: FaultyFinance;
let finance: RemoteFinance;

beforeAll(async () => {
  listenForAlarms();
  database = await openTestDatabase();
});
beforeEach(async () => {
  service = await FaultyFinance.start([BOOKS]);
  finance = await openFinance();
});
afterEach(() => service.stop());
afterAll(() => database.close());

function openFinance(connection: StoredConnection = {}, to = service.url): Promise<RemoteFinance> {
  return RemoteFinance.open(database, httpWire(), connectionTo({ url: to }, connection));
}

async function make(content: CallContent, options: { evidence?: Evidence; key?: string } = {}) {
  const { organization, connections, calls } = finance;
  const { key: effectKey = newId(), ...others } = options;
  const name = { organizationId: organization.id, effectKey, part: 1 };
  return calls.make(await connections.of(organization), name, content, others);
}

/** Makes a call that must succeed. @returns the record it made */
async function made(content: CallContent): Promise<string> {
  const result = await make(content);
  if (result.state !== 'applied') throw new Error(result.state);
  return result.output.id ?? '';
}

/** Somebody else does it, so that Ponte knows nothing of it. */
async function byHand(call: ClientCall): Promise<string> {
  const connection = await finance.connections.of(finance.organization);
  const outcome = await finance.wire.call(connection, call);
  if (outcome.kind !== 'succeeded') throw new Error(outcome.kind);
  return String(outcome.value);
}

/** Loses a call on its way, and looks for it. @returns what is found, and the call's identifier */
async function readBack(
  content: CallContent,
  fault: Fault,
  evidence?: Evidence,
): Promise<Finding & { callId: string }> {
  service.forecast.add([{ fault }]);
  const result = await make(content, evidence ? { evidence } : {});
  if (result.state !== 'unknown') throw new Error(`it was not lost: ${result.state}`);
  return { ...(await find(result.callId)), callId: result.callId };
}

async function find(callId: string): Promise<Finding> {
  const { organization, connections, repository, evidence } = finance;
  const call = await database.transaction((tx) => repository.lockById(tx, callId));
  if (!call) throw new Error('the call is gone');
  return evidence.after({ connection: await connections.of(organization), organization, call });
}

/** Loses a call to a service that took effect of it or not, and looks for it in the lists that are given. */
async function readBackFrom(
  lists: (url: URL) => { status?: number; body: unknown },
  content: CallContent,
  { connection, evidence }: { connection?: StoredConnection; evidence?: Evidence } = {},
): Promise<Finding> {
  const stub = await StubService.start();
  try {
    finance = await openFinance(connection, stub.url());
    stub.answer = (_response, _request, socket) => void socket.resetAndDestroy();
    const result = await make(content, evidence ? { evidence } : {});
    stub.answer = (response, { url }) => {
      const { status = 200, body } = lists(new URL(url, stub.url()));
      response.writeHead(status).end(JSON.stringify(body));
    };
    return await find((result as { callId: string }).callId);
  } finally {
    await stub.stop();
  }
}

const lastEffect = () => service.judge.effects.at(-1)!;

describe('every operation that changes something', () => {
  it.each(OPERATIONS.filter(({ effect }) => effect !== 'read').map(({ id }) => id))(
    'can be looked for: %s',
    async (operation) => {
      const path = {
        ScheduleId: PAYABLE,
        PaymentId: PAYMENT,
        AccountId: MAIN_ACCOUNT,
        CostCenterId: newId(),
      };
      const { reason } = await readBack({ operation, path, body: { name: 'new' } }, WITHOUT_EFFECT);
      expect(reason).not.toContain('nothing tells');
    },
  );
});

describe('what has the same effect when it is done again', () => {
  it.each<CallContent>([
    { operation: 'costCenters.update', path: { CostCenterId: newId() }, body: { description: 'new' } },
    { operation: 'accounts.update', path: { AccountId: MAIN_ACCOUNT }, body: { name: 'new' } },
    { operation: 'payments.remove', path: { ScheduleId: PAYABLE, PaymentId: PAYMENT } },
  ])('may be sent again, and nothing is read for it: $operation', async (content) => {
    expect(await readBack(content, IN_EFFECT)).toMatchObject({ state: 'planned' });
    expect(service.judge.requests).toHaveLength(1);
  });
});

describe('a customer', () => {
  const withDocument = { name: 'Lia', document: { number: '123.456.789-09' } };
  const customer = (body: object): CallContent => ({ operation: 'customers.create', body });

  it.each([IN_EFFECT, WITHOUT_EFFECT])('without a document is doubtful, after %j', async (fault) => {
    finance = await openFinance({ uniqueDocuments: true, customerListing: '/customers' });
    expect(await readBack(customer({ name: 'Lia' }), fault)).toMatchObject({
      state: 'needs-review',
      reason: expect.stringContaining('without a document') as string,
    });
  });

  it('with a document is doubtful where the service cannot list customers', async () => {
    expect(await readBack(customer(withDocument), IN_EFFECT)).toMatchObject({
      state: 'needs-review',
      reason: expect.stringContaining('no operation that lists customers') as string,
    });
  });

  it('with a document may be sent again where the service takes no second one', async () => {
    finance = await openFinance({ uniqueDocuments: true });
    expect(await readBack(customer(withDocument), IN_EFFECT)).toMatchObject({ state: 'planned' });
  });

  describe('where the service lists customers', () => {
    const [first, second] = [newId(), newId()];
    const listed = (id: string, number = '12345678909') => ({ id, document: { number } });
    const connection = { customerListing: '/customers' };

    it.each<[string, object[], Partial<Finding>]>([
      ['none', [listed(first, '98765432100')], { state: 'planned' }],
      ['one', [listed(first, '98765432100'), listed(second)], { state: 'applied', output: { id: second } }],
      ['two', [listed(first), listed(second)], { state: 'needs-review' }],
    ])('is found among those with its document: %s', async (_count, items, expected) => {
      const lists = () => ({ body: { items } });
      expect(await readBackFrom(lists, customer(withDocument), { connection })).toMatchObject(expected);
    });

    it('is found where the filter means something else to the service', async () => {
      const lists = ({ searchParams }: URL) => ({ body: searchParams.has('$filter') ? [] : [listed(first)] });
      expect(await readBackFrom(lists, customer(withDocument), { connection })).toMatchObject({
        state: 'applied',
        output: { id: first },
      });
    });

    it.each([404, 500])('is looked for again where the listing answers %i', async (status) => {
      const lists = () => ({ status, body: {} });
      const finding = await readBackFrom(lists, customer(withDocument), { connection });
      expect(finding).toMatchObject({ state: 'unknown' });
    });
  });
});

describe('a receivable', () => {
  let stakeholderId: string;

  beforeEach(async () => {
    stakeholderId = await made({ operation: 'customers.create', body: { name: 'Lia' } });
  });

  function receivable(body: object = {}): CallContent {
    const whole = { stakeholderId, reference: 'order/1', value: 100, dueDate: '2026-04-10', ...body };
    return { operation: 'schedules.createCredit', body: whole };
  }

  const instalment = [
    { value: 60, dueDate: '2026-05-10' },
    { value: 40, dueDate: '2026-04-10' },
  ];

  it('is found by its reference, value and due date', async () => {
    const finding = await readBack(receivable(), IN_EFFECT);
    const { id } = lastEffect();
    expect(finding).toMatchObject({ state: 'applied', output: { id, all: [id] } });
  });

  it('is found with its instalments, by due date', async () => {
    const finding = await readBack(receivable({ instalment }), IN_EFFECT);
    const [later, sooner] = service.judge.effects.slice(-2).map(({ id }) => id);
    expect(finding).toMatchObject({ state: 'applied', output: { id: sooner, all: [sooner, later] } });
  });

  it.each([{}, { instalment }])('may be sent again where it is not there: %j', async (body) => {
    await byHand(receivable({ reference: 'order/2', ...body }));
    await byHand(receivable({ reference: 'order/10' }));
    await byHand(receivable({ reference: undefined, value: 99 }));
    await made(receivable({ value: 99 }));
    expect(await readBack(receivable(body), WITHOUT_EFFECT)).toMatchObject({ state: 'planned' });
  });

  it.each([
    ['another value', { value: 99 }],
    ['another due date', { dueDate: '2026-04-11' }],
    ['no reference', { reference: undefined }],
    ['a reference that was cut off', { reference: 'order' }],
  ])('is doubtful where one is there that may be it, with %s', async (_what, changes) => {
    await byHand(receivable(changes));
    expect(await readBack(receivable(), WITHOUT_EFFECT)).toMatchObject({
      state: 'needs-review',
      reason: expect.stringContaining('1 that may be') as string,
    });
  });

  it('is doubtful where the list never ends', async () => {
    const item = { value: 1, openValue: 1, dueDate: '2026-04-10', type: 'Credit' };
    const lists = () => ({ body: [{ ...item, scheduleId: newId() }] });
    expect(await readBackFrom(lists, receivable())).toMatchObject({ state: 'needs-review' });
  });

  it('is doubtful where only a part of its instalments is there', async () => {
    await byHand(receivable({ value: 60, dueDate: '2026-05-10' }));
    expect(await readBack(receivable({ instalment }), WITHOUT_EFFECT)).toMatchObject({
      state: 'needs-review',
      reason: expect.stringContaining('where 2 are expected') as string,
    });
  });

  it('is doubtful where there are two of it', async () => {
    await byHand(receivable());
    expect(await readBack(receivable(), IN_EFFECT)).toMatchObject({ state: 'needs-review' });
  });

  it('is doubtful without a reference, and as a recurrence', async () => {
    expect(await readBack(receivable({ reference: undefined }), IN_EFFECT)).toMatchObject({
      state: 'needs-review',
      reason: expect.stringContaining('without a reference') as string,
    });
    expect(await readBack(receivable({ recurrence: { period: 'month' } }), IN_EFFECT)).toMatchObject({
      state: 'needs-review',
      reason: expect.stringContaining('recurrence') as string,
    });
  });

  it('without a reference is told from what was there before', async () => {
    const before = [await byHand(receivable({ reference: undefined }))];
    const content = receivable({ reference: undefined });
    expect(await readBack(content, WITHOUT_EFFECT, { before })).toMatchObject({ state: 'planned' });
    expect(await readBack(content, IN_EFFECT, { before })).toMatchObject({
      state: 'applied',
      output: { all: [lastEffect().id] },
    });
  });

  it("is not another call's that is alike", async () => {
    await made(receivable());
    expect(await readBack(receivable(), WITHOUT_EFFECT)).toMatchObject({ state: 'planned' });
    expect(await readBack(receivable(), IN_EFFECT)).toMatchObject({
      state: 'applied',
      output: { id: lastEffect().id },
    });
  });

  it('is looked for again where the service cannot be read', async () => {
    const { callId } = await readBack(receivable(), IN_EFFECT);
    service.forecast.add([{ request: 'GET /customers', fault: { kind: 'error-500', applied: false } }]);
    expect(await find(callId)).toMatchObject({ state: 'unknown' });
  });

  describe('that is received', () => {
    let scheduleId: string;
    let evidence: Evidence;

    beforeEach(async () => {
      scheduleId = await made(receivable());
      await own(stakeholderId);
      evidence = { openValue: '100.00', readAt: finance.clock.now().toISOString() };
      finance.pass(1_000);
    });

    function own(customer: string): Promise<void> {
      const { organization, repository } = finance;
      return database.transaction((tx) =>
        repository.putSchedules(tx, organization.id, customer, [scheduleId]),
      );
    }

    function receipt(value: number): CallContent {
      const body = { scheduleId, accountId: MAIN_ACCOUNT, date: '2026-03-10', value };
      return {
        operation: 'receipts.registerForSchedule',
        path: { ScheduleId: scheduleId },
        body: { ...body, identifier: newId() },
      };
    }

    it.each<[string, Fault, Finding['state']]>([
      ['in effect where so much less is open', IN_EFFECT, 'applied'],
      ['repeatable where nothing has changed', WITHOUT_EFFECT, 'planned'],
    ])('is %s', async (_what, fault, state) => {
      expect(await readBack(receipt(30), fault, evidence)).toMatchObject({ state });
    });

    it.each<[Fault, Finding['state']]>([
      [IN_EFFECT, 'applied'],
      [WITHOUT_EFFECT, 'planned'],
    ])('is told from other receipts in between, after %j: %s', async (fault, state) => {
      await made(receipt(30));
      await made(receipt(20.5));
      finance.pass(1_000);
      expect(await readBack(receipt(30), fault, evidence)).toMatchObject({ state });
    });

    it('is not concerned by receipts before what was open was read', async () => {
      await made(receipt(30));
      finance.pass(1_000);
      const now = { openValue: '70.00', readAt: finance.clock.now().toISOString() };
      finance.pass(1_000);
      expect(await readBack(receipt(30), IN_EFFECT, now)).toMatchObject({ state: 'applied' });
    });

    it('is doubtful where another receipt was on its way when what was open was read', async () => {
      await made(receipt(30));
      const now = { openValue: '100.00', readAt: finance.clock.now().toISOString() };
      finance.pass(1_000);
      expect(await readBack(receipt(30), IN_EFFECT, now)).toMatchObject({
        state: 'needs-review',
        reason: expect.stringContaining('at the same time') as string,
      });
    });

    it('is doubtful where another receipt is given up and may be in effect', async () => {
      const { callId } = await readBack(receipt(30), IN_EFFECT);
      await database.transaction((tx) =>
        finance.decisions.abandon(tx, finance.organization.id, callId, 'nobody knows'),
      );
      expect(await readBack(receipt(30), IN_EFFECT, evidence)).toMatchObject({ state: 'needs-review' });
    });

    it('is doubtful where somebody else received something else', async () => {
      await byHand(receipt(5));
      expect(await readBack(receipt(30), IN_EFFECT, evidence)).toMatchObject({
        state: 'needs-review',
        reason: '65.00 is open on the schedule, where 100.00 was open without it',
      });
    });

    it('is doubtful where it is not known what was open', async () => {
      expect(await readBack(receipt(30), IN_EFFECT)).toMatchObject({
        state: 'needs-review',
        reason: expect.stringContaining('not known what was open') as string,
      });
    });

    it('is doubtful where the schedule is not listed any more, or not by Ponte', async () => {
      await database.prisma.remoteSchedule.deleteMany();
      expect(await readBack(receipt(30), IN_EFFECT, evidence)).toMatchObject({ state: 'needs-review' });
      await own(await made({ operation: 'customers.create', body: { name: 'Rui' } }));
      finance.pass(60_000);
      const [lost] = (await finance.rows()).filter(({ state }) => state === 'unknown');
      expect(await find(lost!.id)).toMatchObject({
        state: 'needs-review',
        reason: expect.stringContaining('does not list the schedule') as string,
      });
    });

    it('is looked for again where the service cannot be read', async () => {
      const { callId } = await readBack(receipt(30), IN_EFFECT, evidence);
      service.forecast.add([{ request: 'GET /customers', fault: { kind: 'garbage', applied: false } }]);
      expect(await find(callId)).toMatchObject({ state: 'unknown' });
    });
  });
});

describe('an account', () => {
  const account = (body: object = {}): CallContent => ({
    operation: 'accounts.create',
    body: { name: 'till', openBalance: 10, dateOfOpenBalance: '2026-01-01', ...body },
  });
  const before: string[] = [];

  it('is found by name, opening balance and date among those not known before', async () => {
    await byHand(account({ name: 'Till' }));
    await byHand(account({ openBalance: 11 }));
    await byHand(account({ dateOfOpenBalance: '2026-01-02' }));
    const old = await byHand(account());
    expect(await readBack(account(), IN_EFFECT, { before: [old] })).toMatchObject({
      state: 'applied',
      output: { id: lastEffect().id },
    });
  });

  it("may be sent again where none is there but other calls'", async () => {
    await made(account());
    expect(await readBack(account(), WITHOUT_EFFECT, { before })).toMatchObject({ state: 'planned' });
  });

  it('is doubtful where two are there, or it is not known what was there before', async () => {
    await byHand(account());
    expect(await readBack(account(), WITHOUT_EFFECT)).toMatchObject({ state: 'needs-review' });
    expect(await readBack(account(), IN_EFFECT, { before })).toMatchObject({ state: 'needs-review' });
  });

  it('is doubtful where the service gives only a part of its accounts', async () => {
    const body = { items: [{ id: newId(), name: 'main' }], count: 2 };
    const finding = await readBackFrom(() => ({ body }), account(), { evidence: { before } });
    expect(finding).toMatchObject({ state: 'needs-review' });
  });

  it.each([{ openBalance: null }, { dateOfOpenBalance: null }, { openBalance: 'ten' }])(
    'is doubtful where one is there that cannot be told from it: %j',
    async (unread) => {
      const item = { id: newId(), ...account().body, ...unread };
      const finding = await readBackFrom(() => ({ body: [item] }), account(), { evidence: { before } });
      expect(finding).toMatchObject({ state: 'needs-review' });
    },
  );

  it('is looked for again where the service cannot be read', async () => {
    const { callId } = await readBack(account(), IN_EFFECT, { before });
    service.forecast.add([{ request: 'GET /accounts', fault: { kind: 'cut-within-answer' } }]);
    expect(await find(callId)).toMatchObject({ state: 'unknown' });
  });
});

describe('a movement on an account', () => {
  const body = { accountId: MAIN_ACCOUNT, value: 12.5, date: '2026-03-10', description: 'rent' };
  const between = { originAccountId: MAIN_ACCOUNT, destinyAccountId: OTHER_ACCOUNT };

  it.each<[CallContent, string]>([
    [{ operation: 'payments.register', body }, `; the balance of account ${MAIN_ACCOUNT} is -912.5 now`],
    [{ operation: 'receipts.register', body }, `; the balance of account ${MAIN_ACCOUNT} is -887.5 now`],
    [
      { operation: 'accounts.transfer', body: { ...between, value: 12.5, date: '2026-03-10' } },
      `; the balance of account ${MAIN_ACCOUNT} is -912.5 now; the balance of account ${OTHER_ACCOUNT} is 12.5 now`,
    ],
  ])('is doubtful, with what a person may know it by: %j', async (content, hint) => {
    expect(await readBack(content, IN_EFFECT)).toMatchObject({
      state: 'needs-review',
      reason:
        'the finance interface does not list movements of an account, so nothing shows whether this took effect: ' +
        `look in the finance service for 12.50 of 2026-03-10${hint}`,
    });
  });

  it('is looked for again where the balance cannot be read', async () => {
    const { callId } = await readBack({ operation: 'payments.register', body }, IN_EFFECT);
    service.forecast.add([{ request: 'GET /accounts/views', fault: { kind: 'reset' } }]);
    expect(await find(callId)).toMatchObject({ state: 'unknown' });
  });
});

describe('a removal', () => {
  const path = { ScheduleId: PAYABLE, PaymentId: PAYMENT };
  const removal: CallContent = { operation: 'payments.remove', path };

  it.each([IN_EFFECT, WITHOUT_EFFECT])('is done once, however it was lost: %j', async (fault) => {
    const key = newId();
    service.forecast.add([{ fault }]);
    expect(await make(removal, { key })).toMatchObject({ state: 'unknown' });
    await finance.laterOn();
    expect(await make(removal, { key })).toMatchObject({ state: 'applied', output: {} });
    expect(service.judge.effects.map(({ id }) => id)).toEqual([PAYMENT]);
    expect(await make({ ...removal }, { key: newId() })).toMatchObject({ state: 'rejected' });
  });
});
