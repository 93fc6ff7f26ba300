import { checkSettings } from '../check-settings';
import { notification } from '../mapping/listed';
import type { ListPage } from '../missed-webhooks';
import { UnreadablePayload } from '../payload';
import { omieList } from './list';
import { omie } from './omie';

type Json = Record<string, unknown>;

const ORDERS = { appKey: '156', comparedTopics: 'VendaProduto' };
const RECEIVABLES = { appKey: '156', comparedTopics: 'Financas.ContaReceber' };
const PERIOD = { from: new Date('2026-07-16T00:30:00Z'), to: new Date('2026-07-17T00:00:00Z') };
const ORDER = {
  cabecalho: { codigo_pedido: 71, etapa: '50' },
  total_pedido: { valor_total_pedido: 100 },
  infoCadastro: { dInc: '15/07/2026', hInc: '10:00:00', dAlt: '16/07/2026', hAlt: '08:00:00' },
};
const RECEIVABLE = {
  ...{ codigo_lancamento_omie: 81, nCodPedido: 0, numero_parcela: '001/001', status_titulo: 'A VENCER' },
  info: { dInc: '15/07/2026', hInc: '10:00:00', dAlt: '16/07/2026', hAlt: '08:00:00' },
};
const NOTHING = {
  faultstring: 'ERROR: Não existem registros para a página [1]!',
  faultcode: 'SOAP-ENV:Client-5113',
};

function read(
  body: object | string,
  { place, status = 200, settings = ORDERS }: { place?: string; status?: number; settings?: Json } = {},
): ListPage {
  const bytes = typeof body === 'string' ? Buffer.from(body) : notification(body);
  const about = { place, period: PERIOD, timeZone: 'America/Sao_Paulo', settings };
  return omieList.read({ name: 'list', status, body: bytes }, about);
}

const orders = (records: unknown, pages = 1): Json => ({
  total_de_paginas: pages,
  pedido_venda_produto: records,
});
const receivables = (...records: Json[]): ListPage =>
  read({ total_de_paginas: 1, conta_receber_cadastro: records }, { settings: RECEIVABLES });

function paramOf(settings: Json, place?: string): Json {
  const { body } = omieList.request(place, PERIOD, { settings, credentials: { appSecret: 's3cret' } });
  return (JSON.parse(body?.text ?? '') as { param: [Json] }).param[0];
}

describe('what is compared at Omie', () => {
  it('has to be named, because another source may have the rest', () => {
    expect(omieList.missingSetting({ appKey: '156' })).toBe('comparedTopics');
    expect(omieList.missingSetting({ ...ORDERS, comparedTopics: ' , ' })).toBe('comparedTopics');
    expect(omieList.missingSetting(ORDERS)).toBeUndefined();
  });

  it('can be nothing else than sales orders and receivables', () => {
    const problems = (comparedTopics: string) => checkSettings(omie, { appKey: '156', comparedTopics });
    expect(problems('Financas.ContaReceber , VendaProduto')).toEqual([]);
    for (const wrong of ['Financas.ContaPagar', 'VendaProduto.Alterada', 'vendaproduto'])
      expect(problems(wrong)).toMatchObject([{ name: 'comparedTopics' }]);
  });
});

describe('the lists of Omie', () => {
  it('are asked for with the keys in the body, for the hours of orders and the days of receivables', () => {
    const access = { settings: ORDERS, credentials: { appSecret: 's3cret' } };
    const { path, headers, body, answers } = omieList.request(undefined, PERIOD, access);
    expect([path, headers, answers]).toEqual([
      '/api/v1/produtos/pedido/',
      { accept: 'application/json' },
      [500],
    ]);
    const days = { filtrar_por_data_de: '15/07/2026', filtrar_por_data_ate: '16/07/2026' };
    const page = { pagina: 1, registros_por_pagina: 50, apenas_importado_api: 'N' };
    const hours = { filtrar_por_hora_de: '21:30:00', filtrar_por_hora_ate: '21:00:00' };
    expect(JSON.parse(body?.text ?? '')).toEqual({
      ...{ call: 'ListarPedidos', app_key: '156', app_secret: 's3cret' },
      param: [{ ...page, filtrar_apenas_alteracao: 'S', ...days, ...hours }],
    });
    expect(paramOf(RECEIVABLES)).toEqual({ ...page, filtrar_apenas_alteracao: 'S', ...days });
    expect(paramOf({ ...RECEIVABLES, timeZone: 'UTC' })).toMatchObject({
      ...{ filtrar_por_data_de: '16/07/2026', filtrar_por_data_ate: '17/07/2026' },
    });
  });

  it('are read to their last page, then for what was entered, then the next list', () => {
    const both = { appKey: '156', comparedTopics: 'VendaProduto,Financas.ContaReceber' };
    const next = (place: string | undefined, pages: number) =>
      read(orders([], pages), { settings: both, ...(place !== undefined && { place }) }).next;
    expect([next(undefined, 2), next('0/2', 2), next('1/1', 1)]).toEqual(['0/2', '1/1', '2/1']);
    expect(paramOf(both, '0/2')).toMatchObject({ pagina: 2, filtrar_apenas_alteracao: 'S' });
    expect(paramOf(both, '1/1')).toMatchObject({ pagina: 1, filtrar_apenas_inclusao: 'S' });
    expect(paramOf(both, '2/1')).not.toHaveProperty('filtrar_por_hora_de');
    const last = { total_de_paginas: 1, conta_receber_cadastro: [] };
    expect(read(last, { settings: both, place: '3/1' })).toEqual({ items: [] });
    expect(read(orders([]), { place: '1/1' })).toEqual({ items: [] });
  });

  it('are empty where Omie says with a fault that there are no records', () => {
    expect(read(NOTHING, { status: 500 })).toEqual({ items: [], next: '1/1' });
    expect(read(NOTHING, { status: 500, place: '1/1' })).toEqual({ items: [] });
  });

  it.each([
    ['another fault', { faultcode: 'SOAP-ENV:Client-101', faultstring: 'A chave de acesso está inválida' }],
    ['no list', { total_de_paginas: 1 }],
    ['no number of pages', { pedido_venda_produto: [] }],
    ['something else as a number of pages', orders([], -1)],
    ['an order without a number', orders([{ ...ORDER, cabecalho: { etapa: '50' } }])],
    [
      'an order of a number that JavaScript has not',
      orders([{ ...ORDER, cabecalho: { codigo_pedido: 2 ** 60 } }]),
    ],
    ['an order without a time', orders([{ ...ORDER, infoCadastro: {} }])],
    ['an order of a wrong time', orders([{ ...ORDER, infoCadastro: { dAlt: '31/02/2026' } }])],
  ])('are unreadable with %s', (_what, body) => {
    expect(() => read(body, { status: 'faultcode' in body ? 500 : 200 })).toThrow(UnreadablePayload);
  });
});

