import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderEvent } from '../../events/event';
import type { IncomingWebhook, Normalised } from '../source';
import { yampi } from './yampi';

const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'yampi');
type Json = Record<string, unknown>;

function fixture(name: string): { event: string; time: string; resource: Json } {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as {
    event: string;
    time: string;
    resource: Json;
  };
}

const boleto = fixture('order-paid-boleto');
const [paidTransaction] = (boleto.resource['transactions'] as { data: [Json] }).data;

function request(body: unknown): IncomingWebhook {
  return { method: 'POST', headers: {}, query: {}, rawBody: Buffer.from(JSON.stringify(body)) };
}

function normalise(body: unknown, settings: Json = {}): Normalised {
  const { topic, attributes } = yampi.identify(request(body));
  const { rawBody } = request(body);
  return yampi.normalise(
    { topic, attributes, rawBody, receivedAt: new Date('2026-08-10T12:00:00Z') },
    { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings },
  );
}

/** What comes of the paid boleto with changes to its order. */
function eventsOf(changes: Json, event = boleto.event): OrderEvent[] {
  const normalised = normalise({ ...boleto, event, resource: { ...boleto.resource, ...changes } });
  return 'events' in normalised ? normalised.events.filter((one) => 'order' in one) : [];
}

const withTransaction = (changes: Json) => ({ transactions: { data: [{ ...paidTransaction, ...changes }] } });
const status = (alias: string) => ({ status: { data: { alias } } });

describe('what a Yampi delivery is known by', () => {
  it('is its content, so that the same webhook again is the same delivery', () => {
    const [first, again, later] = [boleto, boleto, { ...boleto, time: '2026-07-13 11:02:47' }].map((body) =>
      yampi.identify(request(body)),
    );
    expect(again).toEqual(first);
    expect(later?.dedupeKey).not.toBe(first?.dedupeKey);
    expect(later?.orderingKey).toBe('order/102800001');
  });

  it('is the id of the event where it has one', () => {
    expect(yampi.identify(request({ ...boleto, event_id: 'evt-1' })).dedupeKey).toBe('evt-1');
  });

  it('keeps what is none of an order out of the lanes of orders', () => {
    for (const event of ['order.invoice.created', 'transaction.payment.refused', 'customer.created']) {
      const identity = yampi.identify(request({ ...boleto, event }));
      expect(identity.orderingKey).toBe(`delivery/${identity.dedupeKey}`);
    }
  });
});

