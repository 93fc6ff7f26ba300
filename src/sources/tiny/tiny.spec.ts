import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { OrderFacts } from '../../events/event';
import { checkSettings } from '../check-settings';
import { UnreadablePayload } from '../payload';
import type { FetchedAnswer, IncomingWebhook, Normalised } from '../source';
import { tiny } from './tiny';

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const CNPJ = '11.222.333/0001-81';
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'tiny');

type Json = Record<string, unknown>;

function read(name: string): Json {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Json;
}

function request(body: unknown, changes: Partial<IncomingWebhook> = {}): IncomingWebhook {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { method: 'POST', headers: {}, query: {}, rawBody, ...changes };
}

function answered(retorno: unknown): FetchedAnswer {
  const text = typeof retorno === 'string' ? retorno : JSON.stringify({ retorno });
  return { name: 'order', status: 200, body: Buffer.from(text) };
}

function webhook(body: unknown, fetched: FetchedAnswer[] = []) {
  const { topic, attributes } = tiny.identify(request(body));
  return { topic, attributes, rawBody: request(body).rawBody, receivedAt: RECEIVED_AT, fetched };
}

function normaliseAnswer(message: Json, answer: FetchedAnswer, settings: Json = {}): Normalised {
  const context = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL' };
  return tiny.normalise(webhook(message, [answer]), { ...context, settings: { cnpj: CNPJ, ...settings } });
}

const MADE = read('order-created');
const CHANGED = read('order-invoiced');
const ORDER = (read('fetched/order-created').retorno as Json).pedido as Json;

/** What comes of a changed order with these fields instead of its own. */
function normalise(changes: Json = {}, settings: Json = {}): Normalised {
  return normaliseAnswer(CHANGED, answered({ status: 'OK', pedido: { ...ORDER, ...changes } }), settings);
}

function orderOf(normalised: Normalised): OrderFacts {
  const [event] = 'events' in normalised ? normalised.events : [];
  if (event === undefined || !('order' in event)) throw new Error('no order');
  return event.order;
}

describe("Tiny's secret", () => {
  const verify = (token: string | undefined, secrets = ['um-segredo-longo']) =>
    tiny.verify(request({}, token === undefined ? {} : { token }), secrets, {}, RECEIVED_AT);

  it('stands in the address, and signs nothing', () => {
    expect(verify('um-segredo-longo')).toEqual({ ok: true, bodyUnsigned: true });
    expect(verify('outro').ok).toBe(false);
    expect(verify(undefined).ok).toBe(false);
    expect(verify('', ['']).ok).toBe(false);
  });
});

describe('who asks whether anybody is there', () => {
  it.each(['GET', 'HEAD'])('with %s is answered in JSON', (method) => {
    const reply = tiny.handshake?.(request('', { method }));
    expect(reply).toMatchObject({ status: 200, contentType: 'application/json; charset=utf-8' });
    expect(JSON.parse(reply?.body ?? '')).toEqual({ status: 'ok' });
  });

  it.each(['POST', 'OPTIONS', 'PUT'])('with %s is not', (method) => {
    expect(tiny.handshake?.(request(MADE, { method }))).toBeUndefined();
    expect(tiny.handshake?.(request('', { method }))).toBeUndefined();
  });
});

describe('what a notification is known by', () => {
  it('is its content until the order is fetched: the next change may be the same to the byte', () => {
    const { topic, dedupeKey, orderingKey, untilFetched } = tiny.identify(request(CHANGED));
    expect([topic, orderingKey, untilFetched]).toEqual(['atualizacao_pedido', 'order/840000501', true]);
    expect(tiny.identify(request(CHANGED)).dedupeKey).toBe(dedupeKey);
    expect(tiny.identify(request({ ...CHANGED, versao: '1.0.2' })).dedupeKey).not.toBe(dedupeKey);
  });

  it('puts what integrations tell of an order into its lane, too', () => {
    expect(tiny.identify(request(read('order-sent'))).orderingKey).toBe('order/840000502');
  });

  it('is its content for ever where it is about no order', () => {
    const { dedupeKey, orderingKey, untilFetched } = tiny.identify(request(read('invoice')));
    expect([orderingKey, untilFetched]).toEqual([`delivery/${dedupeKey}`, undefined]);
  });
});

describe("Tiny's settings", () => {
  it.each<[Json, string[]]>([
    [{ cnpj: CNPJ }, []],
    [{ cnpj: '529.982.247-25', paidSituations: 'faturado, Pronto para Envio,nao_entregue' }, []],
    [{ cnpj: '12.ABC.345/01DE-35' }, []],
    [{}, ['cnpj']],
    [{ cnpj: '11.222.333/0001-80' }, ['cnpj']],
    [{ cnpj: CNPJ, paidSituations: 'Pago' }, ['paidSituations']],
    [{ cnpj: CNPJ, paidSituations: 'Aprovado, Cancelado' }, ['paidSituations']],
    [{ cnpj: CNPJ, paidSituations: 'Dados incompletos' }, ['paidSituations']],
  ])('%j: wrong are %j', (settings, wrong) => {
    expect(checkSettings(tiny, settings).map(({ name }) => name)).toEqual(wrong);
  });
});

