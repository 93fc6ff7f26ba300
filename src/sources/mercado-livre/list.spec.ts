import { notification } from '../mapping/listed';
import type { ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { mercadoLivreList } from './list';
import { mercadoLivre } from './mercado-livre';

const PERIOD = { from: new Date('2026-07-16T00:00:00Z'), to: new Date('2026-07-17T00:00:00Z') };
const ABOUT = {
  ...{ period: PERIOD, timeZone: 'America/Sao_Paulo', place: undefined },
  settings: { storeId: '410220815' },
};
const LOST = {
  _id: '0b6d1f0e-5f4b-4a53-9d2a-6d0f0a9b1c06',
  topic: 'orders_v2',
  resource: '/orders/2000018100000102',
  user_id: 410220815,
  application_id: 5503910054141466,
  attempts: 8,
  sent: '2026-07-16T13:06:07.512Z',
  received: '2026-07-16T13:06:07.038Z',
  request: { url: 'https://ponte.example.com/hooks/main/mercado-livre/SECRET', data: '{}' },
  response: { http_code: 503 },
};

function read(
  body: object | string,
  about: { place?: string; settings?: { storeId: string } } = {},
): ListPage {
  const bytes = typeof body === 'string' ? Buffer.from(body) : notification(body);
  return mercadoLivreList.read({ name: 'list', status: 200, body: bytes }, { ...ABOUT, ...about });
}

function bodyOf({ items: [item] }: ListPage): string {
  return item?.webhook.body.toString('utf8') ?? '';
}

describe('the notifications that Mercado Livre gave up sending', () => {
  it('are asked for with the application in the query and the access token in a header', () => {
    const access = { settings: {}, credentials: { clientId: '5503', clientSecret: 's' }, accessToken: 'A-1' };
    expect(mercadoLivreList.request('50', PERIOD, access)).toEqual({
      name: 'missed-feeds',
      path: '/missed_feeds?app_id=5503&limit=50&offset=50',
      headers: { authorization: 'Bearer A-1', accept: 'application/json' },
      answers: [],
    });
  });

  it('need nothing to be set that a source of it does not have anyhow', () => {
    expect(mercadoLivreList.missingSetting({})).toBeUndefined();
  });

  it('go on after as many as came, however many were asked for, until none come', () => {
    expect(read({ messages: [LOST, LOST] }).next).toBe('2');
    expect(read({ messages: [LOST] }, { place: '2' }).next).toBe('3');
    expect(read({ messages: [] }, { place: '3' })).toEqual({ items: [] });
    expect(read({ messages: null }, { place: '3' })).toEqual({ items: [] });
  });

  it('are none where others have some, and the page after is asked for all the same', () => {
    const others = [
      { ...LOST, user_id: 410220816 },
      { ...LOST, user_id: null, sent: null },
      { ...LOST, topic: 'questions', resource: '/questions/1' },
      { ...LOST, topic: 'items', resource: null, sent: null },
      { ...LOST, topic: { of: 'items' } },
    ];
    expect(read({ messages: others })).toEqual({ items: [], next: '5' });
    expect(read({ messages: [LOST] }, { settings: { storeId: '' } }).items).toEqual([]);
  });

  it('are of the seller whether the number is written as one or as text', () => {
    expect(read({ messages: [{ ...LOST, user_id: '410220815' }] }).items).toHaveLength(1);
  });

  it('are known by what those that came are known by', () => {
    const [item] = read({ messages: [LOST] }).items;
    const { topic, resource, user_id, sent } = LOST;
    const came = notification({ topic, resource, user_id, attempts: 1, sent, received: sent });
    const [listed, received] = [item?.webhook.body ?? Buffer.alloc(0), came].map((rawBody) =>
      mercadoLivre.identify({ method: 'POST', headers: {}, query: {}, rawBody }),
    );
    expect(listed).toEqual(received);
    expect(item?.changedAt).toEqual(new Date('2026-07-16T13:06:07.512Z'));
  });

  it('keep what says that an order was just made, and leave out the address with its secret', () => {
    const made = read({ messages: [{ ...LOST, actions: ['action:new_order'] }] });
    expect(JSON.parse(bodyOf(made))).toMatchObject({ actions: ['action:new_order'] });
    expect(bodyOf(made)).not.toContain('SECRET');
    expect(JSON.parse(bodyOf(read({ messages: [{ ...LOST, actions: 'all' }] })))).toMatchObject({
      actions: [],
    });
  });

  it('keep numbers that JavaScript does not have exactly', () => {
    const exact = '90071992547409931';
    const text = JSON.stringify({ messages: [LOST] }).replaceAll('410220815', exact);
    const page = read(text, { settings: { storeId: exact } });
    expect(JSON.parse(bodyOf(page))).toMatchObject({ user_id: exact });
    expect(read(text, { settings: { storeId: '90071992547409932' } }).items).toEqual([]);
  });

  it.each([
    ['no list', {}],
    ['another answer', { error: 'forbidden' }],
    ['something else as a list', { messages: 'none' }],
    ['one that does not say when it was sent', { messages: [{ ...LOST, sent: null }] }],
    ['one that was sent at no time', { messages: [{ ...LOST, sent: 'today' }] }],
    ['one that names nothing', { messages: [{ ...LOST, resource: null }] }],
  ])('are unreadable with %s', (_what, body) => {
    expect(() => read(body)).toThrow(UnreadablePayload);
  });
});
