import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CloudEvent, type CloudEventV1, HTTP } from 'cloudevents';
import { checkSettings } from '../check-settings';
import { genericHmac } from '../generic-hmac/generic-hmac';
import type { IncomingWebhook, Normalised } from '../source';
import { cloudevents } from './cloudevents';

const NOW = new Date('2026-07-20T12:05:00Z');
const SECRET = 'a secret of this test';
const STRUCTURED = 'application/cloudevents+json';
const BATCH = 'application/cloudevents-batch+json';
const CONTEXT = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: {} };
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'cloudevents');

type Json = Record<string, unknown>;

function fixture(name: string): Json {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Json;
}

function batch(name: string): Json[] {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Json[];
}

/** A request signed as a source without settings expects it. */
function request(
  body: unknown,
  contentType = STRUCTURED,
  headers: Record<string, string> = {},
): IncomingWebhook {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const signature = `sha256=${createHmac('sha256', SECRET).update(rawBody).digest('hex')}`;
  return {
    method: 'POST',
    headers: { 'content-type': contentType, 'x-hub-signature-256': signature, ...headers },
    query: {},
    rawBody,
  };
}

function verify(incoming: IncomingWebhook, settings: Json = {}) {
  return cloudevents.verify(incoming, [SECRET], settings, NOW);
}

function normalise(body: unknown): Normalised {
  const { rawBody } = request(body);
  return cloudevents.normalise({ topic: '', attributes: {}, rawBody, receivedAt: NOW }, CONTEXT);
}

function keysOf(normalised: Normalised): string[] {
  return 'events' in normalised ? normalised.events.map(({ type, key }) => `${type} ${key}`) : [];
}

function textOf(body: unknown): string {
  if (typeof body !== 'string') throw new Error('the body is no text');
  return body;
}

describe('what a library of CloudEvents sends', () => {
  const { data, source, id, type } = fixture('order-paid') as { data: Json } & Record<string, string>;
  const event = new CloudEvent({ id: id ?? '', source: source ?? '', type: type ?? '', data });

  it('in structured mode is verified and read', () => {
    const { headers, body } = HTTP.structured(event);
    const incoming = request(textOf(body), String(headers['content-type']));
    expect(verify(incoming)).toEqual({ ok: true });
    expect(cloudevents.identify(incoming)).toEqual(cloudevents.identify(request(fixture('order-paid'))));
    expect(keysOf(normalise(textOf(body)))).toEqual(['order.paid loja/order/9101']);
  });

  it('in binary mode is refused, and says why to whoever signed it', () => {
    const { headers, body } = HTTP.binary(event);
    const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const incoming = request(textOf(body), 'application/json', own);
    expect(verify(incoming)).toEqual({
      ok: false,
      signed: true,
      reason: expect.stringContaining('binary mode') as string,
    });
    const { 'x-hub-signature-256': _, ...unsigned } = incoming.headers;
    expect(verify({ ...incoming, headers: unsigned })).toEqual({
      ok: false,
      reason: 'the request carries no signature',
    });
  });

  it('in binary mode is taken by a source of the other provider, which signs the id', () => {
    const { headers, body } = HTTP.binary(event);
    const settings = { idHeader: 'ce-id', signed: '{id}.{body}' };
    const text = textOf(body);
    const signature = createHmac('sha256', SECRET).update(`${id}.${text}`).digest('hex');
    const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
    const incoming = request(text, 'application/json', { ...own, 'x-hub-signature-256': signature });
    expect(genericHmac.verify(incoming, [SECRET], settings, NOW)).toEqual({ ok: true });
    expect(genericHmac.identify(incoming, settings).dedupeKey).toBe(id);
  });

  it('is what the fixtures are', () => {
    const files = readdirSync(folder).filter((file) => file.endsWith('.json') && file !== 'cases.json');
    const events = files.flatMap((file) => fixture(file.replace('.json', '')));
    expect(events.length).toBeGreaterThan(15);
    for (const one of events)
      expect(new CloudEvent(one as Partial<CloudEventV1<unknown>>).validate()).toBe(true);
  });

  it('in a batch is what the library reads of it', () => {
    const events = batch('batch');
    const read = HTTP.toEvent({ headers: { 'content-type': BATCH }, body: JSON.stringify(events) });
    const ids = (Array.isArray(read) ? read : [read]).map((one) => one.id);
    expect(ids).toEqual(events.map((one) => one.id));
    expect(verify(request(events, BATCH))).toEqual({ ok: true });
    expect(keysOf(normalise(events))).toEqual([
      'order.paid loja/order/9102',
      'customer.updated loja/customer/831',
    ]);
  });
});

