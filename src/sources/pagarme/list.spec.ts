import { join } from 'node:path';
import {
  casesOf,
  contextWith,
  fetchedIn,
  FIXTURES,
  readFixture,
  stored,
} from '../../../test/support/source-cases';
import type { ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { pagarmeList } from './list';
import { pagarme } from './pagarme';

const folder = join(FIXTURES, 'pagarme');
const period = { from: new Date('2026-07-15T13:20:00.750Z'), to: new Date('2026-07-15T14:00:00.250Z') };

function order(more: object = {}, charge: object = {}): object {
  return {
    ...{ id: 'or_7', status: 'paid', updated_at: '2026-07-15T13:30:00Z' },
    charges: [{ id: 'ch_7', status: 'paid', payment_method: 'credit_card', ...charge }],
    ...more,
  };
}

function read(page: object | string, from = period.from): ListPage {
  const body = Buffer.from(typeof page === 'string' ? page : JSON.stringify(page));
  return pagarmeList.read(
    { name: 'orders', status: 200, body },
    { place: '4', period: { ...period, from }, timeZone: 'America/Sao_Paulo', settings: {} },
  );
}

function timesOf(...data: object[]): string[] {
  return read({ data }).items.map(({ changedAt }) => changedAt.toISOString());
}

describe('the list of orders of Pagar.me', () => {
  it('is asked for orders that were made up to a week before the period, to whole seconds', () => {
    const { path, headers } = pagarmeList.request('4', period, {
      settings: {},
      credentials: { secretKey: 'sk_1' },
    });
    expect(headers).toEqual({
      authorization: `Basic ${Buffer.from('sk_1:').toString('base64')}`,
      accept: 'application/json',
    });
    expect(Object.fromEntries(new URL(path, 'https://api.pagar.me').searchParams)).toEqual({
      ...{ created_since: '2026-07-08T13:20:00Z', created_until: '2026-07-15T14:00:01Z' },
      ...{ page: '4', size: '100' },
    });
  });

  it('has what changed in the period, by the order or one of its charges', () => {
    expect(timesOf(order())).toEqual(['2026-07-15T13:30:00.000Z']);
    const before = { updated_at: '2026-07-15T13:20:00.749Z' };
    expect(timesOf(order(before))).toEqual([]);
    expect(timesOf(order({ updated_at: '2026-07-15T13:20:00.75' }))).toEqual(['2026-07-15T13:20:00.750Z']);
    expect(timesOf(order(before, { updated_at: '2026-07-15T13:45:00Z' }))).toEqual([
      '2026-07-15T13:45:00.000Z',
    ]);
  });

  it('ends with an empty page, for nobody knows how many a page may have', () => {
    expect(read({ data: [order({ updated_at: '2026-07-09T10:00:00Z' })], paging: { total: 1 } })).toEqual({
      items: [],
      next: '5',
    });
    expect(read({ data: [], paging: { total: 900 } })).toEqual({ items: [] });
  });

  it('has the orders that events come of, and no others, or they would count as missed each time', () => {
    const tried = casesOf('pagarme').flatMap((one) => {
      const [main] = fetchedIn(folder, one);
      // Where Pagar.me has no operations of a charge, nobody knows what came of it.
      const isListed = one.fetched?.every(({ file }) => file !== undefined) ?? false;
      if (one.fetched?.[0]?.name !== 'order' || main === undefined || !isListed) return [];
      const arrived = stored(one.topic, readFixture('pagarme', one.file), {}, fetchedIn(folder, one));
      const normalised = pagarme.normalise(arrived, contextWith());
      const keys = 'events' in normalised ? normalised.events.map(({ key }) => key) : [];
      const [item] = read(`{"data":[${main.body.toString('utf8')}]}`, new Date(0)).items;
      return [{ file: one.file, key: keys[0]?.replace('loja/', ''), named: item?.entity }];
    });
    expect(tried.length).toBeGreaterThan(10);
    expect(tried.some(({ key }) => key === undefined)).toBe(true);
    for (const { file, key, named } of tried) expect([file, named]).toEqual([file, key]);
  });

  const withoutSales = { withoutSales: true };
  const operation = (more: object = {}): object => ({
    ...{ id: 18958961232, status: 'available', type: 'payable', amount: 9164, fee: 365 },
    ...{ created_at: '2026-07-15T13:30:00Z', movement_object: { object: 'payable', type: 'credit' } },
    ...more,
  });
  const readStatement = (data: object[]): ListPage =>
    pagarmeList.read(
      { name: 'operations', status: 200, body: Buffer.from(JSON.stringify({ data, paging: {} })) },
      { place: '1', period, timeZone: 'America/Sao_Paulo', settings: withoutSales },
    );

  it('is the statement of the balance, of a source without sales', () => {
    const { path } = pagarmeList.request(undefined, period, {
      settings: withoutSales,
      credentials: { secretKey: 'sk_1' },
    });
    expect(path).toBe(
      '/balance/operations?created_since=2026-07-15T13%3A20%3A00Z&created_until=2026-07-15T14%3A00%3A01Z&status=available&page=1&size=100',
    );
    const page = readStatement([
      operation(),
      operation({ id: 18958961270, type: 'transfer', amount: -150000 }),
      operation({ id: 18958961291, status: 'waiting_funds' }),
    ]);
    const named = page.items.map(({ entity, onlyListed }) => [entity, onlyListed]);
    expect(named).toEqual([
      ['fee/18958961232', true],
      ['payout/18958961270', true],
    ]);
    expect(page.items[0]?.webhook.body.toString()).toBe(
      '{"type":"balance.operation","data":{"id":"18958961232"}}',
    );
    expect(page.next).toBe('2');
    expect(readStatement([])).toEqual({ items: [] });
  });

  it('has each operation under the key that it is booked by', () => {
    const cases = casesOf('pagarme').filter(({ fetched }) => fetched?.[0]?.name === 'operation');
    const compared = cases.flatMap((one) => {
      const answers = fetchedIn(folder, one);
      const body = answers[0]?.body ?? Buffer.alloc(0);
      const arrived = stored(one.topic, readFixture('pagarme', one.file), {}, answers);
      const normalised = pagarme.normalise(arrived, contextWith(one.settings));
      // The chargeback itself is known by its charge.
      if (body.length === 0 || one.file.startsWith('operation-chargeback')) return [];
      const [item] = readStatement([JSON.parse(body.toString('utf8')) as object]).items;
      const key = 'events' in normalised ? normalised.events[0]?.key : normalised.key;
      return item ? [[one.file, item.entity, key]] : [];
    });
    expect(compared.length).toBeGreaterThan(6);
    for (const [file, entity, key] of compared) expect([file, `loja/${entity}`]).toEqual([file, key]);
  });

  it.each([
    ['a sale below zero', operation({ amount: -9164 })],
    ['a refund above zero', operation({ movement_object: { type: 'refund' } })],
    ['a chargeback of no charge', operation({ movement_object: { type: 'chargeback' } })],
    [
      'a transfer to another recipient',
      operation({ type: 'transfer', amount: -9164, movement_object: { type: 'inter_recipient' } }),
    ],
  ])('has what a person is asked about, and no fee of it: %s', (_, answered) => {
    const hook = Buffer.from('{"type":"balance.operation","data":{"id":"18958961232"}}');
    const answer = { name: 'operation', status: 200, body: Buffer.from(JSON.stringify(answered)) };
    const normalised = pagarme.normalise(
      stored('balance.operation', hook, {}, [answer]),
      contextWith(withoutSales),
    );
    expect(normalised).toMatchObject({ unbooked: [{ code: 'movement-not-booked' }] });
    expect(normalised).not.toHaveProperty('events');
  });

  it('has each order as a webhook has it, to the byte', () => {
    const written =
      '{"id": "or_7","status":"canceled", "amount":12345678901234567890, "updated_at":"2026-07-15T13:30:00Z" }';
    expect(read(`{"data":[ ${written}]}`).items).toEqual([
      {
        webhook: { body: Buffer.from(`{"type":"order.updated","data":${written}}`) },
        changedAt: new Date('2026-07-15T13:30:00Z'),
        entity: 'order/or_7',
      },
    ]);
  });

  it.each([
    ['without its list', { paging: { total: 0 } }],
    ['that says what was wrong', { message: 'Authorization has been denied for this request.' }],
    ['with something else than a list', { data: {} }],
    ['with something else than orders', { data: [7] }],
    ['with an order without a name', { data: [order({ id: null })] }],
    ['with something else that has a name', { data: [order({ id: 'ch_7' })] }],
    ['with an order without a time', { data: [order({ updated_at: '' })] }],
    ['with an order of an unreadable time', { data: [order({ updated_at: 'yesterday' })] }],
    ['with an order whose charges are no list', { data: [order({ charges: {} })] }],
  ])('cannot be read from a page %s', (_, page) => {
    expect(() => read(page)).toThrow(UnreadablePayload);
  });
});
