import { randomBytes } from 'node:crypto';
import type { Response } from 'supertest';
import { FinanceModule } from '../../src/finance/finance.module';
import { ConnectionsRepository } from '../../src/finance/remote/connections/connections.repository';
import { Reconciler } from '../../src/finance/remote/reconciliation/reconciler';
import { newId } from '../../src/kernel/identifier';
import { FaultyFinance } from '../faulty-finance/faulty-finance';
import type { Fault } from '../faulty-finance/fault';
import { problemOf, refusalOf } from '../support/finance-client';
import { SettableClock } from '../support/settable-clock';
import { TestingApp } from '../support/testing-app';

const MINUTE_MS = 60_000;
const ACCOUNT = newId();
const COMPANY = {
  organization: 'acme',
  apiKey: 'key-of-acme',
  uniqueDocuments: true,
  refusesOverpayment: true,
  accounts: [{ id: ACCOUNT, name: 'Main' }],
  categories: [],
  costCenters: [],
};
const LOST: Fault = { kind: 'cut-before-headers' };
const NEVER_THERE: Fault = { kind: 'reset' };

let service: FaultyFinance;
let testing: TestingApp;
let clock: SettableClock;
let key: string;
let organizationId: string;
/** How much had been asked of the service, and had taken effect, before the test. */
let before: { requests: number; effects: number };

beforeAll(async () => {
  service = await FaultyFinance.start([COMPANY]);
  clock = new SettableClock('2026-03-10T15:00:00Z');
  testing = await TestingApp.open({
    imports: [FinanceModule],
    clock,
    env: {
      FINANCE_BACKEND: 'remote',
      FINANCE_BASE_URL: service.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
    },
  });
});
/** Each test has an organization of its own, all of them before the same books. */
beforeEach(async () => {
  before = { requests: service.judge.requests.length, effects: service.judge.effects.length };
  const organization = await testing.makeOrganization();
  organizationId = organization.id;
  const connection = { organization: COMPANY.organization, limits: { perSecond: 1_000 } };
  await testing.database.transaction((tx) =>
    testing.app.get(ConnectionsRepository).put(tx, organizationId, connection, COMPANY.apiKey),
  );
  ({ key } = await testing.makeKey(organization, 'finance:read', 'finance:write'));
});
afterAll(async () => {
  await testing.close();
  await service.stop();
});

async function post(path: string, body: object, idempotencyKey = newId()): Promise<Response> {
  clock.set(new Date(clock.now().getTime() + 1_000).toISOString());
  return testing.http.post(`/v1${path}`).set({ apitoken: key, 'idempotency-key': idempotencyKey }).send(body);
}

/** The record that a creation answered with. */
function madeBy(reply: Response): string {
  expect([reply.status, reply.text]).toEqual([200, expect.stringMatching(/^"[0-9a-f-]{36}"$/)]);
  return reply.body as string;
}

async function customer(): Promise<string> {
  return madeBy(await post('/customers', { name: 'Lia Campos' }));
}

const schedule = (stakeholderId: string, more: object = {}) =>
  [
    '/schedules/credit/FormatType=json',
    { stakeholderId, value: 100, dueDate: '2026-04-10', description: 'An order', ...more },
  ] as const;

/** Lets the service settle and has what is unknown read back. */
async function readBack(): Promise<void> {
  clock.set(new Date(clock.now().getTime() + 5 * MINUTE_MS).toISOString());
  await testing.app.get(Reconciler).reconcile();
}

function effectsOf(operation: string): { id: string; minor: number }[] {
  return service.judge.effects.slice(before.effects).filter((effect) => effect.operation === operation);
}

function asked(operation: string): number {
  const requests = service.judge.requests.slice(before.requests);
  return requests.filter((request) => request.operation.startsWith(operation)).length;
}

