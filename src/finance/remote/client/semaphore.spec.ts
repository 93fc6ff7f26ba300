import type { ServerResponse } from 'node:http';
import { Logger } from '@nestjs/common';
import { httpWire, wireConnection } from '../../../../test/support/http-finance';
import { StubService } from '../../../../test/support/stub-service';
import { until } from '../../../../test/support/until';
import type { HttpFinanceClient } from './http-finance-client';
import type { ConnectionLimits } from './connection';
import type { ClientCall, AttemptOutcome } from './finance-client';

const OTHER = '22222222-2222-4222-8222-222222222222';

interface Held {
  readonly name: string;
  readonly response: ServerResponse;
}

let service: StubService;
/** Requests that wait for their answer. */
let held: Held[];
/** The most writes that waited together. */
let mostWrites: number;
let wire: HttpFinanceClient;

beforeAll(() => Logger.overrideLogger(false));
beforeEach(async () => {
  service = await StubService.start();
  [held, mostWrites] = [[], 0];
  service.answer = (response, { url }) => {
    held.push({ name: nameOf(url), response });
    mostWrites = Math.max(mostWrites, held.filter(({ name }) => name.startsWith('w')).length);
  };
  wire = httpWire();
});
afterEach(() => service.stop());

function read(name: string): ClientCall {
  return { operation: 'schedules.listOfCustomer', path: { CustomerId: name } };
}

function write(name: string): ClientCall {
  return { operation: 'accounts.update', path: { AccountId: name }, body: {} };
}

/** Makes calls in this order. */
function make(calls: readonly ClientCall[], changes: Partial<ConnectionLimits>, organizationId?: string) {
  const limits = { perSecond: 10_000, atOnce: 4, oneWriteAtATime: false, ...changes };
  const connection = wireConnection(service.url(), { limits, ...(organizationId && { organizationId }) });
  return calls.map((call): Promise<AttemptOutcome> => wire.call(connection, call));
}

const names = (count: number, name: string) => Array.from({ length: count }, (_, index) => `${name}${index}`);
const nameOf = (url: string) => /(?:customers|accounts)\/(\w+)/.exec(url)?.[1] ?? '';
const arrived = () => service.requests.map(({ url }) => nameOf(url));
const answerNext = () => held.shift()?.response.writeHead(200).end('[]');

/** Answers one call after another, whenever at least so many wait for it. */
async function drain(calls: Promise<AttemptOutcome>[], waiting: number): Promise<AttemptOutcome[]> {
  for (let left = calls.length; left > 0; left -= 1) {
    await until(() => held.length >= Math.min(waiting, left));
    answerNext();
  }
  return Promise.all(calls);
}

it.each([1, 3])('as many calls are on their way as are allowed, and no more: %i', async (atOnce) => {
  const outcomes = await drain(make(names(10, 'r').map(read), { atOnce }), atOnce);
  expect(outcomes.map(({ kind }) => kind)).toEqual(Array(10).fill('succeeded'));
  expect(service.mostOpen).toBe(atOnce);
  expect(arrived().toSorted()).toEqual(names(10, 'r'));
});

it('calls get their permits in the order in which they were asked for', async () => {
  const order = [...names(5, 'w').map(write), ...names(5, 'r').map(read)];
  await drain(make(order, { atOnce: 1 }), 1);
  expect(arrived()).toEqual([...names(5, 'w'), ...names(5, 'r')]);
});

it('writes go one at a time where the service wants it, and reads go on beside them', async () => {
  const limits = { atOnce: 4, oneWriteAtATime: true };
  const writes = make(names(6, 'w').map(write), limits);
  const reads = make(names(3, 'r').map(read), limits);
  await until(() => held.length === 4);
  expect(arrived().toSorted()).toEqual(['r0', 'r1', 'r2', 'w0']);
  await drain([...writes, ...reads], 1);
  expect(arrived().filter((name) => name.startsWith('w'))).toEqual(names(6, 'w'));
  expect(mostWrites).toBe(1);
});

it.each<[string, (response: ServerResponse) => void]>([
  ['was refused', (response) => void response.writeHead(422).end()],
  ['broke off', (response) => response.socket?.resetAndDestroy()],
])('a call that %s gives its permit to the next', async (_how, end) => {
  const calls = make(names(4, 'w').map(write), { atOnce: 1, oneWriteAtATime: true });
  for (let left = 4; left > 0; left -= 1) {
    await until(() => held.length === 1);
    end(held.pop()!.response);
  }
  await Promise.all(calls);
  expect(arrived()).toEqual(names(4, 'w'));
});

it('one organization waits for no other', async () => {
  const first = make(names(3, 'a').map(read), { atOnce: 1 });
  const second = make(names(3, 'b').map(read), { atOnce: 1 }, OTHER);
  await until(() => held.length === 2);
  expect(arrived().toSorted()).toEqual(['a0', 'b0']);
  await drain([...first, ...second], 2);
});
