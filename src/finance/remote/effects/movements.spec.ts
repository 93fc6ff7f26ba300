import { listenForAlarms } from '../../../../test/support/alarms';
import { openTestDatabase } from '../../../../test/support/database';
import { connectionTo, httpWire, MAIN_ACCOUNT } from '../../../../test/support/http-finance';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { StubService } from '../../../../test/support/stub-service';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';
import type { PlannedEffect } from '../../api/effects/effect';

let database: Database;
let service: StubService;
let finance: RemoteFinance;
/** How the service answers what would change something. */
let status: number;
const [bank, category, made] = [newId(), newId(), newId()];

beforeAll(async () => {
  listenForAlarms();
  database = await openTestDatabase();
});
beforeEach(async () => {
  status = 200;
  service = await StubService.start();
  service.answer = (response, { method, url }) => {
    if (method === 'GET') response.writeHead(200).end(JSON.stringify({ items: [], count: 0 }));
    else if (status !== 200) response.writeHead(status).end();
    else if (url.includes('transfer')) response.writeHead(204).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(made));
  };
  finance = await RemoteFinance.open(database, httpWire(), connectionTo({ url: service.url() }));
});
afterEach(() => service.stop());
afterAll(() => database.close());

const payment: PlannedEffect = {
  key: 'payment/shop/order/1/refund/2',
  operation: 'payment.register',
  amount: '20.00',
  input: {
    ...{ account: MAIN_ACCOUNT, value: '20.00', date: '2026-03-10', description: 'Refund', category },
    reference: 'shop/order/1/refund/2',
  },
};

const transfer: PlannedEffect = {
  key: 'transfer/shop/payout/9',
  operation: 'transfer.make',
  amount: '55.07',
  input: { from: MAIN_ACCOUNT, to: bank, value: '55.07', date: '2026-03-11' },
};

const sent = () => service.requests.filter(({ method }) => method !== 'GET');

it('registers a payment once for its key, with what the effect says', async () => {
  const first = await finance.apply(payment);
  expect(first).toEqual({ state: 'applied', output: { id: made }, attention: [] });
  expect(await finance.apply(payment)).toEqual({ ...first, state: 'existing' });
  expect(sent().map(({ url, body }) => [url.split('?')[0], JSON.parse(body) as unknown])).toEqual([
    [
      expect.stringMatching(/\/payments$/),
      {
        ...{ accountId: MAIN_ACCOUNT, categoryId: category, value: 20, date: '2026-03-10' },
        ...{ description: 'Refund', reference: 'shop/order/1/refund/2' },
      },
    ],
  ]);
});

it('makes a transfer once for its key', async () => {
  const first = await finance.apply(transfer);
  expect(first).toEqual({ state: 'applied', output: {}, attention: [] });
  expect(await finance.apply(transfer)).toEqual({ ...first, state: 'existing' });
  expect(sent().map(({ url, body }) => [url.split('?')[0], JSON.parse(body) as unknown])).toEqual([
    [
      expect.stringMatching(/\/accounts\/transfer$/),
      { originAccountId: MAIN_ACCOUNT, destinyAccountId: bank, value: 55.07, date: '2026-03-11' },
    ],
  ]);
});

it.each([
  ['payment', payment],
  ['transfer', transfer],
])('never repeats a %s whose outcome nobody knows: a person decides', async (_what, effect) => {
  status = 500;
  expect(await finance.apply(effect)).toMatchObject({ state: 'pending' });
  await finance.laterOn();
  status = 200;
  const result = await finance.apply(effect);
  expect(result).toMatchObject({ state: 'refused', code: 'effect-unknown' });
  expect(sent()).toHaveLength(1);
  const [row] = await finance.rows();
  // What a dead letter says of it: what to do, and with which effect.
  expect(result).toMatchObject({
    reason: `an operator has to adopt, repeat or abandon effect ${row!.id}: ${row!.reason}`,
  });
  expect(row!.reason).toContain(
    `look in the finance service for ${effect.input.value} of ${effect.input.date}`,
  );
});

it('is refused where the service refuses it, and may be asked for again', async () => {
  status = 422;
  expect(await finance.apply(payment)).toMatchObject({ state: 'refused' });
  status = 200;
  expect(await finance.apply(payment)).toMatchObject({ state: 'applied', output: { id: made } });
});

it.each([
  ['nothing', { ...payment, amount: '0.00', input: { ...payment.input, value: '0.00' } }],
  ['a category by its code', { ...payment, input: { ...payment.input, category: '2.1.06' } }],
  ['an account that is not there', { ...transfer, input: { ...transfer.input, to: 'nowhere' } }],
])('is refused before anything is sent for %s', async (_what, effect) => {
  expect(await finance.apply(effect as PlannedEffect)).toMatchObject({ state: 'refused' });
  expect(sent()).toEqual([]);
});