describe('a creation whose answer is lost', () => {
  it.each([
    ['with a reference', { reference: 'order/7' }],
    ['without one', {}],
    ['in instalments', { instalment: [1, 2].map((month) => ({ value: 50, dueDate: `2026-0${month}-10` })) }],
  ])('is found again: a receivable %s', async (_name, more) => {
    const lia = await customer();
    await post(...schedule(lia, more));
    service.forecast.add([{ request: 'POST /schedules/credit', fault: LOST }]);
    const first = await post(...schedule(lia, more), 'a');
    expect(refusalOf(first)).toBe('504 outcome-unknown');
    await readBack();
    const again = await post(...schedule(lia, more), 'a');
    const made = effectsOf('POST /schedules/credit');
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, 'true']);
    expect(madeBy(again)).toBe(made[made.length / 2]?.id);
    expect(asked('POST /schedules/credit')).toBe(2);
  });

  it('is found again: an account beside another of the same name', async () => {
    const account = { name: 'Branch', openBalance: 10, dateOfOpenBalance: '2026-03-01' };
    await post('/accounts', account);
    service.forecast.add([{ request: 'POST /accounts', fault: LOST }]);
    expect(refusalOf(await post('/accounts', account, 'a'))).toBe('504 outcome-unknown');
    await readBack();
    const [, second] = effectsOf('POST /accounts');
    expect(madeBy(await post('/accounts', account, 'a'))).toBe(second?.id);
    expect(asked('POST /accounts')).toBe(2);
  });

  it('is sent again by who asks again, where it is not there', async () => {
    const lia = await customer();
    service.forecast.add([{ request: 'POST /schedules/credit', fault: NEVER_THERE }]);
    expect(refusalOf(await post(...schedule(lia), 'a'))).toBe('504 outcome-unknown');
    await readBack();
    const [made, ...others] = [
      madeBy(await post(...schedule(lia), 'a')),
      madeBy(await post(...schedule(lia), 'a')),
    ];
    expect(effectsOf('POST /schedules/credit').map(({ id }) => id)).toEqual([made]);
    expect(others).toEqual([made]);
  });
});

describe('a receipt whose answer is lost', () => {
  const receipt = (id: string, value: number) =>
    [`/schedules/credit/${id}/receipts`, { accountId: ACCOUNT, date: '2026-03-10', value }] as const;

  it.each([
    ['and that was received', LOST, 1],
    ['and that never arrived', NEVER_THERE, 2],
  ])('%s, is one receipt in the end', async (_name, fault, sent) => {
    const id = madeBy(await post(...schedule(await customer())));
    await post(...receipt(id, 30));
    service.forecast.add([{ request: 'POST /schedules/credit', fault }]);
    const askedBefore = asked('POST /schedules/credit');
    expect(refusalOf(await post(...receipt(id, 30), 'a'))).toBe('504 outcome-unknown');
    await readBack();
    expect((await post(...receipt(id, 30), 'a')).status).toBe(204);
    expect(asked('POST /schedules/credit') - askedBefore).toBe(sent);
    const open = await testing.http
      .get(`/v1/customers/${await stakeholderOf(id)}/schedules`)
      .set('apitoken', key);
    expect((open.body as { openValue: number }[])[0]?.openValue).toBe(40);
  });

  it('is left to a person where the schedule was not made through Ponte', async () => {
    const id = madeBy(await post(...schedule(await customer())));
    await testing.database.prisma.remoteSchedule.deleteMany({ where: { organizationId } });
    service.forecast.add([{ request: 'POST /schedules/credit', fault: LOST }]);
    await post(...receipt(id, 30), 'a');
    await readBack();
    const reply = problemOf(await post(...receipt(id, 30), 'a'));
    expect([reply['error'], reply['detail']]).toEqual([
      'outcome-unknown',
      expect.stringContaining('an operator decides'),
    ]);
  });

  it('can be found for a schedule that was itself found', async () => {
    const lia = await customer();
    service.forecast.add([{ request: 'POST /schedules/credit', fault: LOST }]);
    await post(...schedule(lia), 'a');
    await readBack();
    const [made] = effectsOf('POST /schedules/credit');
    expect(await stakeholderOf(made?.id ?? '')).toBe(lia);
  });

  async function stakeholderOf(scheduleId: string): Promise<string | undefined> {
    const where = { organizationId_scheduleId: { organizationId, scheduleId } };
    return (await testing.database.prisma.remoteSchedule.findUnique({ where }))?.stakeholderId;
  }
});

describe('a write before which the service has to be read', () => {
  it('is not sent when the service does not answer', async () => {
    const lia = await customer();
    service.forecast.add([{ request: 'GET /customers', fault: { kind: 'error-500', applied: false } }]);
    const refused = problemOf(await post(...schedule(lia), 'a'));
    expect([refused['error'], refused['detail']]).toEqual([
      'finance-unreachable',
      expect.stringContaining('nothing was changed'),
    ]);
    expect(asked('POST /schedules/credit')).toBe(0);
    expect(madeBy(await post(...schedule(lia), 'a'))).toBe(effectsOf('POST /schedules/credit')[0]?.id);
  });

  it('is sent, for the service to judge, when it refuses to be read', async () => {
    const reply = await post(...schedule(newId()));
    expect(refusalOf(reply)).toBe('404 not-found');
    expect(asked('POST /schedules/credit')).toBe(1);
  });

  it('costs no reading where it is answered already', async () => {
    const lia = await customer();
    await post(...schedule(lia), 'a');
    const askedBefore = service.judge.requests.length;
    await post(...schedule(lia), 'a');
    expect(refusalOf(await post(...schedule(lia, { value: 1 }), 'a'))).toBe('422 idempotency-key-reused');
    expect(service.judge.requests.length).toBe(askedBefore);
  });
});