describe('the signature of CloudEvents', () => {
  it.each([`${STRUCTURED}; charset=utf-8`, 'Application/CloudEvents+JSON', `${BATCH};charset=UTF-8`])(
    'is of a content of type %s',
    (type) => {
      expect(verify(request(fixture('order-paid'), type))).toEqual({ ok: true });
    },
  );

  it.each(['application/json', 'application/cloudevents+xml', 'application/cloudevents', ''])(
    'is of no content of type %j',
    (type) => {
      expect(verify(request(fixture('order-paid'), type))).toMatchObject({ ok: false, signed: true });
    },
  );

  it('is by the scheme of the settings, with a time and an id', () => {
    const settings = {
      ...{ header: 'Webhook-Signature', encoding: 'base64', prefix: 'v1,', idHeader: 'Webhook-Id' },
      ...{ timestampHeader: 'Webhook-Timestamp', signed: '{id}.{timestamp}.{body}' },
    };
    const body = JSON.stringify(fixture('order-paid'));
    const signedAt = String(NOW.getTime() / 1_000 - 10);
    const hmac = createHmac('sha256', SECRET).update(`m-1.${signedAt}.${body}`).digest('base64');
    const headers = { 'webhook-id': 'm-1', 'webhook-timestamp': signedAt, 'webhook-signature': hmac };
    expect(verify(request(body, STRUCTURED, headers), settings)).toEqual({ ok: true });
    const later = { ...headers, 'webhook-timestamp': String(Number(signedAt) + 1) };
    expect(verify(request(body, STRUCTURED, later), settings).ok).toBe(false);
  });
});

describe('what CloudEvents are known by', () => {
  const keyOf = (body: unknown): string => cloudevents.identify(request(body)).dedupeKey;
  const paid = fixture('order-paid');

  it('is source and id, whatever else is in them', () => {
    expect(keyOf({ ...paid, time: '2026-07-21T00:00:00Z' })).toBe(keyOf(paid));
    expect(keyOf({ ...paid, id: 'e-2' })).not.toBe(keyOf(paid));
    expect(keyOf({ ...paid, source: '/lojas/4' })).not.toBe(keyOf(paid));
    expect(keyOf({ ...paid, source: 'a', id: 'b c' })).not.toBe(keyOf({ ...paid, source: 'a b', id: 'c' }));
  });

  it('is that of all events of a batch, and another with one event more', () => {
    expect(keyOf(batch('batch'))).toBe(keyOf(batch('batch')));
    expect(keyOf(batch('batch-again'))).not.toBe(keyOf(batch('batch')));
    expect(keyOf([paid])).toBe(keyOf(paid));
  });

  it('is the content, where one of them has no source or id', () => {
    expect(keyOf({ ...paid, id: '' })).toMatch(/^sha256:/);
    expect(keyOf([paid, { ...paid, source: undefined }])).toMatch(/^sha256:/);
  });

  it('has the lane of the one entity that they speak of, else one of its own', () => {
    const laneOf = (body: unknown): string => cloudevents.identify(request(body)).orderingKey;
    expect(laneOf(paid)).toBe('order/9101');
    expect(laneOf(batch('batch-of-one-order'))).toBe('order/9101');
    expect(laneOf(batch('batch'))).toBe(`delivery/${keyOf(batch('batch'))}`);
  });
});

