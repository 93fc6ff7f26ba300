import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CanonicalEvent, OrderFacts } from '../../events/event';
import { UnreadablePayload } from '../payload';
import type { IncomingWebhook, Normalised } from '../source';
import { kiwify } from './kiwify';
import { kiwifySignature } from './message';

const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'kiwify');
type Json = Record<string, unknown>;

function fixture(name: string): Json {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Json;
}

const sale = fixture('order-approved-shared');
const shares = sale['Commissions'] as Json;

function request(body: unknown, query: Record<string, string> = {}): IncomingWebhook {
  return { method: 'POST', headers: {}, query, rawBody: Buffer.from(JSON.stringify(body)) };
}

function normalise(body: unknown): Normalised {
  const { rawBody } = request(body);
  return kiwify.normalise(
    { topic: '', attributes: {}, rawBody, receivedAt: new Date('2026-08-10T12:00:00Z') },
    { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} },
  );
}

function eventsOf(changes: Json): CanonicalEvent[] {
  const normalised = normalise({ ...sale, ...changes });
  return 'events' in normalised ? normalised.events : [];
}

function factsOf(changes: Json): OrderFacts {
  const [event] = eventsOf(changes);
  if (!event || !('order' in event)) throw new Error('no order');
  return event.order;
}

/** The sale with other amounts. */
const sharing = (changes: Json) => ({ Commissions: { ...shares, ...changes } });

const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

describe('the signature of Kiwify', () => {
  // Made with: openssl dgst -sha1 -hmac tok3n -hex
  const body = { order_id: '1', webhook_event_type: 'order_approved' };
  const signature = 'bd81b9881b2c91ebb8059b5dec455ca15d0fe730';
  const now = new Date();

  it('is the HMAC-SHA1 of the body, in the address', () => {
    expect(kiwify.verify(request(body, { signature }), ['tok3n'], {}, now)).toEqual({ ok: true });
    const message = { secret: 'tok3n', body: JSON.stringify(body), topic: '', id: '', sentAt: now };
    expect(kiwify.signQuery?.(message)).toEqual({ signature });
  });

  it('proves nothing where the token is empty', () => {
    const unkeyed = { secret: '', body: JSON.stringify(body), topic: '', id: '', sentAt: now };
    const query = kiwify.signQuery?.(unkeyed) ?? {};
    expect(kiwify.verify(request(body, query), [''], {}, now)).toMatchObject({ ok: false });
  });
});

describe('a sale that its body wraps', () => {
  const now = new Date();
  const content = JSON.stringify(sale);
  // What the sender signs is the sale alone.
  const signature = kiwifySignature('tok3n', content);
  const url = 'https://ponte.example.com/hooks/main/cursos';

  function wrapped(body: string, query: Record<string, string> = {}): IncomingWebhook {
    return { method: 'POST', headers: {}, query, rawBody: Buffer.from(body) };
  }
  const verify = (incoming: IncomingWebhook) => kiwify.verify(incoming, ['tok3n'], {}, now).ok;

  it('is genuine by the signature over it, in the address or beside it', () => {
    expect(verify(wrapped(`{"order":${content}}`, { signature }))).toBe(true);
    expect(verify(wrapped(`{"url":"${url}","signature":"${signature}","order":${content}}`))).toBe(true);
    expect(verify(wrapped(`{ "order" : ${content} , "signature" : "${signature}" }`))).toBe(true);
  });

  it('is genuine by a signature over the whole body, too', () => {
    const body = `{"url":"${url}","order":${content}}`;
    expect(verify(wrapped(body, { signature: kiwifySignature('tok3n', body) }))).toBe(true);
  });

  it.each([
    ['another sale', `{"signature":"${signature}","order":${content.replace('20000', '90000')}}`],
    [
      'an event beside it',
      `{"webhook_event_type":"chargeback","signature":"${signature}","order":${content}}`,
    ],
    ['no signature', `{"order":${content}}`],
    ['a signature that is no text', `{"signature":["${signature}"],"order":${content}}`],
    ['a text for a sale', `{"signature":"${signature}","order":${JSON.stringify(content)}}`],
  ])('is refused with %s', (_, body) => {
    expect(verify(wrapped(body))).toBe(false);
  });

  it('proves nothing where the token is empty', () => {
    const unkeyed = `{"signature":"${kiwifySignature('', content)}","order":${content}}`;
    expect(kiwify.verify(wrapped(unkeyed), [''], {}, now)).toMatchObject({ ok: false });
  });

  it('is read from the bytes that were verified and from no others', () => {
    const twice = `{"signature":"${signature}","order":${content},"order":${content.replace('20000', '90000')}}`;
    const incoming = wrapped(twice);
    expect(verify(incoming)).toBe(true);
    const { rawBody } = incoming;
    const stored = { topic: '', attributes: {}, rawBody, receivedAt: new Date('2026-08-10T12:00:00Z') };
    const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };
    const read = kiwify.normalise(stored, context);
    expect(JSON.stringify(read, plain)).toBe(JSON.stringify(normalise(sale), plain));
  });

  it('is known by the same as the sale alone', () => {
    expect(kiwify.identify(wrapped(`{"signature":"${signature}","order":${content}}`))).toEqual(
      kiwify.identify(request(sale)),
    );
  });
});

