import { brazilianInstant, wallTimeOf } from '../mapping/brazilian-dates';
import { notification } from '../mapping/listed';
import type { AboutPage, ListedItem, ListPage, Period, ProviderList } from '../missed-webhooks';
import type { Payload } from '../payload';
import { listSetting, textSetting } from '../settings';
import type { SettingProblem, Settings } from '../source';
import { readAnswer } from './answers';
import { requestFor } from './fetches';
import { codeIn, codeOf, topicsWithStateOf } from './message';
import { ownId } from './receivable';
import { firstInstalmentOf, instalmentId, isQuote } from './sales-order';
import { instalmentOf } from './title';

/** The setting that names what is compared. */
export const COMPARED = 'comparedTopics';
/** Records of a page. Omie gives more, and an order with its items and taxes has tens of kilobytes. */
const PAGE = 50;
/** Omie shows what was entered and what was changed apart: the first need not be among the second. */
const FILTERS = ['filtrar_apenas_alteracao', 'filtrar_apenas_inclusao'] as const;
/** Of a receivable of a sales order with such a status nothing was paid, and its sales order says the rest. */
const UNPAID = ['AVENCER', 'VENCEHOJE', 'ATRASADO', 'EMABERTO', 'CANCELADO'];
const NUMBER = /^\d{1,9}$/;

/** One of Omie's lists. */
interface Compared {
  /** As the setting has it, and topics begin. */
  readonly topic: string;
  readonly service: string;
  readonly call: string;
  /** The member of an answer that has the records. */
  readonly records: string;
  /** Whether hours are a part of the period; else it is whole days. */
  readonly hasHours: boolean;
  /** Undefined: nothing would be booked of it. @throws UnreadablePayload */
  item(record: Payload, about: AboutPage): ListedItem | undefined;
}

const LISTS: readonly Compared[] = [
  {
    ...{ topic: 'VendaProduto', service: 'produtos/pedido', call: 'ListarPedidos' },
    ...{ records: 'pedido_venda_produto', hasHours: true, item: orderItem },
  },
  {
    ...{ topic: 'Financas.ContaReceber', service: 'financas/contareceber', call: 'ListarContasReceber' },
    ...{ records: 'conta_receber_cadastro', hasHours: false, item: receivableItem },
  },
];
export const COMPARED_TOPICS = LISTS.map(({ topic }) => topic);

/** One list with one filter, and a page of it. */
interface Place {
  readonly list: Compared;
  readonly filter: (typeof FILTERS)[number];
  readonly page: number;
}

/**
 * Sales orders and receivables that were entered or changed, by Omie's number of them, which does not move. What the company has
 * not chosen to be sent is not asked for: another source may have it.
 */
export const omieList: ProviderList = {
  has: 'states',
  missingSetting: (settings) => (listsOf(settings).length === 0 ? COMPARED : undefined),
  request(place, period, access) {
    const { list, filter, page } = placeOf(place, access.settings);
    const { service, call } = list;
    const param = { pagina: page, registros_por_pagina: PAGE, apenas_importado_api: 'N', [filter]: 'S' };
    const asked = {
      name: 'list',
      service,
      call,
      param: { ...param, ...periodOf(list, period, access.settings) },
    };
    return requestFor(asked, access);
  },
  read(answer, about) {
    const { list, page } = placeOf(about.place, about.settings);
    const found = readAnswer(answer, 'list');
    // Omie has no empty page: it says that there are no records, with the fault of any other mistake.
    if (found === undefined) return endOf(about, []);
    const items = found.items(list.records).flatMap((record) => list.item(record, about) ?? []);
    const pages = found.text('total_de_paginas') ?? found.missing('total_de_paginas');
    if (!NUMBER.test(pages)) found.fail('total_de_paginas', 'is not a number of pages');
    if (!found.has(list.records)) found.missing(list.records);
    return page < Number(pages)
      ? { items, next: `${indexOf(about.place)}/${page + 1}` }
      : endOf(about, items);
  },
};

/** What is wrong with the setting that names what is compared. */
export function checkOmieSettings(settings: Settings): SettingProblem | undefined {
  return listSetting(settings, COMPARED).every((topic) => COMPARED_TOPICS.includes(topic))
    ? undefined
    : { name: COMPARED, message: `must be ${COMPARED_TOPICS.join(' or ')}, or both, separated by commas` };
}