describe('a Yampi order', () => {
  it('of which no transaction is listed is paid by the way that it names', () => {
    const [paid] = eventsOf({ transactions: { data: [] } });
    expect(paid?.order.payments.map(({ method }) => method)).toEqual(['boleto']);
    const unpaid = { ...status('waiting_payment'), statuses: { data: [] }, transactions: { data: [] } };
    const waiting = eventsOf(unpaid, 'order.created').find(({ type }) => type === 'order.pending');
    expect(waiting?.order.charge?.method).toBe('boleto');
  });

  it.each([
    ['paid', 'order.paid'],
    ['invoiced', 'order.paid'],
    ['delivered', 'order.paid'],
    ['waiting_payment', 'order.pending'],
    ['cancelled', 'order.cancelled'],
    ['refused', 'order.cancelled'],
  ])('that is %s, and of which no transaction brought money, becomes %s', (alias, type) => {
    const waiting = { captured: false, captured_at: null, status: 'waiting_payment' };
    const events = eventsOf(
      { ...status(alias), ...withTransaction(waiting), statuses: { data: [] } },
      'order.status.updated',
    );
    expect(events.map((event) => event.type)).toEqual([type]);
  });

  it('that was paid and is cancelled was paid all the same', () => {
    const changes = {
      ...status('cancelled'),
      transactions: { data: [] },
      statuses: { data: [{ alias: 'paid', created_at: { date: '2026-07-13 11:02:45.000000' } }] },
    };
    const events = eventsOf(changes, 'order.status.updated');
    expect(events.map(({ type }) => type)).toEqual(['order.paid', 'order.cancelled']);
    expect(events[0]?.occurredAt).toEqual(new Date('2026-07-13T14:02:45Z'));
  });

  it('was paid before it was cancelled where nothing says when it was paid', () => {
    const cancelled = {
      ...status('cancelled'),
      statuses: { data: [{ alias: 'cancelled', created_at: { date: '2026-07-12 09:00:00.000000' } }] },
    };
    const undated = { ...cancelled, ...withTransaction({ captured: true, captured_at: null }) };
    const [paid] = eventsOf(undated, 'order.status.updated');
    expect(paid?.order.payments).toMatchObject([
      { paidAt: new Date('2026-07-12T12:00:00Z'), datedBy: 'its cancellation' },
    ]);
    const [late] = eventsOf({ ...cancelled, ...withTransaction({}) }, 'order.status.updated');
    expect(late?.order.payments).toMatchObject([{ paidAt: new Date('2026-07-13T14:02:45Z') }]);
    expect(late?.order.payments[0]?.datedBy).toBeUndefined();
  });

  it('is paid at the time of the event order.paid, where nothing else says when', () => {
    const [paid] = eventsOf({ transactions: { data: [] }, statuses: { data: [] } });
    expect(paid?.order.payments).toMatchObject([{ paidAt: new Date('2026-07-13T14:02:46Z') }]);
    expect(paid?.order.payments[0]?.datedBy).toBeUndefined();
  });

  it('has a time with its own zone, or a plain one in the zone of the source', () => {
    const own = { date: '2026-07-13 11:02:45.000000', timezone_type: 3, timezone: 'UTC' };
    const plain = '2026-07-13 11:02:45';
    const unknown = { ...own, timezone: 'Nowhere/Land' };
    const times = [own, plain, unknown].map((captured_at) =>
      eventsOf(withTransaction({ captured_at }))[0]?.occurredAt.toISOString(),
    );
    expect(times).toEqual([
      '2026-07-13T11:02:45.000Z',
      '2026-07-13T14:02:45.000Z',
      '2026-07-13T14:02:45.000Z',
    ]);
  });

  it('that is paid in part is not paid, and the rest is reported', () => {
    const [event] = eventsOf(
      { ...status('waiting_payment'), ...withTransaction({ amount: 100.01 }) },
      'order.status.updated',
    );
    expect(event?.order).toMatchObject({
      differences: ['The payments come to 100.01 BRL, but the order says 277.00 BRL.'],
    });
    expect(event?.order.paidAt).toBeUndefined();
  });

  it('whose event says paid and whose status says waiting is reported', () => {
    const [event] = eventsOf(status('waiting_payment'));
    expect(event?.order.differences).toEqual([
      'The event is order.paid, but the order is waiting_payment: its status says that it is not paid.',
    ]);
  });

  it('that is refunded was paid, although nothing says when', () => {
    const changes = { ...status('refunded'), transactions: { data: [] }, statuses: { data: [] } };
    const events = eventsOf(changes, 'order.status.updated');
    expect(events.map(({ type }) => type)).toEqual(['order.paid', 'order.refunded']);
    expect(events[0]?.order.payments).toMatchObject([{ datedBy: 'updated_at' }]);
  });

  it('gives all back in the statuses that the source names', () => {
    const body = {
      ...boleto,
      event: 'order.status.updated',
      resource: { ...boleto.resource, ...status('devolvido') },
    };
    const normalised = normalise(body, { refundedStatuses: 'refunded, Devolvido' });
    expect(normalised).toMatchObject({
      events: [
        { type: 'order.paid', order: { differences: [] } },
        { type: 'order.refunded', order: { refunds: [{ key: 'loja/order/102800001/refund/paid' }] } },
      ],
    });
  });

  it('of a guest has a customer of its own', () => {
    const [event] = eventsOf({ customer: { data: [] }, customer_id: null });
    expect(event?.order.customer).toMatchObject({
      key: 'loja/order/102800001/guest',
      name: 'Helena Prado Lima',
    });
  });
});

describe('a Yampi order by two cards', () => {
  it('has as many instalments before it is paid as after, whichever card is captured first', () => {
    const card = (id: number, installments: number, captured_at?: Json) => ({
      ...{ id, amount: 50, installments, payment: { data: { alias: 'visa', is_credit_card: true } } },
      ...(captured_at && { status: 'paid', captured: true, captured_at }),
    });
    const at = (second: number) => ({ date: `2026-07-13 11:00:0${second}`, timezone: 'America/Sao_Paulo' });
    const reported = (data: object[], alias: string, event: string) =>
      eventsOf({ value_total: 100, transactions: { data }, ...status(alias) }, event).map(
        ({ order }) => order.instalments,
      );
    const waiting = reported([card(1, 2), card(2, 3)], 'waiting_payment', 'order.created');
    const paid = [
      [1, 2],
      [2, 1],
    ].flatMap(([first = 0, second = 0]) =>
      reported([card(1, 2, at(first)), card(2, 3, at(second))], 'paid', 'order.paid'),
    );
    expect(waiting.concat(paid)).toEqual(waiting.concat(paid).map(() => 3));
  });
});
