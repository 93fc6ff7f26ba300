import { notification } from '../mapping/listed';
import type { ListPage, Period } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { bling } from './bling';
import { blingList } from './list';

const HOUR_MS = 3_600_000;
const SETTINGS = { storeId: '7c1e', leftOutChannels: '205010' };
const PERIOD = { from: new Date('2026-07-11T12:05:00.250Z'), to: new Date('2026-07-11T12:40:00Z') };
const ACCESS = { settings: SETTINGS, credentials: {}, accessToken: 'A-1' };
const ORDER = { id: 23000000401, total: 1500, situacao: { id: 6, valor: 0 }, loja: { id: 0 } };

interface Asked {
  readonly place?: string;
  readonly period?: Period;
  readonly timeZone?: string;
  readonly settings?: Record<string, unknown>;
}

function read(body: object | string, asked: Asked = {}): ListPage {
  const bytes = typeof body === 'string' ? Buffer.from(body) : notification(body);
  const about = {
    place: undefined,
    period: PERIOD,
    timeZone: 'America/Sao_Paulo',
    settings: SETTINGS,
    ...asked,
  };
  return blingList.read({ name: 'list', status: 200, body: bytes }, about);
}

function queryOf(place?: string, period: Period = PERIOD, settings: Record<string, unknown> = SETTINGS) {
  const { path } = blingList.request(place, period, { ...ACCESS, settings });
  return Object.fromEntries(new URL(path, 'https://bling.test').searchParams);
}

/** The times between which parts of a period are asked for, where each has one page. */
function partsOf(period: Period): [from: string, to: string][] {
  const parts: [string, string][] = [];
  let place: string | undefined;
  do {
    const { dataAlteracaoInicial = '', dataAlteracaoFinal = '' } = queryOf(place, period);
    parts.push([dataAlteracaoInicial.slice(11), dataAlteracaoFinal.slice(11)]);
    place = read({ data: [] }, { period, ...(place !== undefined && { place }) }).next;
  } while (place !== undefined);
  return parts;
}

function identityOf(page: ListPage) {
  const rawBody = page.items[0]?.webhook.body ?? Buffer.alloc(0);
  return bling.identify({ method: 'POST', headers: {}, query: {}, rawBody }, SETTINGS);
}

