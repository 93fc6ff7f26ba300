import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CanonicalEvent, OrderFacts } from '../../events/event';
import type { FetchedAnswer, IncomingWebhook, Normalised, StoredWebhook } from '../source';
import { omie } from './omie';

const RECEIVED_AT = new Date('2026-08-10T12:00:00Z');
const APP_KEY = '1560731700002';
const SETTINGS = { appKey: APP_KEY };
const CONTEXT = { source: 'loja', timeZone: 'America/Sao_Paulo', currency: 'BRL', settings: SETTINGS };
const ACCESS = { settings: SETTINGS, credentials: { appSecret: 's3cret' } };
const folder = join(__dirname, '..', '..', '..', 'test', 'fixtures', 'omie', 'fetched');

type Json = Record<string, unknown>;

function fetched(file: string): Json {
  return JSON.parse(readFileSync(join(folder, `${file}.json`), 'utf8')) as Json;
}

function request(body: unknown, token?: string, method = 'POST'): IncomingWebhook {
  const rawBody = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  return { method, headers: {}, query: {}, rawBody, ...(token !== undefined && { token }) };
}

function answer(name: string, body: unknown, status = 200): FetchedAnswer {
  return { name, status, body: Buffer.from(JSON.stringify(body)) };
}

function message(topic: string, event: unknown, answers: FetchedAnswer[] = []): StoredWebhook {
  const { rawBody } = request({ topic, event, appKey: APP_KEY });
  return { topic, attributes: {}, rawBody, receivedAt: RECEIVED_AT, fetched: answers };
}

const next = (webhook: StoredWebhook) => omie.fetchBack?.next(webhook, ACCESS);
const normalise = (webhook: StoredWebhook): Normalised => omie.normalise(webhook, CONTEXT);
const eventsOf = (normalised: Normalised): CanonicalEvent[] =>
  'events' in normalised ? normalised.events : [];

function ordersOf(normalised: Normalised): OrderFacts[] {
  return eventsOf(normalised).flatMap((event) => ('order' in event ? event.order : []));
}

/** A receivable of no sales order, with these entries and this summary. */
const OWN = 7_100_470_004;
const [PAID] = fetched('pix-paid-title')['titulosEncontrados'] as [Json];
const customer = answer('person-7100451202', fetched('person-jandira'));

function title(entries: Json[], summary: Json, head: Json = {}): FetchedAnswer {
  const cabecTitulo = { ...(PAID['cabecTitulo'] as Json), nValorTitulo: 100, ...head };
  const lancamentos = entries.map((entry, index) => ({
    ...{ nCodLanc: index + 1, dDtLanc: '20/07/2026', nCodCC: 4_243_124 },
    ...entry,
  }));
  const resumo = { cLiquidado: 'S', ...summary };
  return answer(`title-${OWN}`, { titulosEncontrados: [{ cabecTitulo, lancamentos, resumo }] });
}

function settled(entries: Json[], summary: Json, head: Json = {}): Normalised {
  const receivable = answer(`receivable-${OWN}`, fetched('pix-paid'));
  const answers = [receivable, title(entries, summary, head), customer];
  return normalise(message('Financas.ContaReceber.BaixaRealizada', { codigo_lancamento_omie: OWN }, answers));
}

