import { listenForAlarms } from '../../../../test/support/alarms';
import { scheduleEffect } from '../../../../test/support/company';
import { openTestDatabase } from '../../../../test/support/database';
import { connectionTo, httpWire } from '../../../../test/support/http-finance';
import { RemoteFinance } from '../../../../test/support/remote-finance';
import { StubService } from '../../../../test/support/stub-service';
import type { Database } from '../../../database/database';
import { newId } from '../../../kernel/identifier';

let database: Database;
let service: StubService;
let finance: RemoteFinance;
/** What the service lists, by whether it was asked with a filter. */
let lists: (filtered: boolean) => object[];

beforeAll(async () => {
  listenForAlarms();
  database = await openTestDatabase();
});
beforeEach(async () => {
  service = await StubService.start();
  service.answer = (response, { method, url }) => {
    const body = method === 'POST' ? first.scheduleId : lists(url.includes('$filter='));
    response.writeHead(200).end(JSON.stringify(body));
  };
  finance = await RemoteFinance.open(database, httpWire(), connectionTo({ url: service.url() }));
});
afterEach(() => service.stop());
afterAll(() => database.close());

const [first, second] = [instalment('2026-04-10'), instalment('2026-05-10')];

function instalment(dueDate: string) {
  const amounts = { value: 50, openValue: 50 };
  return { scheduleId: newId(), ...amounts, dueDate, reference: 'order/1', type: 'Credit' };
}

const effect = scheduleEffect('order/1', {
  customer: newId(),
  instalments: [
    { value: '50.00', dueDate: '2026-04-10' },
    { value: '50.00', dueDate: '2026-05-10' },
  ],
});
const output = { id: first.scheduleId, all: [first.scheduleId, second.scheduleId] };

it('finds the instalments by its reference, by due date', async () => {
  lists = () => [second, first];
  expect(await finance.apply(effect)).toEqual({ state: 'applied', output, attention: [] });
});

it('finds the instalments where the filter means something else to the service', async () => {
  lists = (filtered) => (filtered ? [] : [first, second]);
  expect(await finance.apply(effect)).toMatchObject({ state: 'applied', output });
});

it('finds the instalments where the service writes days as midnight in UTC', async () => {
  const inUtc = ({ dueDate, ...item }: typeof first) => ({ ...item, dueDate: `${dueDate}T00:00:00Z` });
  lists = () => [inUtc(first), inUtc(second)];
  expect(await finance.apply(effect)).toMatchObject({ state: 'applied', output });
});

it('waits for instalments that do not show yet, and leaves them to a person in the end', async () => {
  lists = () => [first];
  const waiting = { state: 'pending', reason: expect.stringContaining('lists 1 instalments') as string };
  expect(await finance.apply(effect)).toMatchObject(waiting);
  finance.pass(20 * 30_000 - 1);
  expect(await finance.apply(effect)).toMatchObject(waiting);
  finance.pass(1);
  expect(await finance.apply(effect)).toMatchObject({ state: 'refused', code: 'effect-unknown' });
  lists = () => [first, second];
  expect(await finance.apply(effect)).toMatchObject({ state: 'applied', output });
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});