function listsOf(settings: Settings): Compared[] {
  const topics = listSetting(settings, COMPARED);
  return LISTS.filter(({ topic }) => topics.includes(topic));
}

/** @param place which of the lists with which filter, and the number of the page; undefined: the first of all */
function placeOf(place: string | undefined, settings: Settings): Place {
  const index = indexOf(place);
  const lists = listsOf(settings);
  return {
    list: lists[Math.floor(index / FILTERS.length)] ?? (LISTS[0] as Compared),
    filter: FILTERS[index % FILTERS.length] ?? FILTERS[0],
    page: Number(place?.split('/')[1] ?? 1),
  };
}

function indexOf(place: string | undefined): number {
  return Number(place?.split('/')[0] ?? 0);
}

/** The page after the last one of a list: the first of the next list, if there is one. */
function endOf({ place, settings }: AboutPage, items: ListedItem[]): ListPage {
  const index = indexOf(place) + 1;
  return index < listsOf(settings).length * FILTERS.length ? { items, next: `${index}/1` } : { items };
}

function periodOf({ hasHours }: Compared, { from, to }: Period, settings: Settings): Record<string, string> {
  const [begin, end] = [from, to].map((instant) => wallTimeOf(instant, textSetting(settings, 'timeZone')));
  const hours = { filtrar_por_hora_de: begin?.slice(11) ?? '', filtrar_por_hora_ate: end?.slice(11) ?? '' };
  return {
    filtrar_por_data_de: brazilian(begin),
    filtrar_por_data_ate: brazilian(end),
    ...(hasHours && hours),
  };
}

function brazilian(wallTime = ''): string {
  return wallTime.slice(0, 10).split('-').reverse().join('/');
}

/** A quote, and what costs nothing, is set aside, and would leave no trace by which it is known. */
function orderItem(order: Payload, about: AboutPage): ListedItem | undefined {
  const id = codeOf(order.at('cabecalho'), 'codigo_pedido');
  const number = isQuote(order) ? undefined : firstInstalmentOf(order, about.timeZone);
  if (number === undefined) return undefined;
  const changedAt = latestOf(order.at('infoCadastro'), ['Inc', 'Alt', 'Fat', 'Can'], about.timeZone);
  const event = { idPedido: id };
  const entity = `order/${instalmentId(id, number)}`;
  const topics = topicsWithStateOf('order');
  return {
    webhook: message(['VendaProduto.Alterada', id, changedAt], event, about),
    changedAt,
    entity,
    topics,
  };
}

function receivableItem(receivable: Payload, about: AboutPage): ListedItem | undefined {
  const id = codeOf(receivable, 'codigo_lancamento_omie');
  const order = codeIn(receivable, 'nCodPedido');
  const status = (receivable.text('status_titulo') ?? '').replace(/[^A-Z]/g, '');
  if (order !== undefined && UNPAID.includes(status)) return undefined;
  const changedAt = latestOf(receivable.at('info'), ['Inc', 'Alt'], about.timeZone);
  const number = instalmentOf(receivable.text('numero_parcela')) ?? 1;
  const event = [{ codigo_lancamento_omie: id }];
  const entity = `order/${order === undefined ? ownId(id) : instalmentId(order, number)}`;
  const topics = topicsWithStateOf('receivable');
  const webhook = message(['Financas.ContaReceber.Alterado', id, changedAt], event, about);
  return { webhook, changedAt, entity, topics };
}

/** The newest of a record's own times: `dAlt` with `hAlt`. @throws UnreadablePayload where there is none */
function latestOf(info: Payload, names: readonly string[], zone: string): Date {
  const times = names.flatMap(
    (name) => brazilianInstant(info, `d${name}`, { timeZone: zone }, `h${name}`) ?? [],
  );
  if (times.length === 0) info.missing('dAlt');
  return new Date(Math.max(...times.map((time) => time.getTime())));
}

/** Known by what it is about and when that changed: the same change is the same delivery in every comparison. */
function message(
  [topic, id, changedAt]: readonly [topic: string, id: string, changedAt: Date],
  event: object,
  { settings }: AboutPage,
): ListedItem['webhook'] {
  const messageId = `compared:${topic}:${id}:${changedAt.toISOString()}`;
  return { body: notification({ messageId, topic, event, appKey: textSetting(settings, 'appKey') }) };
}