describe('the address of Omie', () => {
  const body = { topic: 'VendaProduto.Incluida', appKey: APP_KEY };
  const verify = (token: string | undefined, changes: Json = {}) =>
    omie.verify(request({ ...body, ...changes }, token), ['s1', 's2'], SETTINGS, RECEIVED_AT);

  it('ends with the secret, which proves the sender and nothing of the body', () => {
    expect(verify('s2')).toEqual({ ok: true, bodyUnsigned: true });
    for (const token of ['s3', '', undefined]) expect(verify(token).ok).toBe(false);
  });

  it('takes nothing of another application, or of none', () => {
    for (const appKey of ['999', 1, null, undefined])
      expect(verify('s1', { appKey })).toMatchObject({ ok: false, signed: true });
    expect(verify('s1', { appKey: Number(APP_KEY) }).ok).toBe(true);
    expect(verify('wrong', { appKey: '999' })).not.toHaveProperty('signed');
  });

  it('answers a ping and probes, and takes nothing else for one', () => {
    const reply = (incoming: IncomingWebhook) => omie.handshake?.(incoming, SETTINGS);
    expect(reply(request({ ping: 'omie' }))).toEqual({
      ...{ status: 200, contentType: 'application/json; charset=utf-8', body: '{"pong":"omie"}' },
    });
    for (const method of ['GET', 'HEAD']) expect(reply(request('', undefined, method))?.status).toBe(200);
    for (const other of [{ ping: 'other' }, { ping: 'omie', topic: 'x' }, [], 'ping', body])
      expect(reply(request(other))).toBeUndefined();
    expect(reply(request({ ping: 'omie' }, undefined, 'PUT'))).toBeUndefined();
  });
});

describe('what a message of Omie is known by', () => {
  it.each([
    ['VendaProduto.Faturada', { idPedido: 11 }, 'order/11'],
    ['Financas.ContaReceber.Incluido', { codigo_lancamento_omie: 12 }, 'payment/12'],
    [
      'Financas.ContaReceber.BaixaRealizada',
      [{ codigo_baixa: 1, conta_a_receber: [{ codigo_lancamento_omie: 13 }] }],
      'payment/13',
    ],
    [
      'Financas.ContaPagar.BaixaRealizada',
      [{ codigo_baixa: 1, conta_a_pagar: [{ codigo_lancamento_omie: 14 }] }],
      'bill/14',
    ],
    ['ClienteFornecedor.Alterado', { codigo_cliente_omie: 15 }, 'customer/15'],
    ['NFe.NotaAutorizada', { id_nf: 16 }, 'delivery/m-1'],
  ])('is its own identifier, in the lane of what it is about: %s', (topic, event, orderingKey) => {
    expect(omie.identify(request({ messageId: 'm-1', topic, event }))).toEqual({
      ...{ topic, dedupeKey: 'm-1', orderingKey, attributes: {} },
    });
  });

  it('is its content where it has none', () => {
    expect(omie.identify(request({ topic: 'VendaProduto.Incluida' })).dedupeKey).toMatch(/^sha256:/);
  });
});

describe('what is fetched from Omie', () => {
  it('is asked for with POST, with the keys in the body alone', () => {
    const asked = next(message('VendaProduto.Faturada', { idPedido: 7_100_460_001 }));
    expect(asked).toEqual({
      name: 'order-7100460001',
      path: '/api/v1/produtos/pedido/',
      headers: { accept: 'application/json' },
      body: {
        contentType: 'application/json',
        text: JSON.stringify({
          ...{ call: 'ConsultarPedido', app_key: APP_KEY, app_secret: 's3cret' },
          param: [{ codigo_pedido: 7_100_460_001 }],
        }),
      },
      answers: [500],
    });
  });

  it('is nothing that is no number of Omie', () => {
    for (const idPedido of ['1 OR 1', '-1', '1.5', '9'.repeat(16), null])
      expect(() => next(message('VendaProduto.Faturada', { idPedido }))).toThrow('$.event.idPedido');
  });

  it('is each receivable that a message names, once, and not more than one delivery can have', () => {
    const naming = (...ids: number[]) =>
      message('Financas.ContaReceber.BaixaRealizada', [
        { conta_a_receber: ids.map((codigo_lancamento_omie) => ({ codigo_lancamento_omie })) },
        { conta_a_receber: [{ codigo_lancamento_omie: ids[0] }] },
      ]);
    const gone = [1, 2].map((id) =>
      answer(`receivable-${id}`, { faultcode: 'SOAP-ENV:Client-103', faultstring: 'não cadastrado' }, 500),
    );
    expect(next({ ...naming(1, 2), fetched: gone.slice(0, 1) })?.name).toBe('receivable-2');
    expect(next({ ...naming(1, 2), fetched: gone })).toBeUndefined();
    expect(() => next(naming(1, 2, 3, 4, 5, 6))).toThrow('more than 5 titles');
  });

  it('moves into the lane of the sales order that a receivable turned out to be of', () => {
    const event = { codigo_lancamento_omie: 7_100_470_001 };
    const answers = [answer('receivable-7100470001', fetched('instalment-paid'))];
    const lane = (webhook: StoredWebhook) => omie.fetchBack?.orderingKey?.(webhook);
    expect(lane(message('Financas.ContaReceber.BaixaRealizada', event, answers))).toBe('order/7100460001');
    expect(lane(message('VendaProduto.Faturada', { idPedido: 1 }))).toBeUndefined();
  });
});

