import type { Database } from '../../../src/database/database';
import type { CallContent } from '../../../src/finance/remote/calls/call';
import { changeOfCall } from '../../../src/finance/remote/calls/announced-call';
import type { StoredCall } from '../../../src/finance/remote/calls/call-states';
import { SERVED, type Operation, type OperationId } from '../../../src/finance/api/operations/operations';
import { writeCall } from '../../../src/finance/remote/calls/call-writes.repository';
import { newId } from '../../../src/kernel/identifier';
import { openTestDatabase } from '../../support/database';
import { RemoteFinance } from '../../support/remote-finance';
import { type Fate, SimulatedService } from '../../support/simulated-service';
import { feedChangesOf } from '../../support/feed-changes';

const CHANGING = SERVED.filter(({ effect }) => effect !== 'read');

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

describe('a call to a remote finance service', () => {
  const CUSTOMER: CallContent = { operation: 'customers.create', body: { name: 'Lia Campos' } };

  /** One request to `/v1`, as it goes on. */
  async function request(fate: Fate) {
    const service = new SimulatedService();
    service.fates.push(fate);
    const finance = await RemoteFinance.open(database, service);
    const { organization } = finance;
    const name = { organizationId: organization.id, effectKey: `v1/${newId()}`, part: 1 };
    const result = await finance.calls.make(SimulatedService.connection(organization.id), name, CUSTOMER);
    return { finance, result, announced: () => feedChangesOf(database, organization.id) };
  }

  it('is announced when its outcome is written, with what was sent and what came of it', async () => {
    const { result, announced } = await request('succeeded');
    const { id } = (result as { output: { id: string } }).output;
    expect(await announced()).toEqual([
      {
        type: 'customer.created',
        subject: `customer/${id}`,
        businessKey: null,
        deliveryId: null,
        data: { id, name: 'Lia Campos' },
      },
    ]);
  });

  it.each(['refused', 'not-sent'] as const)('is not announced when it was %s', async (fate) => {
    const { announced } = await request(fate);
    expect(await announced()).toEqual([]);
  });

  it('is announced when an operator decides that it took effect, and not before', async () => {
    const { finance, announced } = await request('unknown-applied');
    await finance.laterOn();
    expect(await announced()).toEqual([]);
    const [row] = await finance.rows();
    const recordId = newId();
    await database.transaction((tx) =>
      finance.decisions.adopt(tx, finance.organization.id, row!.id, recordId, 'it is there'),
    );
    expect((await announced()).map(({ subject }) => subject)).toEqual([`customer/${recordId}`]);
  });

  it('is announced once, also when it was in doubt again and found again', async () => {
    const { finance, announced } = await request('succeeded');
    const [row] = await finance.rows();
    const now = finance.clock.now();
    await database.transaction(async (tx) => {
      const stored = await finance.repository.lockById(tx, row!.id);
      await writeCall(tx, stored!, { state: 'needs-review' }, now);
    });
    await database.transaction((tx) =>
      finance.decisions.adopt(tx, finance.organization.id, row!.id, newId(), 'it is there once'),
    );
    expect(await announced()).toHaveLength(1);
  });
});

describe('what is announced of a call', () => {
  const [RECORD, SCHEDULE, PAYMENT, ACCOUNT, CENTER, CUSTOMER] = Array.from({ length: 6 }, newId) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  const path: Record<string, string> = {
    ScheduleId: SCHEDULE,
    PaymentId: PAYMENT,
    AccountId: ACCOUNT,
    CostCenterId: CENTER,
    CustomerId: CUSTOMER,
  };

  function call(row: Operation): StoredCall {
    const names = [...row.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    return {
      id: 'the-call',
      organizationId: 'the-organization',
      effectKey: 'order/1',
      part: 1,
      content: {
        operation: row.id as OperationId,
        path: Object.fromEntries(names.map((name) => [name, path[name]!.toUpperCase()])),
        body: { value: 1 },
      },
      evidence: {},
      state: 'applied',
      attempts: 1,
      nextAt: null,
      reconcileAttempts: 0,
      abandonedFrom: null,
      reason: null,
      output: row.response === 'identifier' ? { id: RECORD } : {},
      deliveryId: 'the-delivery',
      updatedAt: new Date(),
    };
  }

  const TOLD: Record<string, [type: string, recordId: string, data: object]> = {
    'customers.create': ['customer.created', RECORD, { id: RECORD }],
    'customers.update': ['customer.updated', CUSTOMER, { id: CUSTOMER }],
    'schedules.createCredit': ['credit-schedule.created', RECORD, { scheduleId: RECORD }],
    'payments.register': ['payment.registered', RECORD, { entryId: RECORD }],
    'receipts.register': ['receipt.registered', RECORD, { entryId: RECORD }],
    'receipts.registerForSchedule': ['receipt.registered', 'the-call', { scheduleId: SCHEDULE }],
    'costCenters.update': ['cost-center.updated', CENTER, { costCenterId: CENTER }],
    'accounts.transfer': ['transfer.made', 'the-call', {}],
    'payments.remove': ['payment.deleted', PAYMENT, { entryId: PAYMENT, scheduleId: SCHEDULE }],
    'accounts.update': ['account.updated', ACCOUNT, { id: ACCOUNT }],
    'accounts.create': ['account.created', RECORD, { id: RECORD }],
  };

  it.each(CHANGING.map((row) => [`${row.method} ${row.path}`, row] as const))('%s', (_name, row) => {
    const [type, recordId, data] = TOLD[row.id]!;
    expect(changeOfCall(call(row))).toEqual({
      organizationId: 'the-organization',
      type,
      recordId,
      businessKey: 'order/1',
      deliveryId: 'the-delivery',
      data: { ...data, value: 1 },
    });
  });
});