describe('the account of a notification', () => {
  const of = (cnpj: unknown) => () =>
    normaliseAnswer({ ...CHANGED, cnpj }, answered({ status: 'OK', pedido: ORDER }));

  it('is the one of the source, however it is written', () => {
    for (const cnpj of ['11222333000181', '11.222.333/0001-81', ' 11222333/0001-81 '])
      expect(of(cnpj)()).toHaveProperty('events');
    const [lower, upper] = ['12.abc.345/01de-35', '12ABC34501DE35'];
    const answer = answered({ status: 'OK', pedido: ORDER });
    expect(normaliseAnswer({ ...CHANGED, cnpj: upper }, answer, { cnpj: lower })).toHaveProperty('events');
  });

  it('is refused where it is another one, or none, and shown to nobody', () => {
    expect(of('22.333.444/0001-81')).toThrow('$.cnpj is another account than the one of this source');
    expect(of(undefined)).toThrow('$.cnpj is missing');
    expect(of(null)).toThrow('$.cnpj is missing');
  });
});

describe('what is asked of Tiny', () => {
  const next = (message: Json, fetched: FetchedAnswer[] = []) =>
    tiny.fetchBack?.next(webhook(message, fetched), {
      settings: { cnpj: CNPJ },
      credentials: { token: 't&1' },
    });

  it('is the order, with a form that has the token', () => {
    expect(next(CHANGED)).toEqual({
      ...{ name: 'order', path: '/pedido.obter.php', headers: { accept: 'application/json' } },
      body: {
        contentType: 'application/x-www-form-urlencoded',
        text: 'token=t%261&id=840000501&formato=json',
      },
      answers: [],
    });
    expect(next(read('order-sent'))?.body?.text).toContain('&id=840000502&');
    expect(next(CHANGED, [answered({ status: 'OK' })])).toBeUndefined();
  });

  it('takes no status for an answer but 200: a path that is not there says nothing of an order', () => {
    expect(next(CHANGED)?.answers).toEqual([]);
  });

  it.each(['1&token=2', '', '../x', 'abc', null])('is never an order that is called %j', (id) => {
    expect(() => next({ ...CHANGED, dados: { id } })).toThrow(UnreadablePayload);
  });
});

describe('what Tiny answers with 200', () => {
  const error = (codigo_erro: unknown) =>
    answered({ status: 'Erro', codigo_erro, erros: [{ erro: 'Iara' }] });

  it('says with two errors that it is asked too often, and with nothing else', () => {
    const says = (answer: FetchedAnswer) => tiny.fetchBack?.isTooOften?.(answer);
    expect([error(6), error('11')].map(says)).toEqual([true, true]);
    const others = [error(2), error(66), answered('<html>'), answered('{}'), answered({ pedido: ORDER })];
    expect(others.map(says)).toEqual(others.map(() => false));
  });

  it.each<[string, FetchedAnswer, string]>([
    ['asked too often', error(6), 'error 6: it is asked too often'],
    ['asked too often at once', error('11'), 'error 11: it is asked too often'],
    ['another token', error(2), 'error 2: it does not take the token'],
    ['anything else', error(99), 'error 99'],
    ['no number', error(undefined), 'error without a number'],
    ['a text for a number', error('Iara Monteiro'), 'error without a number'],
    ['no status', answered({ pedido: ORDER }), 'error without a number'],
    ['a page', answered('<html>em manutenção</html>'), 'the body is'],
    ['nothing', answered('{}'), 'error without a number'],
  ])('is no answer with %s, so that it is asked again', (_says, answer, why) => {
    expect(() => normaliseAnswer(CHANGED, answer)).toThrow(UnreadablePayload);
    expect(() => normaliseAnswer(CHANGED, answer)).toThrow(why);
    expect(() => normaliseAnswer(CHANGED, answer)).not.toThrow(/Iara/);
  });

  it.each([20, '20', 32, '32'])('is that the order is gone with error %j', (code) => {
    expect(normaliseAnswer(CHANGED, error(code))).toEqual({ ignored: 'the order is not there any more' });
  });

  it('is not believed to be gone where the order was just made', () => {
    for (const code of [20, 32])
      expect(() => normaliseAnswer(MADE, error(code))).toThrow(
        'does not find the order, which was just made',
      );
  });

  it('is an answer about the order that was asked for alone', () => {
    expect(() => normalise({ id: '840000502' })).toThrow(
      '$.retorno.pedido.id is not the order that was asked for',
    );
  });
});