describe('a fault of Omie', () => {
  const reported = (body: unknown, status = 500) =>
    normalise(message('VendaProduto.Alterada', { idPedido: 5 }, [answer('order-5', body, status)]));

  it.each([
    ['SOAP-ENV:Client-103', 'ERROR: Pedido não cadastrado para o Código [5] !'],
    ['SOAP-ENV:Client-107', 'ERROR: Pedido nao cadastrado'],
    ['SOAP-ENV:Client-5113', 'ERROR: Não existem registros para a página [1]!'],
  ])('says that something is not there: %s', (faultcode, faultstring) => {
    for (const status of [200, 500])
      expect(reported({ faultcode, faultstring }, status)).toEqual({
        ignored: 'the sales order is not there any more',
      });
  });

  it.each([
    ['MISUSE_API_PROCESS', 'ERROR: API bloqueada por consumo indevido. Tente novamente em 1800 segundos.'],
    ['SOAP-ENV:Client-6', 'ERROR: Consumo redundante detectado. Aguarde 57 segundos.'],
    ['SOAP-ENV:Client-101', 'ERROR: A chave de acesso está inválida, fulano@example.com'],
    ['<b>x</b>', 'nobody knows'],
  ])('is no answer otherwise, and nothing of its text is shown: %s', (faultcode, faultstring) => {
    const shown = /^[\w:-]+$/.test(faultcode) ? faultcode : 'status 500';
    expect(() => reported({ faultcode, faultstring })).toThrow(
      new Error(`Omie did not answer about the order: ${shown}`),
    );
  });

  it('says that it is asked too often with two faults alone', () => {
    const says = (faultstring: unknown) =>
      omie.fetchBack?.isTooOften?.({
        ...{ name: 'order', status: 500 },
        body: Buffer.from(JSON.stringify({ faultcode: 'x', faultstring })),
      });
    expect(says('ERROR: API bloqueada por consumo indevido. Tente novamente em 1800 segundos.')).toBe(true);
    expect(says('ERROR: Consumo redundante detectado. Aguarde 57 segundos.')).toBe(true);
    for (const other of ['ERROR: Pedido não cadastrado', 7, null]) expect(says(other)).toBe(false);
  });

  it('without a code, or a page that is under repair, is no answer either', () => {
    expect(() => reported({ message: 'down' })).toThrow('status 500');
    expect(() => reported('<html>')).toThrow();
  });
});

