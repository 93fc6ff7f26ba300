import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesOf, contextWith, fetchedIn, FIXTURES, stored } from '../../../test/support/source-cases';
import type { ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { mercadoPagoList } from './list';
import { mercadoPago } from './mercado-pago';

const folder = join(FIXTURES, 'mercado-pago');
const period = { from: new Date('2026-07-15T10:00:00.750Z'), to: new Date('2026-07-15T11:00:00Z') };
const settings = { comparePayments: true };

function payment(more: object = {}): Record<string, unknown> {
  const fetched = readFileSync(join(folder, 'fetched', 'card-approved.json'), 'utf8');
  return { ...(JSON.parse(fetched) as object), ...more };
}

function readAt(place: string | undefined, page: object | string, set: object = settings): ListPage {
  const body = Buffer.from(typeof page === 'string' ? page : JSON.stringify(page));
  return mercadoPagoList.read(
    { name: 'payments', status: 200, body },
    { place, period, timeZone: 'America/Sao_Paulo', settings: { ...set } },
  );
}

function read(page: object | string): ListPage {
  return readAt('700100200:0', page);
}

function countOf(...results: object[]): number {
  return read({ results }).items.length;
}

describe('the list of payments of Mercado Pago', () => {
  const access = { settings, credentials: { accessToken: 'APP_USR-1' } };

  it('is asked for whose account it is, and then for what the account received, without an end', () => {
    const first = mercadoPagoList.request(undefined, period, access);
    expect([first.path, first.headers]).toEqual([
      '/users/me',
      { authorization: 'Bearer APP_USR-1', accept: 'application/json' },
    ]);
    expect(readAt(undefined, { id: 700100200 })).toEqual({ items: [], next: '700100200:0' });
    const { path } = mercadoPagoList.request('700100200:100', period, access);
    expect(Object.fromEntries(new URL(path, 'https://api.mercadopago.com').searchParams)).toEqual({
      ...{ sort: 'id', criteria: 'desc', 'collector.id': '700100200' },
      ...{ range: 'date_last_updated', begin_date: '2026-07-15T10:00:00.750Z', end_date: 'NOW' },
      ...{ limit: '100', offset: '100' },
    });
  });

  it('is not asked while nobody says that all payments of the account are of the source', () => {
    expect(mercadoPagoList.missingSetting({})).toBe('comparePayments');
    expect(mercadoPagoList.missingSetting({ comparePayments: false })).toBe('comparePayments');
    expect(mercadoPagoList.missingSetting(settings)).toBeUndefined();
  });

  it('ends with an empty page, whatever it says of how many there are', () => {
    const paging = { total: 1, limit: 100, offset: 0 };
    expect(readAt('7:40', { paging, results: [payment(), payment()] }).next).toBe('7:42');
    expect(readAt('7:42', { paging: { ...paging, total: 900 }, results: [] })).toEqual({ items: [] });
  });

  it('leaves out what the account paid, sales of Mercado Livre, and money that no shop asked for', () => {
    expect(countOf(payment(), payment({ collector_id: undefined, collector: { id: 700100200 } }))).toBe(2);
    expect(countOf(payment({ collector_id: 700100201 }))).toBe(0);
    expect(countOf(payment({ order: { id: '2', type: 'mercadolibre' } }))).toBe(0);
    expect(countOf(payment({ external_reference: null }), payment({ external_reference: '' }))).toBe(0);
    expect(countOf(payment({ order: {} }))).toBe(1);
  });

  it('has all that was paid to the account where a shop reports the sales, and none of it counts as missed', () => {
    const withoutSales = { withoutSales: true };
    expect(mercadoPagoList.missingSetting(withoutSales)).toBeUndefined();
    const results = [
      payment(),
      payment({ id: 5, external_reference: null }),
      payment({ id: 6, status: 'pending', payment_method_id: 'pix' }),
      payment({ id: 7, order: { id: '2', type: 'mercadolibre' } }),
      payment({ id: 8, collector_id: 700100201 }),
    ];
    const { items } = readAt('700100200:0', { results }, withoutSales);
    expect(items.map(({ entity, onlyListed }) => [entity, onlyListed])).toEqual([
      ['fee/98100200301', true],
      ['fee/5', true],
    ]);
    const asked = { settings: withoutSales, credentials: { accessToken: 'APP_USR-1' } };
    expect(mercadoPagoList.request(undefined, period, asked).path).toBe('/users/me');
  });

  it('has the payments that events come of, and no others, or they would count as missed each time', () => {
    const context = contextWith(settings);
    const tried = casesOf('mercado-pago').flatMap((one) => {
      const [main] = fetchedIn(folder, one);
      if (one.settings?.withoutSales) return [];
      if (one.topic !== 'payment' || main === undefined || main.body.length === 0) return [];
      const { id } = JSON.parse(main.body.toString('utf8')) as { id: number };
      const body = Buffer.from(JSON.stringify({ type: 'payment', data: { id: String(id) } }));
      const arrived = stored('payment', body, { dataId: String(id) }, fetchedIn(folder, one));
      const normalised = mercadoPago.normalise(arrived, context);
      const keys = 'events' in normalised ? normalised.events.map(({ key }) => key) : [];
      const [item] = read(`{"results":[${main.body.toString('utf8')}]}`).items;
      return [{ file: one.file, keys, named: item?.entity }];
    });
    expect(tried.length).toBeGreaterThan(10);
    expect(new Set(tried.map(({ keys }) => keys.length > 0))).toEqual(new Set([true, false]));
    for (const { file, keys, named } of tried)
      expect([file, named]).toEqual([file, keys.length > 0 ? keys[0]?.replace('loja/', '') : undefined]);
  });

  it('keeps every digit of a number, and takes the time of the last change', () => {
    const written = JSON.stringify(payment({ external_reference: null })).replace(
      /"id":98100200301,/,
      '"id":98765432109876543210,"external_reference":"Pedido 12 / balcão",',
    );
    expect(read(`{"results":[${written.replace('"external_reference":null,', '')}]}`).items).toEqual([
      {
        webhook: {
          query: { 'data.id': '98765432109876543210' },
          body: Buffer.from('{"type":"payment","data":{"id":"98765432109876543210"}}'),
        },
        changedAt: new Date('2026-07-15T14:20:03.000Z'),
        entity: 'order/98765432109876543210',
      },
    ]);
  });

  it.each([
    ['without its list', { paging: {} }],
    ['that says what was wrong', { message: 'bad request', status: 400 }],
    ['with something else than a list', { results: {} }],
    ['with something else than payments', { results: ['7'] }],
    ['with a payment that nobody received', { results: [payment({ collector_id: null })] }],
    ['with a payment without a number', { results: [payment({ id: null })] }],
    ['with a payment without a status', { results: [payment({ status: null })] }],
    ['with a payment without a time', { results: [payment({ date_last_updated: null })] }],
    ['with a payment of an unreadable time', { results: [payment({ date_last_updated: 'yesterday' })] }],
  ])('cannot be read from a page %s', (_, page) => {
    expect(() => read(page)).toThrow(UnreadablePayload);
  });

  it.each([{}, { id: 'me' }, { id: null }])('cannot be read of the account %j', (page) => {
    expect(() => readAt(undefined, page)).toThrow(UnreadablePayload);
  });
});
