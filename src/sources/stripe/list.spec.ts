import type { ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { stripeHooks } from './hooks';
import { stripeList } from './list';

const period = { from: new Date('2026-07-15T10:00:00.750Z'), to: new Date('2026-07-15T11:00:00.250Z') };

function asked(settings: Record<string, unknown>, place?: string): URLSearchParams {
  const access = { settings, credentials: { secretKey: 'rk_test_1' } };
  const { path, headers, body, answers } = stripeList.request(place, period, access);
  expect([path.split('?')[0], headers, body, answers]).toEqual([
    '/v1/events',
    { authorization: 'Bearer rk_test_1', accept: 'application/json' },
    undefined,
    [],
  ]);
  return new URL(path, 'https://api.stripe.com').searchParams;
}

function event(more: object = {}): object {
  const data = { object: { id: 'po_1', object: 'payout' } };
  return { id: 'evt_1', object: 'event', type: 'payout.paid', created: 1784109600, data, ...more };
}

function read(page: object | string, settings: object = { endpointEvents: 'all' }): ListPage {
  const body = Buffer.from(typeof page === 'string' ? page : JSON.stringify(page));
  return stripeList.read(
    { name: 'events', status: 200, body },
    { place: undefined, period, timeZone: 'America/Sao_Paulo', settings: { ...settings } },
  );
}

describe('the list of events of Stripe', () => {
  it('is asked for whole seconds, so that no event at a border of the period is left out', () => {
    const query = asked({ endpointEvents: 'all' });
    expect([query.get('created[gte]'), query.get('created[lt]')]).toEqual(['1784109600', '1784113201']);
    expect([query.get('limit'), query.has('starting_after')]).toEqual(['100', false]);
    expect(asked({ endpointEvents: 'all' }, 'evt_9').get('starting_after')).toBe('evt_9');
  });

  it.each([{ endpointEvents: 'all' }, { withoutSales: true }])(
    'is asked for the events of the endpoint: %j',
    (chosen) => {
      const types = asked(chosen).getAll('types[]');
      expect(types).toEqual(stripeHooks.topics(chosen));
      // Stripe takes no more.
      expect(types.length).toBeLessThanOrEqual(20);
    },
  );

  it('is not asked while nobody says which events the endpoint is for', () => {
    expect(stripeList.missingSetting({})).toBe('endpointEvents');
    expect(stripeList.missingSetting({ withoutSales: true })).toBeUndefined();
  });

  it('has no sale for a source whose shop sends its sales itself, whatever Stripe answers', () => {
    const data = [
      event({ type: 'charge.succeeded' }),
      event({ id: 'evt_2' }),
      event({ type: 'customer.created' }),
    ];
    const typesOf = ({ items }: ListPage): unknown[] =>
      items.map(({ webhook }) => (JSON.parse(webhook.body.toString('utf8')) as { type: unknown }).type);
    expect(typesOf(read({ data }, { withoutSales: true }))).toEqual(['payout.paid']);
    expect(typesOf(read({ data }))).toEqual(['charge.succeeded', 'payout.paid']);
  });

  it('goes on behind the last event of a page, also where that is none that is wanted', () => {
    const data = [event(), event({ id: 'evt_2', type: 'customer.created' })];
    expect(read({ data, has_more: true })).toMatchObject({ items: [{}], next: 'evt_2' });
    expect(read({ data, has_more: false })).not.toHaveProperty('next');
    expect(read({ data: [], has_more: false })).toEqual({ items: [] });
    expect(() => read({ data: [], has_more: true })).toThrow('behind an empty page');
  });

  it('has each event as its webhook has it, to the byte', () => {
    const written =
      '{"id": "evt_1", "object":"event", "type":"payout.paid","created":1784109600, "n":12345678901234567890.10}';
    const { items } = read(
      `{"object":"list", "data": [ ${written} , ${JSON.stringify(event())}], "has_more":false}`,
    );
    expect(items[0]?.webhook.body.toString('utf8').trim()).toBe(written);
    expect(items.map(({ changedAt, entity }) => [changedAt.toISOString(), entity])).toEqual([
      ['2026-07-15T10:00:00.000Z', undefined],
      ['2026-07-15T10:00:00.000Z', undefined],
    ]);
  });

  it.each([
    ['without its list', { object: 'list', has_more: false }],
    ['with something else than a list', { data: {} }],
    ['of something else than events', { data: [event({ object: 'charge' })] }],
    ['with an event without an identifier', { data: [event({ id: undefined })] }],
    ['with an event without a type', { data: [event({ type: '' })] }],
    ['with an event without a time', { data: [event({ created: null })] }],
    ['with an event of an unreadable time', { data: [event({ created: '2026-07-15' })] }],
    ['that says neither that it ends nor that it does not', { data: [event()], has_more: 'no' }],
  ])('cannot be read from a page %s', (_, page) => {
    expect(() => read(page)).toThrow(UnreadablePayload);
  });
});