describe('a receivable of Omie', () => {
  it('is paid with what its entries say, where nothing came besides', () => {
    const [order] = ordersOf(settled([{ nValLanc: 100 }], { nValPago: 100, nValLiquido: 100 }));
    expect(order?.payments).toMatchObject([
      {
        key: 'loja/order/titulo-7100470004/payment/7100470004.1',
        gateway: 'omie-4243124',
        method: 'pix',
        paidAt: new Date('2026-07-20T03:00:00.000Z'),
      },
    ]);
    expect(order?.differences).toEqual([]);
  });

  it.each([
    ['the part of the receivable', 100, { nValPago: 100, nValLiquido: 103 }],
    ['what reached the account', 103, { nValPago: 100, nValLiquido: 103 }],
  ])('paid late is paid with its own part, whether an entry states %s', (_what, nValLanc, sums) => {
    const late = { nJuros: 1, nMulta: 2 };
    const [order] = ordersOf(settled([{ nValLanc, ...late }], { ...sums, ...late }));
    expect(order?.payments.map(({ value }) => value.toString())).toEqual(['100.00']);
    expect(order?.differences).toEqual([
      'Interest and fines of 3.00 BRL moved with entry 1: book them by hand.',
    ]);
  });

  it.each([
    ['the part of the receivable', 40],
    ['what reached the account', 30],
  ])('paid less a discount is paid with what came, whether entries state %s', (_what, nValLanc) => {
    const discounted = { nValLanc, nDesconto: 10 };
    const sums = { nValPago: 100, nValLiquido: 90, nDesconto: 10 };
    const [order] = ordersOf(settled([{ nValLanc: 60 }, discounted], sums));
    expect(order?.payments.map(({ value }) => value.toString())).toEqual(['60.00', '30.00']);
    expect(order?.differences).toEqual([
      'A discount of 10.00 BRL was given with entry 2: write it off by hand.',
    ]);
  });

  it('is not booked where its summary agrees with neither', () => {
    const late = { nJuros: 3 };
    for (const sums of [
      { nValPago: 100, nValLiquido: 100, nJuros: 3 },
      { nValPago: 100, nValLiquido: 104, nJuros: 4 },
      { nValPago: 100, nValLiquido: 103, nJuros: 3, nDesconto: 1 },
      { nValPago: 90, nValLiquido: 93, nJuros: 3 },
      {},
    ])
      expect(() => settled([{ nValLanc: 100, ...late }], sums)).toThrow('resumo');
  });

  it('that only a discount made less was paid with nothing', () => {
    const entry = { nValLanc: 5, nDesconto: 5 };
    const reported = settled([entry], { cLiquidado: 'N', nValPago: 5, nValLiquido: 0, nDesconto: 5 });
    expect(reported).toEqual({ ignored: 'nothing was paid of the receivable' });
  });

  it('reads each amount to the cent', () => {
    const sums = { nValPago: 0.3, nValLiquido: 0.3 };
    const [order] = ordersOf(settled([{ nValLanc: 0.1 }, { nValLanc: 0.2 }], sums, { nValorTitulo: 0.3 }));
    expect(order?.payments.map(({ value }) => value.minor)).toEqual([10n, 20n]);
    expect(order?.differences).toEqual([]);
    expect(() => settled([{ nValLanc: 10.005 }], {})).toThrow('is not an amount of BRL');
    expect(() => settled([{ nValLanc: -1 }], {})).toThrow('is negative');
  });

  it('is asked for again where money is said to have moved, and none is listed yet', () => {
    const sums = { cLiquidado: 'N', nValPago: 0, nValLiquido: 0 };
    expect(() => settled([], sums)).toThrow('does not list it yet');
    const answers = [answer(`receivable-${OWN}`, fetched('pix-paid')), title([], sums), customer];
    const changed = message('Financas.ContaReceber.Alterado', { codigo_lancamento_omie: OWN }, answers);
    expect(eventsOf(normalise(changed)).map(({ type }) => type)).toEqual(['order.pending']);
  });

  it('that is there, and of which Omie lists nothing, is asked for again', () => {
    const receivable = answer(`receivable-${OWN}`, fetched('pix-paid'));
    const other = title([{ nValLanc: 100 }], {}, { nCodTitulo: 1 });
    for (const listed of [other, answer(`title-${OWN}`, { faultcode: 'SOAP-ENV:Client-5113' }, 500)])
      expect(() =>
        normalise(
          message('Financas.ContaReceber.BaixaRealizada', { codigo_lancamento_omie: OWN }, [
            receivable,
            listed,
          ]),
        ),
      ).toThrow('does not list what moved for it');
  });
});

