import { notification } from '../mapping/listed';
import type { ListPage, Period } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { tinyList } from './list';
import { tiny } from './tiny';

type Json = Record<string, unknown>;

const HOUR_MS = 3_600_000;
const SETTINGS = { cnpj: '11.222.333/0001-81' };
const PERIOD = { from: new Date('2026-07-11T12:05:00Z'), to: new Date('2026-07-11T12:40:00.250Z') };
const ORDER = {
  id: '840000501',
  numero: '5101',
  numero_ecommerce: null,
  valor: '1500.00',
  situacao: 'Faturado',
};
const NOTHING = { retorno: { status: 'Erro', codigo_erro: 20, erros: [{ erro: 'sem registros' }] } };

interface Asked {
  readonly place?: string | undefined;
  readonly period?: Period;
  readonly timeZone?: string;
  readonly settings?: Json;
}

function read(body: object | string, asked: Asked = {}): ListPage {
  const bytes = typeof body === 'string' ? Buffer.from(body) : notification(body);
  const usual = { place: undefined, period: PERIOD, timeZone: 'America/Sao_Paulo', settings: SETTINGS };
  return tinyList.read({ name: 'list', status: 200, body: bytes }, { ...usual, ...asked });
}

function page(orders: readonly Json[], pages: unknown = 1): Json {
  return {
    retorno: {
      status: 'OK',
      pagina: 1,
      numero_paginas: pages,
      pedidos: orders.map((pedido) => ({ pedido })),
    },
  };
}

function sentFor(place?: string, period: Period = PERIOD, settings: Json = SETTINGS): Record<string, string> {
  const { body } = tinyList.request(place, period, { settings, credentials: { token: 't0ken' } });
  return Object.fromEntries(new URLSearchParams(body?.text));
}

/** The times since which a period is asked for, where nothing changed. */
function timesOf(period: Period): string[] {
  const times: string[] = [];
  let place: string | undefined;
  do {
    times.push((sentFor(place, period)['dataAtualizacao'] ?? '').slice(11));
    place = read(NOTHING, { period, place }).next;
  } while (place !== undefined);
  return times;
}

/** Where the newest part of the period begins, after nothing was found that changed later. */
const NEWEST = read(NOTHING).next as string;