describe('the sales orders that changed at Bling', () => {
  it('are asked for with the access token in a header', () => {
    expect(blingList.request(undefined, PERIOD, ACCESS)).toEqual({
      name: 'orders',
      path: '/pedidos/vendas?dataAlteracaoInicial=2026-07-11+09%3A05%3A00&dataAlteracaoFinal=2026-07-11+09%3A15%3A00&limite=100&pagina=1',
      headers: { accept: 'application/json', authorization: 'Bearer A-1', 'enable-jwt': '1' },
      answers: [],
    });
    expect(blingList.missingSetting({})).toBeUndefined();
  });

  it('are asked for in parts that begin at whole quarters of an hour, to the end of the period', () => {
    expect(partsOf(PERIOD)).toEqual([
      ['09:05:00', '09:15:00'],
      ['09:15:00', '09:30:00'],
      ['09:30:00', '09:40:00'],
    ]);
  });

  it.each([
    [3, 12],
    [12, 48],
    [24, 48],
    [48, 96],
    [168, 84],
  ])('of %d hours are asked for in %d parts', (hours, count) => {
    const from = new Date('2026-07-11T00:00:00Z');
    expect(partsOf({ from, to: new Date(from.getTime() + hours * HOUR_MS) })).toHaveLength(count);
  });

  it('are asked for in the zone of the source, and read in that of its organization where it has none', () => {
    expect(queryOf(undefined, PERIOD, { timeZone: 'America/Manaus' })['dataAlteracaoInicial']).toBe(
      '2026-07-11 08:05:00',
    );
    const begun = (asked: Asked) => read({ data: [ORDER] }, asked).items[0]?.changedAt.toISOString();
    const zone = 'America/Manaus';
    expect(begun({})).toBe('2026-07-11T12:05:00.000Z');
    expect(begun({ timeZone: zone, settings: { timeZone: zone } })).toBe('2026-07-11T12:05:00.000Z');
    expect(begun({ timeZone: zone })).toBe('2026-07-11T13:05:00.000Z');
  });

  it('go on with the next page of the same part after a full one, and then with the next part', () => {
    const full = Array.from({ length: 100 }, (_, index) => ({ ...ORDER, id: index + 1 }));
    const first = read({ data: full });
    expect(first.items).toHaveLength(100);
    expect(queryOf(first.next)).toMatchObject({ dataAlteracaoFinal: '2026-07-11 09:15:00', pagina: '2' });
    const place = first.next as string;
    const second = read({ data: full.slice(1) }, { place });
    expect(queryOf(second.next)).toMatchObject({ dataAlteracaoInicial: '2026-07-11 09:15:00', pagina: '1' });
    expect(read({ data: [] }, { place })).toEqual({ items: [], next: second.next });
  });

  it('end with the part that ends with the period', () => {
    const place = `${Date.parse('2026-07-11T12:30:00Z')}/1`;
    expect(read({ data: [ORDER] }, { place }).next).toBeUndefined();
    expect(read({ data: null }, { place })).toEqual({ items: [] });
  });

  it('changed when their part began, or later, which is what is known of it', () => {
    const place = `${Date.parse('2026-07-11T12:15:00Z')}/3`;
    const [item] = read({ data: [ORDER] }, { place }).items;
    expect(item).toMatchObject({ changedAt: new Date('2026-07-11T12:15:00Z'), entity: 'order/23000000401' });
    expect(JSON.parse(item?.webhook.body.toString() ?? '')).toEqual({
      eventId: 'compared:23000000401:2026-07-11T12:15:00.000Z/15',
      date: '2026-07-11T12:15:00.000Z',
      version: 'v1',
      event: 'order.updated',
      companyId: '7c1e',
      data: { id: '23000000401' },
    });
  });

  it('are the same deliveries in the next comparison, and another one in another part', () => {
    const earlier = { from: new Date('2026-07-11T11:00:00Z'), to: PERIOD.to };
    const at = (time: string) => `${Date.parse(`2026-07-11T${time}Z`)}/1`;
    const first = identityOf(read({ data: [ORDER] }));
    expect(first.orderingKey).toBe('order/23000000401');
    expect(identityOf(read({ data: [ORDER] }, { period: earlier, place: at('12:00:00') }))).toEqual(first);
    expect(identityOf(read({ data: [ORDER] }, { place: at('12:15:00') })).dedupeKey).not.toBe(
      first.dedupeKey,
    );
  });

  it('are left out where nothing would be booked of them', () => {
    const data = [
      { ...ORDER, situacao: { id: 21 } },
      { ...ORDER, loja: { id: 205010 } },
      { ...ORDER, total: 0 },
      { ...ORDER, total: '0.00' },
    ];
    expect(read({ data }).items).toEqual([]);
    const cancelled = { ...ORDER, total: 0, situacao: { id: 12 } };
    const broken = { ...ORDER, id: 7, total: 89.99000000000001 };
    expect(read({ data: [cancelled, broken] }).items.map(({ entity }) => entity)).toEqual([
      'order/23000000401',
      'order/7',
    ]);
  });

  it('keep numbers that JavaScript does not have exactly', () => {
    const page = read(JSON.stringify({ data: [ORDER] }).replace('23000000401', '90071992547409931'));
    expect(page.items[0]?.entity).toBe('order/90071992547409931');
    expect(identityOf(page).orderingKey).toBe('order/90071992547409931');
  });

  it.each([
    ['no list', {}],
    ['an error', { error: { type: 'FORBIDDEN' } }],
    ['something else as a list', { data: { id: 1 } }],
    ['an order without a number', { data: [{ ...ORDER, id: null }] }],
    ['an order whose number is none', { data: [{ ...ORDER, id: '../1' }] }],
    ['an order without a situation', { data: [{ ...ORDER, situacao: null }] }],
  ])('are unreadable with %s', (_what, body) => {
    expect(() => read(body)).toThrow(UnreadablePayload);
  });
});