describe('a receivable of a sales order of Omie', () => {
  const event = { codigo_lancamento_omie: 7_100_470_001 };
  const paid = (order: unknown, head: Json = {}, orderStatus = 200): Normalised => {
    const found = fetched('instalment-paid-title')['titulosEncontrados'] as Json[];
    const [first] = found;
    const titulosEncontrados = [{ ...first, cabecTitulo: { ...(first?.['cabecTitulo'] as Json), ...head } }];
    return normalise(
      message('Financas.ContaReceber.BaixaRealizada', event, [
        answer('receivable-7100470001', fetched('instalment-paid')),
        answer('title-7100470001', { titulosEncontrados }),
        answer('order-7100460001', order, orderStatus),
        answer('person-7100451201', fetched('person-oficina')),
      ]),
    );
  };

  it('is the instalment that the sales order was told as', () => {
    const entered = message('VendaProduto.Incluida', { idPedido: 7_100_460_001 }, [
      answer('order-7100460001', fetched('order-entered')),
      answer('person-7100451201', fetched('person-oficina')),
    ]);
    const [first, second] = ordersOf(normalise(entered)).filter(({ charge }) => charge);
    const [order] = ordersOf(paid(fetched('order-invoiced')));
    expect([first?.key, second?.key]).toEqual(['loja/order/7100460001-1', 'loja/order/7100460001-2']);
    expect([first?.charge?.dueDate, second?.charge?.dueDate].map(String)).toEqual([
      '2026-08-15',
      '2026-09-15',
    ]);
    expect([order?.key, order?.number, order?.total, order?.createdAt]).toEqual([
      ...[first?.key, first?.number, first?.total, first?.createdAt],
    ]);
  });

  it('is asked for again where its sales order is said to be cancelled, and is not', () => {
    const cancelled = message('VendaProduto.Cancelada', { idPedido: 7_100_460_001 }, [
      answer('order-7100460001', fetched('order-entered')),
      answer('person-7100451201', fetched('person-oficina')),
    ]);
    expect(() => normalise(cancelled)).toThrow('does not show it yet');
  });

  it('asks a person where it is of another amount', () => {
    const [order] = ordersOf(paid(fetched('order-invoiced'), { nValorTitulo: 610 }));
    expect(order?.differences).toEqual([
      'Receivable 7100470001 is of 610.00 BRL, but its sales order says 600.00 BRL.',
      'Title 7100470001 of 610.00 BRL is settled with 600.00 BRL: see at Omie what became of the rest.',
    ]);
  });

  it('is not booked where its sales order, or its instalment of it, is not there', () => {
    const gone = { faultcode: 'SOAP-ENV:Client-103', faultstring: 'Pedido não cadastrado' };
    expect(() => paid(gone, {}, 500)).toThrow('does not have any more');
    expect(() => paid(fetched('order-invoiced'), { cNumParcela: '003/003' })).toThrow('does not have');
  });
});

describe('a bill of Omie', () => {
  it('is paid with what left the account, and known by its entry', () => {
    const event = [{ conta_a_pagar: [{ codigo_lancamento_omie: 7_100_490_001 }] }];
    const [reported] = eventsOf(
      normalise(
        message('Financas.ContaPagar.BaixaRealizada', event, [
          answer('bill-7100490001', fetched('bill-paid')),
          answer('title-7100490001', fetched('bill-paid-title')),
          answer('person-7100451205', { faultcode: 'x', faultstring: 'Cliente não cadastrado' }, 500),
        ]),
      ),
    );
    expect(reported).toMatchObject({
      type: 'bill.paid',
      key: 'loja/bill/7100490001.7100480011',
      bill: { value: { minor: 102_800n }, supplier: { name: '7100451205' }, category: '2.04.03' },
    });
  });
});