describe('the sales orders that changed at Tiny', () => {
  it('are asked for with the token in the body alone', () => {
    const access = { settings: SETTINGS, credentials: { token: 't0ken' } };
    const request = tinyList.request(undefined, PERIOD, access);
    expect(request).toMatchObject({ path: '/pedidos.pesquisa.php', answers: [] });
    expect(JSON.stringify(request.headers)).not.toContain('t0ken');
    expect(sentFor()).toEqual({
      ...{
        token: 't0ken',
        formato: 'json',
        dataAtualizacao: '11/07/2026 09:40:00',
        pagina: '1',
        sort: 'ASC',
      },
    });
    expect(tinyList.missingSetting({})).toBeUndefined();
  });

  it('are asked for backwards, in parts that begin at whole half hours', () => {
    expect(timesOf(PERIOD)).toEqual(['09:40:00', '09:30:00', '09:05:00']);
  });

  it.each([
    [3, 7],
    [24, 13],
    [168, 15],
  ])('of %d hours are asked for %d times where they have one page each', (hours, count) => {
    const from = new Date('2026-07-11T00:00:00Z');
    expect(timesOf({ from, to: new Date(from.getTime() + hours * HOUR_MS) })).toHaveLength(count);
  });

  it('are asked for in the zone of the source, and read in that of its organization where it has none', () => {
    const zone = 'America/Manaus';
    expect(sentFor(undefined, PERIOD, { timeZone: zone })['dataAtualizacao']).toBe('11/07/2026 08:40:00');
    const begun = (asked: Asked) =>
      read(page([ORDER]), { place: NEWEST, ...asked }).items[0]?.changedAt.toISOString();
    expect(begun({})).toBe('2026-07-11T12:30:00.000Z');
    expect(begun({ timeZone: zone, settings: { ...SETTINGS, timeZone: zone } })).toBe(
      '2026-07-11T12:30:00.000Z',
    );
    expect(begun({ timeZone: zone })).toBe('2026-07-11T13:30:00.000Z');
  });

  it('are left to their notification where they changed after the period', () => {
    const late = read(page([ORDER]));
    expect(late.items).toEqual([]);
    const { items } = read(page([ORDER, { ...ORDER, id: '7' }]), { place: late.next });
    expect(items.map(({ entity }) => entity)).toEqual(['order/7']);
  });

  it('count in the newest part in which they are alone, over all pages of it', () => {
    const first = read(page([ORDER], 2), { place: NEWEST });
    expect(first.items).toHaveLength(1);
    expect(sentFor(first.next)).toMatchObject({ dataAtualizacao: '11/07/2026 09:30:00', pagina: '2' });
    const second = read(page([{ ...ORDER, id: '7' }], '2'), { place: first.next });
    expect(second.items).toHaveLength(1);
    expect(sentFor(second.next)).toMatchObject({ dataAtualizacao: '11/07/2026 09:05:00', pagina: '1' });
    const before = read(page([ORDER, { ...ORDER, id: '8' }, { ...ORDER, id: '7' }]), { place: second.next });
    expect(before.items).toMatchObject([{ entity: 'order/8', changedAt: PERIOD.from }]);
    expect(before.next).toBeUndefined();
  });

  it('are the same deliveries in the next comparison, whether or not they were fetched meanwhile', () => {
    const identify = (period: Period) => {
      const place = read(NOTHING, { period }).next;
      const rawBody = read(page([ORDER]), { period, place }).items[0]?.webhook.body ?? Buffer.alloc(0);
      return tiny.identify({ method: 'POST', headers: {}, query: {}, rawBody });
    };
    const identity = identify(PERIOD);
    expect(identity).toMatchObject({ topic: 'atualizacao_pedido', orderingKey: 'order/840000501' });
    expect(identity.untilFetched).toBeUndefined();
    const earlier = { from: new Date('2026-07-11T11:00:00Z'), to: PERIOD.to };
    expect(identify(earlier)).toEqual(identity);
    const later = { from: PERIOD.from, to: new Date('2026-07-11T13:10:00Z') };
    expect(identify(later).dedupeKey).not.toBe(identity.dedupeKey);
  });

  it('are fetched as a notification about them would have them fetched', () => {
    const rawBody = read(page([ORDER]), { place: NEWEST }).items[0]?.webhook.body ?? Buffer.alloc(0);
    const webhook = { topic: 'atualizacao_pedido', attributes: {}, rawBody, receivedAt: PERIOD.to };
    const asked = tiny.fetchBack?.next(webhook, { settings: SETTINGS, credentials: {} });
    expect(asked?.body?.text).toContain('id=840000501');
  });

  it('are left out where nothing would be booked of them', () => {
    const orders = [
      { ...ORDER, situacao: 'Dados incompletos' },
      { ...ORDER, valor: '0.00' },
      { ...ORDER, valor: 0 },
    ];
    expect(read(page(orders), { place: NEWEST }).items).toEqual([]);
    const cancelled = { ...ORDER, valor: 0, situacao: 'Cancelado' };
    expect(read(page([cancelled]), { place: NEWEST }).items).toHaveLength(1);
  });

  it('are left out where they are of an e-commerce, and the source leaves some out', () => {
    const orders = page([ORDER, { ...ORDER, id: '7', numero_ecommerce: '3001' }]);
    const settings = { ...SETTINGS, leftOutChannels: 'Loja Ipê' };
    expect(read(orders, { place: NEWEST }).items).toHaveLength(2);
    expect(read(orders, { place: NEWEST, settings }).items).toMatchObject([{ entity: 'order/840000501' }]);
  });

  it('may be one that is in no list', () => {
    const one = { retorno: { status: 'OK', numero_paginas: 1, pedidos: { pedido: ORDER } } };
    expect(read(one, { place: NEWEST }).items).toHaveLength(1);
    expect(read({ retorno: { ...one.retorno, pedidos: [] } }, { place: NEWEST }).items).toEqual([]);
  });

  it('keep numbers that JavaScript does not have exactly', () => {
    const text = JSON.stringify(page([ORDER])).replace('"840000501"', '90071992547409931');
    expect(read(text, { place: NEWEST }).items[0]?.entity).toBe('order/90071992547409931');
  });

  it.each([
    ['an error', { retorno: { status: 'Erro', codigo_erro: 2 } }, 'error 2: it does not take the token'],
    ['an error without a number', { retorno: {} }, 'error without a number'],
    ['no list', { retorno: { status: 'OK', numero_paginas: 1 } }, 'pedidos is missing'],
    ['no number of pages', page([ORDER], null), 'numero_paginas is missing'],
    ['a wrong number of pages', page([ORDER], 'many'), 'numero_paginas'],
    ['an order without a number', page([{ ...ORDER, id: null }]), 'id is missing'],
    ['an order without a situation', page([{ ...ORDER, situacao: '' }]), 'situacao is missing'],
  ])('are unreadable with %s', (_what, body, why) => {
    expect(() => read(body, { place: NEWEST })).toThrow(UnreadablePayload);
    expect(() => read(body, { place: NEWEST })).toThrow(why);
  });
});
