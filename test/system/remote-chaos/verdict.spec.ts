import { Judge } from '../../faulty-finance/judge';
import type { Fault } from '../../faulty-finance/fault';
import type { PonteRecords } from './ponte-records';
import { CLEAN, verdictOn, type CompanyOrder, type Verdict } from './verdict';

const ORDER: CompanyOrder = {
  organization: 'lax',
  id: 7,
  number: 7,
  total: '100.00',
  totalMinor: 100_00n,
  name: 'Lia',
  document: '123',
  email: 'lia@example.com',
  instalments: 2,
};
const WEBHOOK = { topic: 'orders/paid', id: 'p-7', body: Buffer.from('') };
const DELIVERY = { dedupeKey: 'shopify/p-7', lane: '1/order/7', state: 'done', reason: null };
const DELIVERIES = [DELIVERY];
const RUN = { businessKey: 'shopify/order/7', organization: 'lax', state: 'done', parkedEffects: [] };
const DONE: PonteRecords = { deliveries: DELIVERIES, runs: [RUN], parkedCalls: [] };
const PARKED: PonteRecords = {
  deliveries: DELIVERIES,
  runs: [{ ...RUN, state: 'refused', parkedEffects: ['customer/1'] }],
  parkedCalls: [
    {
      organization: 'lax',
      operation: 'customers.create',
      request: { body: { document: { number: '123' } } },
      outcomes: ['unknown: 500'],
    },
  ],
};

let judge: Judge;

beforeEach(() => {
  judge = new Judge();
});

function ask(identity: string, fault: Fault = { kind: 'none' }): void {
  judge.asked('POST', [identity], fault);
}

function take(identity: string, id: string, minor = 0): void {
  judge.applied([{ operation: 'POST', identity, id, minor }]);
}

function takeOrder(): void {
  take('lax: customer 123', 'c');
  take('lax: schedule shopify/order/7 2026-01-01', 's1', 60_00);
  take('lax: schedule shopify/order/7 2026-02-01', 's2', 40_00);
  take('lax: receipt s1 p', 'r1', 60_00);
  take('lax: receipt s2 p', 'r2', 40_00);
}

function verdict(records: PonteRecords): Verdict {
  const testimony = { report: judge.report(), effects: judge.effects, requests: judge.requests };
  return verdictOn(records, [ORDER], [WEBHOOK], testimony).verdict;
}

describe('the verdict on an order', () => {
  it('is clean when Ponte says that it is done and the judge saw all of it once', () => {
    takeOrder();
    expect(verdict(DONE)).toEqual(CLEAN);
  });

  it.each([0, 1, 2, 3, 4])('finds what is lost when effect %i of it is missing', (missing) => {
    takeOrder();
    judge.effects.splice(missing, 1);
    expect(verdict(DONE).lost).toHaveLength(1);
  });

  it('finds a webhook that was acknowledged and is not stored', () => {
    takeOrder();
    expect(verdict({ ...DONE, deliveries: [] }).lost).toEqual(['webhook p-7']);
  });

  it('finds what took effect twice', () => {
    takeOrder();
    take('lax: receipt s2 p', 'r3', 40_00);
    expect(verdict(DONE).duplicated).toEqual(['lax: receipt s2 p']);
  });

  it('finds a schedule on which more was received than it is for, also of an order that is parked', () => {
    takeOrder();
    take('lax: receipt s2 another', 'r3', 1);
    const wrong = ['lax: schedule shopify/order/7 s2: 4001 received on 4000'];
    expect(verdict(DONE).wrong).toEqual(wrong);
    expect(verdict(PARKED).wrong).toEqual(wrong);
  });

  it('finds what was sent again and was refused by luck', () => {
    takeOrder();
    ask('lax: receipt s2 p');
    ask('main: customer 123');
    take('main: customer 123', 'c');
    ask('main: customer 123');
    expect(verdict(DONE).sentAgain).toEqual(['lax: receipt s2 p']);
  });

  it('finds a delivery that waits', () => {
    takeOrder();
    expect(verdict({ ...DONE, deliveries: [{ ...DELIVERY, state: 'waiting' }] }).unsettled).toBe(1);
  });

  it('finds an order that is neither done nor parked', () => {
    takeOrder();
    const refused = { ...RUN, state: 'refused' };
    const dead = { ...DELIVERY, state: 'dead', reason: 'no use' };
    expect(verdict({ ...DONE, deliveries: [dead], runs: [refused] }).untrue).toEqual([
      'lax 7 is neither done nor parked: no use',
    ]);
    expect(verdict({ ...DONE, runs: [] }).untrue).toHaveLength(1);
  });
});

describe('the verdict on a parked order', () => {
  it('is clean when what became of the customer was hidden', () => {
    ask('lax: customer 123', { kind: 'error-500', applied: true });
    take('lax: customer 123', 'c');
    expect(verdict(PARKED)).toEqual(CLEAN);
  });

  it('is clean when whoever sent it was killed', () => {
    const [call] = PARKED.parkedCalls;
    expect(verdict({ ...PARKED, parkedCalls: [{ ...call!, outcomes: [null] }] })).toEqual(CLEAN);
  });

  it('is clean when the answer came too late', () => {
    ask('lax: customer 123');
    const [call] = PARKED.parkedCalls;
    const late = { ...call!, outcomes: ['unknown: no answer in time'] };
    expect(verdict({ ...PARKED, parkedCalls: [late] })).toEqual(CLEAN);
  });

  it.each([
    [true, []],
    [false, ['lax: customer 123 is parked although nothing was hidden']],
  ])("is clean when the connection broke because of another's fault: %s", (isSo, untrue) => {
    if (isSo) ask('lax: customer 456', { kind: 'down', forMs: 100 });
    const [call] = PARKED.parkedCalls;
    const broken = { ...call!, outcomes: ['unknown: the connection broke before an answer came'] };
    expect(verdict({ ...PARKED, parkedCalls: [broken] }).untrue).toEqual(untrue);
  });

  it.each<Fault>([{ kind: 'none' }, { kind: 'busy', status: 429 }])(
    'is untrue when the service told: %j',
    (fault) => {
      ask('lax: customer 123', fault);
      expect(verdict(PARKED).untrue).toEqual(['lax: customer 123 is parked although nothing was hidden']);
    },
  );

  it('is untrue when it could have been found', () => {
    ask('lax: customer 123', { kind: 'reset' });
    const [call] = PARKED.parkedCalls;
    const schedule = { ...call!, operation: 'schedules.createCredit' };
    const strict = { ...call!, organization: 'main' };
    expect(verdict({ ...PARKED, parkedCalls: [schedule, strict] }).untrue).toEqual([
      'lax: schedules.createCredit is parked although it can be found',
      'main: customers.create is parked although it can be found',
    ]);
  });
});
