import { SettableClock } from '../../../../test/support/settable-clock';
import { SimulatedService } from '../../../../test/support/simulated-service';
import { newId } from '../../../kernel/identifier';
import type { FinanceConnection } from '../client/connection';
import { ReadCache, type ReadCall } from './read-cache';

const START = Date.parse('2026-03-10T15:00:00Z');
const ACCOUNTS: ReadCall = { operation: 'accounts.list', path: {}, query: { $top: '10' } };

let clock: SettableClock;
let cache: ReadCache;
let asked: number;
let connection: FinanceConnection;

beforeEach(() => {
  clock = new SettableClock(new Date(START).toISOString());
  cache = new ReadCache(clock);
  asked = 0;
  connection = SimulatedService.connection(newId(), { cacheMs: 1_000 });
});

/** Asks; whoever is really asked answers with how often it was. */
function read(call = ACCOUNTS, by = connection): Promise<unknown> {
  return cache.read(by, call, async () => ({ items: [(asked += 1)] }));
}

function at(milliseconds: number): void {
  clock.set(new Date(START + milliseconds).toISOString());
}

/** Something to be asked whose answer comes when it is told to. */
function slow() {
  let answer: (value: unknown) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<unknown>((resolve, reject) => {
    answer = resolve;
    fail = reject;
  });
  const ask = (): Promise<unknown> => {
    asked += 1;
    return promise;
  };
  return { ask, answer, fail };
}

it('answers the same again for as long as the connection says', async () => {
  expect(await read()).toEqual({ items: [1] });
  at(999);
  expect(await read()).toEqual({ items: [1] });
  at(1_001);
  expect(await read()).toEqual({ items: [2] });
});

it('counts from when it was asked, not from when the answer came', async () => {
  const { ask, answer } = slow();
  const first = cache.read(connection, ACCOUNTS, ask);
  at(900);
  answer('old');
  expect(await first).toBe('old');
  at(1_001);
  expect(await read()).toEqual({ items: [2] });
});

it('keeps nothing, and lets nobody wait for another, where the connection does not allow it', async () => {
  const strict = { ...connection, cacheMs: 0 };
  await read();
  expect(await Promise.all([read(ACCOUNTS, strict), read(ACCOUNTS, strict)])).toEqual([
    { items: [2] },
    { items: [3] },
  ]);
});

it('asks once for all who ask the same at once', async () => {
  const { ask, answer } = slow();
  const all = [1, 2, 3].map(() => cache.read(connection, ACCOUNTS, ask));
  answer('shared');
  expect([await Promise.all(all), asked]).toEqual([['shared', 'shared', 'shared'], 1]);
});

it('gives a failure to all who waited for it, and keeps it not', async () => {
  const { ask, fail } = slow();
  const all = [1, 2].map(() => cache.read(connection, ACCOUNTS, ask));
  fail(new Error('down'));
  expect((await Promise.allSettled(all)).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await read()).toEqual({ items: [2] });
});

it('forgets what an organization was answered, and others not', async () => {
  const other = SimulatedService.connection(newId(), { cacheMs: 1_000 });
  await read();
  await read(ACCOUNTS, other);
  cache.forget(connection.organizationId);
  expect(await read()).toEqual({ items: [3] });
  expect(await read(ACCOUNTS, other)).toEqual({ items: [2] });
});

it('neither keeps nor shares what was on its way when something changed', async () => {
  const { ask, answer } = slow();
  const before = cache.read(connection, ACCOUNTS, ask);
  cache.forget(connection.organizationId);
  expect(await read()).toEqual({ items: [2] });
  answer('from before');
  expect(await before).toBe('from before');
  expect(await read()).toEqual({ items: [2] });
});

it.each<[string, Partial<ReadCall>, Partial<FinanceConnection>]>([
  ['organization', {}, { organizationId: newId() }],
  ['operation', { operation: 'suppliers.list' }, {}],
  ['path', { path: { CustomerId: newId() } }, {}],
  ['query', { query: { $top: '11' } }, {}],
  ['key', {}, { apiKey: 'another' }],
  ['service', {}, { baseUrl: 'https://others.example/v1' }],
  ['name there', {}, { organization: 'another' }],
  ['form', {}, { form: 'xml' }],
  ['place of the key', {}, { credential: 'bearer' }],
])('does not take one %s for another', async (_what, call, settings) => {
  await read();
  expect(await read({ ...ACCOUNTS, ...call }, { ...connection, ...settings })).toEqual({ items: [2] });
  expect(await read(ACCOUNTS, { ...connection })).toEqual({ items: [1] });
});

it('gives everybody an answer of their own', async () => {
  const mine = (await read()) as { items: number[] };
  mine.items.push(7);
  expect(await read()).toEqual({ items: [1] });
});

it('keeps a thousand answers, the latest used', async () => {
  const nth = (index: number): ReadCall => ({ ...ACCOUNTS, query: { $skip: String(index) } });
  for (let index = 0; index < 1_000; index += 1) await read(nth(index));
  await read(nth(0));
  await read(nth(1_000));
  expect([await read(nth(0)), asked]).toEqual([{ items: [1] }, 1_001]);
  expect(await read(nth(1))).toEqual({ items: [1_002] });
});

it('keeps no answer that is too long', async () => {
  const long = async (): Promise<string> => {
    asked += 1;
    return 'x'.repeat(2 * 1024 * 1024);
  };
  await cache.read(connection, ACCOUNTS, long);
  await cache.read(connection, ACCOUNTS, long);
  expect(asked).toBe(2);
});