describe('what a Kiwify delivery is known by', () => {
  it('is its sale and event, whatever else changed', () => {
    const [first, later, back] = [
      sale,
      { ...sale, updated_at: '2026-07-16 09:00' },
      { ...sale, webhook_event_type: 'order_refunded' },
    ].map((body) => kiwify.identify(request(body)));
    expect(first?.dedupeKey).toBe(`${String(sale['order_id'])}:order_approved`);
    expect(later).toEqual(first);
    expect(back?.dedupeKey).not.toBe(first?.dedupeKey);
    expect(back?.orderingKey).toBe(first?.orderingKey);
  });

  it('is its content where it names no sale or no event', () => {
    for (const body of [
      { webhook_event_type: 'order_approved' },
      { order_id: 'x' },
      { id: 'cart', status: 'abandoned' },
    ])
      expect(kiwify.identify(request(body)).dedupeKey).toMatch(/^sha256:/);
  });
});

describe('a sale of Kiwify', () => {
  it.each([
    ['billet_created', 'waiting_payment', ['order.created', 'order.pending']],
    ['order_approved', 'paid', ['order.paid']],
    ['subscription_renewed', 'paid', ['order.paid']],
    ['order_refunded', 'refunded', ['order.paid', 'order.refunded']],
    ['chargeback', 'chargedback', ['order.paid', 'payment.disputed']],
    ['pix_created', 'paid', ['order.created', 'order.paid']],
    ['pix_created', 'chargedback', ['order.created', 'order.paid', 'payment.disputed']],
    ['order_approved', 'refunded', ['order.paid', 'order.refunded']],
    ['order_refunded', 'paid', ['order.paid', 'order.refunded']],
    ['chargeback', 'paid', ['order.paid', 'payment.disputed']],
    ['chargeback', 'refunded', ['order.paid', 'payment.disputed']],
  ])('told by %s while it is %s becomes %j', (webhook_event_type, order_status, types) => {
    const events = eventsOf({ webhook_event_type, order_status });
    expect(events.map(({ type }) => type)).toEqual(types);
  });

  it('whose event and status disagree is what the event says, and is reported', () => {
    expect(factsOf({ webhook_event_type: 'chargeback', order_status: 'paid' }).differences[0]).toBe(
      'The event is chargeback, but the status of the order is paid.',
    );
  });

  it('is one payment, whether it is approved, renewed or given back', () => {
    const payments = ['order_approved', 'subscription_renewed', 'order_refunded'].map(
      (webhook_event_type) => factsOf({ webhook_event_type }).payments,
    );
    expect(payments[1]).toEqual(payments[0]);
    expect(payments[2]).toEqual(payments[0]);
  });

  it('leaves what Kiwify pays out when its fee and the commissions of others are taken off', () => {
    const { total, commission, payments } = factsOf({});
    const kept = (payments[0]?.fee?.minor ?? 0n) + (commission?.minor ?? 0n);
    expect(total.minor - kept).toBe(BigInt(String(shares['my_commission'])));
  });

  it('takes amounts as text, too, and nothing but whole cents', () => {
    expect(factsOf(sharing({ charge_amount: '20000', my_commission: '11953' }))).toEqual(factsOf({}));
    for (const charge_amount of [200.5, '200,00', '2e4', -1, null])
      expect(() => normalise({ ...sale, ...sharing({ charge_amount }) })).toThrow(UnreadablePayload);
  });

  it('has the fee that Kiwify names where it does not say what the shop gets', () => {
    const { payments, differences } = factsOf(sharing({ my_commission: null }));
    expect(payments[0]?.fee?.toString()).toBe('20.47');
    expect(differences).toEqual([]);
  });

  it('has no price and no fee in another currency than it was charged in', () => {
    const { lines, payments } = factsOf(
      sharing({ my_commission: null, product_base_price_currency: 'USD', kiwify_fee_currency: 'USD' }),
    );
    expect(lines).toMatchObject([{ title: 'Curso de marcenaria', price: { minor: 20_000n } }]);
    expect(payments[0]?.fee).toBeUndefined();
  });

  it('that costs less than its price was discounted', () => {
    const { discount, lines } = factsOf(sharing({ product_base_price: 25_000 }));
    expect([discount?.toString(), lines.length]).toEqual(['50.00', 1]);
  });

  it('whose commissions cannot be is booked without those of others', () => {
    const { commission, differences } = factsOf(sharing({ my_commission: 19_000 }));
    expect(commission).toBeUndefined();
    expect(differences).toEqual([
      'The commissions come to more than the buyer paid, 200.00 BRL: those of others are left out.',
    ]);
  });

  it.each([
    ['13/07/2026', '2026-07-13'],
    ['2026-07-13', '2026-07-13'],
    ['2026-07-13T23:59:00-03:00', '2026-07-13'],
    ['soon', undefined],
  ])('that waits for a boleto due %s', (boleto_expiry_date, day) => {
    const waiting = { webhook_event_type: 'billet_created', order_status: 'waiting_payment' };
    const pending = eventsOf({ ...waiting, boleto_expiry_date }).find(({ type }) => type === 'order.pending');
    expect(pending && 'order' in pending ? pending.order.charge?.dueDate?.toString() : '').toBe(day);
  });

  it('without a buyer’s data is a guest’s', () => {
    expect(factsOf({ Customer: null }).customer).toEqual({
      key: `loja/order/${String(sale['order_id'])}/guest`,
      name: 'Guest',
    });
  });
});