describe('a sales order in the list of Omie', () => {
  it('is known by its first instalment that costs something, since its last change', () => {
    const parcela = [
      { numero_parcela: 1, valor: 0 },
      { numero_parcela: 2, valor: 100 },
    ];
    const [item] = read(orders([{ ...ORDER, lista_parcelas: { parcela } }])).items;
    expect(item).toMatchObject({ changedAt: new Date('2026-07-16T11:00:00Z'), entity: 'order/71-2' });
    expect(item?.topics).toContain('VendaProduto.Faturada');
    expect(item?.topics).not.toContain('Financas.ContaReceber.BaixaRealizada');
    expect(JSON.parse(item?.webhook.body.toString() ?? '')).toEqual({
      messageId: 'compared:VendaProduto.Alterada:71:2026-07-16T11:00:00.000Z',
      ...{ topic: 'VendaProduto.Alterada', event: { idPedido: '71' }, appKey: '156' },
    });
    expect(read(orders([ORDER])).items[0]?.entity).toBe('order/71-1');
  });

  it('changed when it was invoiced or cancelled, too', () => {
    const at = (info: Json) =>
      read(orders([{ ...ORDER, infoCadastro: { ...ORDER.infoCadastro, ...info } }])).items[0]?.changedAt;
    expect(at({ dFat: '16/07/2026', hFat: '09:00:00' })).toEqual(new Date('2026-07-16T12:00:00Z'));
    expect(at({ dCan: '17/07/2026' })).toEqual(new Date('2026-07-17T03:00:00Z'));
  });

  it('is left out while it is a quote, and where it costs nothing', () => {
    const quote = { ...ORDER, cabecalho: { codigo_pedido: 72, etapa: '00' } };
    const free = { ...ORDER, total_pedido: { valor_total_pedido: 0 } };
    expect(read(orders([quote, free])).items).toEqual([]);
  });
});

describe('a receivable in the list of Omie', () => {
  it('is an order of its own, or an instalment of its sales order once something was paid', () => {
    const { items } = receivables(
      RECEIVABLE,
      { ...RECEIVABLE, codigo_lancamento_omie: 82, status_titulo: 'CANCELADO' },
      { ...RECEIVABLE, nCodPedido: 71, numero_parcela: '002/003', status_titulo: 'RECEBIDO' },
      { ...RECEIVABLE, nCodPedido: 71, numero_parcela: '003/003' },
      { ...RECEIVABLE, nCodPedido: 71, status_titulo: 'ATRASADO' },
    );
    expect(items.map(({ entity }) => entity)).toEqual(['order/titulo-81', 'order/titulo-82', 'order/71-2']);
    const [{ topics } = { topics: [] }] = items;
    expect(topics).toContain('Financas.ContaReceber.BaixaRealizada');
    expect(topics).not.toContain('Financas.ContaReceber.BaixaCancelada');
    expect(topics).not.toContain('VendaProduto.Alterada');
  });

  it('is fetched as a message about it would have it fetched', () => {
    const [item] = receivables(RECEIVABLE).items;
    const rawBody = item?.webhook.body ?? Buffer.alloc(0);
    const identity = omie.identify({ method: 'POST', headers: {}, query: {}, rawBody });
    expect(identity.orderingKey).toBe('payment/81');
    const webhook = { topic: identity.topic, attributes: {}, rawBody, receivedAt: PERIOD.to };
    const asked = omie.fetchBack?.next(webhook, { settings: RECEIVABLES, credentials: {} });
    expect(asked).toMatchObject({ name: 'receivable-81', path: '/api/v1/financas/contareceber/' });
  });
});
