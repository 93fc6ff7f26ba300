import type { ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { asaasList } from './list';

type Json = Record<string, unknown>;

const ACCESS = { settings: {}, credentials: { apiKey: '$aact_1' } };
/** Of Brazil: from 21:00 on the 9th to 00:30 on the 11th of August. */
const PERIOD = { from: new Date('2026-08-10T00:00:00Z'), to: new Date('2026-08-11T03:30:00Z') };

function payment(id: string, more: Json = {}): Json {
  return {
    ...{ object: 'payment', id, status: 'RECEIVED', billingType: 'PIX', value: 10 },
    ...{ dateCreated: '2026-08-10', paymentDate: '2026-08-10', deleted: false, ...more },
  };
}

function readText(body: string, place?: string, period = PERIOD, settings: Json = {}): ListPage {
  // The organization is elsewhere: Asaas's days are not its own.
  const about = { place, period, timeZone: 'Asia/Tokyo', settings };
  return asaasList.read({ name: 'payments', status: 200, body: Buffer.from(body) }, about);
}

function read(data: Json[], place?: string, hasMore = false, period = PERIOD): ListPage {
  return readText(JSON.stringify({ object: 'list', hasMore, data }), place, period);
}

function asked(place?: string, period = PERIOD, settings: Json = {}): Record<string, string> {
  const { path } = asaasList.request(place, period, { ...ACCESS, settings });
  return Object.fromEntries(new URL(path, 'https://asaas.example').searchParams);
}

const entities = (page: ListPage) => page.items.map(({ entity }) => entity);

describe("Asaas's list of payments", () => {
  it('is asked for what was received on days that ended in the period, with the key in a header', () => {
    const request = asaasList.request(undefined, PERIOD, ACCESS);
    expect([request.headers['access_token'], request.answers]).toEqual(['$aact_1', []]);
    expect(asked()).toEqual({
      ...{ 'paymentDate[ge]': '2026-08-09', 'paymentDate[le]': '2026-08-10' },
      ...{ limit: '100', offset: '0' },
    });
    expect(asked(undefined, PERIOD, { timeZone: 'UTC' })).toMatchObject({ 'paymentDate[ge]': '2026-08-10' });
  });

  it('has a day from the moment on in which it ended', () => {
    const midnight = { ...PERIOD, to: new Date('2026-08-11T03:00:00Z') };
    expect(asked(undefined, midnight)).toMatchObject({ 'paymentDate[le]': '2026-08-10' });
    expect(entities(read([payment('pay_1')], undefined, false, midnight))).toEqual(['order/pay_1']);
    const before = { ...PERIOD, to: new Date('2026-08-11T02:59:59.999Z') };
    expect(asked(undefined, before)).toMatchObject({ 'paymentDate[le]': '2026-08-09' });
    expect(entities(read([payment('pay_1')], undefined, false, before))).toEqual([]);
  });

  it('is asked for a day that has not begun where none ended in the period', () => {
    const period = { from: new Date('2026-08-10T03:00:00Z'), to: new Date('2026-08-10T20:00:00Z') };
    expect(asked(undefined, period)).toMatchObject({
      ...{ 'paymentDate[ge]': '2026-08-11', 'paymentDate[le]': '2026-08-11' },
    });
    expect(asked('dateCreated 0', period)).toMatchObject({
      ...{ 'dateCreated[ge]': '2026-08-11', 'dateCreated[le]': '2026-08-11' },
    });
  });

  it('goes on while there are more, and then with what was made on these days', () => {
    expect(read([payment('pay_1')], undefined, true).next).toBe('paymentDate 100');
    expect(asked('paymentDate 100')).toMatchObject({ 'paymentDate[le]': '2026-08-10', offset: '100' });
    expect(read([payment('pay_1')], 'paymentDate 100').next).toBe('dateCreated 0');
    expect(read([])).toEqual({ items: [], next: 'dateCreated 0' });
    expect(asked('dateCreated 0')).toEqual({
      ...{ 'dateCreated[ge]': '2026-08-09', 'dateCreated[le]': '2026-08-10' },
      ...{ limit: '100', offset: '0' },
    });
    expect(read([], 'dateCreated 0', true).next).toBe('dateCreated 100');
    expect(read([], 'dateCreated 100')).toEqual({ items: [] });
  });

  it('has a payment at the beginning of its day in Brazil, and names its state in the event', () => {
    const [item] = read([payment('pay_1')]).items;
    expect(item).toMatchObject({ changedAt: new Date('2026-08-10T03:00:00Z'), entity: 'order/pay_1' });
    expect(JSON.parse(String(item?.webhook.body))).toEqual({
      event: 'PAYMENT_UPDATED',
      payment: { object: 'payment', id: 'pay_1', status: 'RECEIVED', paymentDate: '2026-08-10' },
    });
  });

  it('takes the day on which the buyer paid where Asaas names none of its own', () => {
    const paid = payment('pay_1', { paymentDate: null, clientPaymentDate: '2026-08-09' });
    expect(read([paid]).items[0]?.changedAt).toEqual(new Date('2026-08-09T03:00:00Z'));
    const unpaid = payment('pay_1', { paymentDate: '' });
    expect(() => read([unpaid])).toThrow(UnreadablePayload);
  });

  it('has of what was made what waits for a boleto or Pix, what a card paid, and what was removed', () => {
    const waiting = { status: 'PENDING', paymentDate: null };
    const made = [
      payment('pay_1'),
      payment('pay_2', waiting),
      payment('pay_3', { ...waiting, billingType: 'CREDIT_CARD' }),
      payment('pay_4', { ...waiting, billingType: 'CREDIT_CARD', status: 'CONFIRMED' }),
      payment('pay_5', { ...waiting, billingType: 'CREDIT_CARD', deleted: true }),
      payment('pay_6', { ...waiting, status: 'AWAITING_RISK_ANALYSIS' }),
    ];
    expect(entities(read(made, 'dateCreated 0'))).toEqual(['order/pay_2', 'order/pay_4', 'order/pay_5']);
  });

  it('keeps identifiers beyond 2^53 to the last digit', () => {
    const numeric = '900719925474099301';
    const text = JSON.stringify({ data: [payment('ID')] }).replace('"ID"', numeric);
    const [item] = readText(text).items;
    expect(item?.entity).toBe(`order/${numeric}`);
    expect(String(item?.webhook.body)).toContain(`"id":"${numeric}"`);
  });

  it.each([
    ['without a list', '{"object":"list","hasMore":false}'],
    ['with a payment without an identifier', JSON.stringify({ data: [payment('')] })],
    ['with a payment without a status', JSON.stringify({ data: [payment('pay_1', { status: null })] })],
    ['with a day that is none', JSON.stringify({ data: [payment('pay_1', { paymentDate: '10/08/2026' })] })],
  ])('is refused %s', (_, body) => {
    expect(() => readText(body)).toThrow(UnreadablePayload);
  });
});