describe('an order of Tiny', () => {
  it('is not paid, whatever its situation, where the company does not say which one means it', () => {
    for (const situacao of ['Em aberto', 'Aprovado', 'Faturado', 'Entregue', 'Não entregue', 'Nova situação'])
      expect(orderOf(normalise({ situacao })).payments).toEqual([]);
    const settings = { paidSituations: 'nao_entregue, APROVADO' };
    for (const [situacao, count] of [
      ['Aprovado', 1],
      ['Não entregue', 1],
      ['Entregue', 0],
    ] as const)
      expect([situacao, orderOf(normalise({ situacao }, settings)).payments.length]).toEqual([
        situacao,
        count,
      ]);
  });

  it('is cancelled when it is called so, by the time that Tiny told of it', () => {
    expect(orderOf(normalise({ situacao: 'Cancelado' })).cancelledAt).toEqual(RECEIVED_AT);
    expect(orderOf(normalise({ situacao: 'Faturado' })).cancelledAt).toBeUndefined();
  });

  it('of an e-commerce is left out by its number or its name', () => {
    const ecommerce = { id: '8123', nomeEcommerce: 'Loja Ipê' };
    for (const leftOutChannels of ['8123', 'outra, loja ipê'])
      expect(normalise({ ecommerce }, { leftOutChannels })).toHaveProperty('ignored');
    for (const leftOutChannels of ['812', 'Loja'])
      expect(normalise({ ecommerce }, { leftOutChannels })).toHaveProperty('events');
    expect(normalise({ ecommerce: null }, { leftOutChannels: '0' })).toHaveProperty('events');
  });

  it('without instalments waits for its total, paid as the order says', () => {
    const charge = (changes: Json) => orderOf(normalise({ parcelas: [], ...changes })).charge;
    const usual = { key: 'loja/order/840000501/payment/paid', gateway: 'Banco do Brasil', method: 'boleto' };
    expect(charge({})).toMatchObject(usual);
    expect(charge({})?.value.toString()).toBe('1500.00');
    expect(charge({ forma_pagamento: 'multiplas', meio_pagamento: null })).toMatchObject({
      gateway: '',
      method: '',
    });
  });

  it('has instalments that are paid in their own way, else as the order says', () => {
    const charge = (parcela: Json) => orderOf(normalise({ parcelas: [{ parcela }] })).charge;
    const own = { data: '05/08/2026', valor: '1500.00', forma_pagamento: 'pix', meio_pagamento: 'Itaú' };
    expect(charge(own)).toMatchObject({ gateway: 'Itaú', method: 'pix' });
    expect(charge({ valor: '1500.00' })).toMatchObject({ gateway: 'Banco do Brasil', method: 'boleto' });
  });

  it('knows its buyer by the code that the company gave them, if it can be one', () => {
    const key = (codigo: unknown) => orderOf(normalise({ cliente: { nome: 'Iara', codigo } })).customer.key;
    expect(key('CLI-77')).toBe('loja/customer/CLI-77');
    for (const codigo of ['', null, 'a b', 'a/b']) expect(key(codigo)).toBe('loja/order/840000501/guest');
  });

  it('has amounts of eight decimals, and is never rounded', () => {
    const { total, discount, shipping } = orderOf(
      normalise({ total_pedido: '2074.85000000', valor_desconto: 366.15, valor_frete: '0.00000000' }),
    );
    expect([total.toString(), discount?.toString(), shipping]).toEqual(['2074.85', '366.15', undefined]);
  });

  it.each<[Json, string]>([
    [
      { total_pedido: '89.99500000' },
      '$.retorno.pedido.total_pedido is not an amount of BRL: more than 2 decimals',
    ],
    [{ total_pedido: '1.500,00' }, '$.retorno.pedido.total_pedido is not an amount of BRL'],
    [{ total_pedido: '' }, '$.retorno.pedido.total_pedido is missing'],
    [{ situacao: '' }, '$.retorno.pedido.situacao is missing'],
    [{ data_pedido: '31/02/2026' }, '$.retorno.pedido.data_pedido is not a day'],
    [{ data_pedido: '07/06' }, '$.retorno.pedido.data_pedido is not a day'],
    [{ data_pedido: '' }, '$.retorno.pedido.data_pedido is missing'],
    [{ parcelas: [{ parcela: {} }] }, '$.retorno.pedido.parcelas[0].parcela.valor is missing'],
  ])('cannot be read with %j', (changes, why) => {
    expect(() => normalise(changes)).toThrow(why);
  });

  it('begins on its day where the books are kept, whatever clocks Tiny has', () => {
    const context = {
      source: 'loja',
      timeZone: 'America/Sao_Paulo',
      dayZone: 'America/Manaus',
      currency: 'BRL',
    };
    const answer = answered({ status: 'OK', pedido: { ...ORDER, data_pedido: '01/06/2026' } });
    const made = tiny.normalise(webhook(CHANGED, [answer]), { ...context, settings: { cnpj: CNPJ } });
    expect(orderOf(made).createdAt.toISOString()).toBe('2026-06-01T04:00:00.000Z');
  });

  it('reads its days as Brazil writes them', () => {
    const { createdAt } = orderOf(normalise({ data_pedido: '07/06/2026' }));
    expect(createdAt.toISOString()).toBe('2026-06-07T03:00:00.000Z');
  });
});