describe('a CloudEvent', () => {
  const paid = fixture('order-paid');

  it.each<[Json, string]>([
    [{ specversion: '0.3' }, '$.specversion is not 1.0'],
    [{ id: null }, '$.id is missing'],
    [{ source: '' }, '$.source is missing'],
    [{ type: undefined }, '$.type is missing'],
    [{ data: undefined, data_base64: 'e30=' }, '$.data_base64 is not read'],
    [{ datacontenttype: 'application/xml' }, '$.datacontenttype is not JSON'],
    [{ data: {} }, '$.data.type is missing'],
    [{ data: 'x' }, '$.data is not an object'],
    [{ type: 'com.example.order.refunded' }, '$.data.type is another than that of its event'],
  ])('with %j is unreadable', (changes, message) => {
    expect(() => normalise({ ...paid, ...changes })).toThrow(message);
  });

  it.each([undefined, 'application/json; charset=utf-8', 'application/vnd.loja+json', 'text/json'])(
    'has JSON of the type %j',
    (datacontenttype) => {
      expect(keysOf(normalise({ ...paid, datacontenttype }))).toHaveLength(1);
    },
  );

  it('may have a type of its sender’s own', () => {
    expect(keysOf(normalise({ ...paid, type: 'com.example.venda' }))).toEqual(['order.paid loja/order/9101']);
    expect(normalise({ ...paid, type: 'com.example.venda', data: { type: 7 } })).toHaveProperty('ignored');
  });

  it('of a batch stops all of it where it cannot be read, and is named', () => {
    const [first, ...others] = batch('batch');
    expect(() => normalise([first, ...others, { ...paid, id: null }])).toThrow('$[3].id is missing');
    expect(() => normalise([first, 7])).toThrow('$[1] is not an object');
    expect(() => normalise([])).toThrow('not a JSON list of 1 to 500 objects');
    expect(() => normalise(Array.from({ length: 501 }, () => paid))).toThrow('1 to 500 objects');
  });

  it('shows all of itself to rules, also in a batch', () => {
    const normalised = normalise(batch('batch'));
    const [first] = 'events' in normalised ? normalised.events : [];
    expect(first?.raw).toMatchObject({ id: 'e-1004', data: { type: 'order.paid', data: { id: '9102' } } });
  });
});

describe('a sender that asks before it sends', () => {
  const ask = (
    headers: Record<string, string>,
    settings: Json = { allowedOrigins: 'eventos.example.com, b' },
  ) => cloudevents.handshake?.({ method: 'OPTIONS', headers, query: {}, rawBody: Buffer.alloc(0) }, settings);

  it('is allowed where the settings name it', () => {
    expect(ask({ 'webhook-request-origin': 'Eventos.example.com', 'webhook-request-rate': '120' })).toEqual({
      status: 200,
      contentType: 'text/plain',
      body: 'ok',
      headers: {
        allow: 'POST',
        'webhook-allowed-origin': 'eventos.example.com',
        'webhook-allowed-rate': '*',
      },
    });
    expect(ask({ 'webhook-request-origin': 'b' })).toMatchObject({ status: 200 });
  });

  it.each(['', 'example.com', 'eventos.example.com.evil.example', 'eventos.example.com, b', '*'])(
    'hears nothing as %j',
    (origin) => {
      expect(ask({ 'webhook-request-origin': origin })).toBeUndefined();
    },
  );

  it('hears nothing without a name, without settings, or with another method', () => {
    expect(ask({})).toBeUndefined();
    expect(ask({ 'webhook-request-origin': 'b' }, {})).toBeUndefined();
    const headers = { 'webhook-request-origin': 'b' };
    const asked = { method: 'POST', headers, query: {}, rawBody: Buffer.alloc(0) };
    expect(cloudevents.handshake?.(asked, { allowedOrigins: 'b' })).toBeUndefined();
    expect(cloudevents.handshake?.({ ...asked, method: 'OPTIONS' })).toBeUndefined();
  });
});

describe('settings of CloudEvents', () => {
  it.each([
    [{ allowedOrigins: 'https://example.com/' }, 'allowedOrigins'],
    [{ allowedOrigins: 'a, *' }, 'allowedOrigins'],
    [{ signed: '{timestamp}' }, 'signed'],
    [{ signed: '{id}.{body}' }, 'idHeader'],
  ])('%j are refused', (settings, name) => {
    expect(checkSettings(cloudevents, settings)).toMatchObject([{ name, code: 'unfit' }]);
  });

  it('may all be left out', () => {
    expect(checkSettings(cloudevents, {})).toEqual([]);
    expect(checkSettings(cloudevents, { allowedOrigins: 'eventos.example.com, b' })).toEqual([]);
  });
});
