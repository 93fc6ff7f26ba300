import type { Payload } from '../payload';
import { apiUrlOf, textSetting } from '../settings';
import type { FetchAccess, FetchBack, FetchRequest, SourceApi, StoredWebhook } from '../source';
import {
  askForBill,
  askForOrder,
  askForPerson,
  askForReceivable,
  askForTitle,
  type Asked,
  billAnswered,
  isAnswered,
  orderAnswered,
  receivableAnswered,
  titleAnswered,
  isTooOften,
} from './answers';
import { codeIn, codeOf, readMessage, saysUndone } from './message';

const API = 'https://app.omie.com.br';
/** Omie writes its faults into answers of this status, that something is not there among them. */
const FAULT = 500;

export const omieApi: SourceApi = {
  credentials: {
    appSecret: {
      description:
        'APP SECRET of the application (Portal do Desenvolvedor, then Meus aplicativos); its APP KEY is the setting appKey.',
    },
  },
  baseUrl: (settings) => apiUrlOf(settings, API),
};

/** What a message names, and who pays or is paid. */
export const omieFetches: FetchBack = { next: nextRequest, orderingKey: laneOfFetched, isTooOften };

function nextRequest(webhook: StoredWebhook, access: FetchAccess): FetchRequest | undefined {
  const asked = asksOf(webhook).find((one) => !isAnswered(webhook, one));
  return asked && requestFor(asked, access);
}

/** How Omie is asked: the keys stand in the body. */
export function requestFor({ name, service, call, param }: Asked, access: FetchAccess): FetchRequest {
  const { settings, credentials } = access;
  const keys = { app_key: textSetting(settings, 'appKey') ?? '', app_secret: credentials['appSecret'] ?? '' };
  return {
    name,
    path: `/api/v1/${service}/`,
    headers: { accept: 'application/json' },
    body: { contentType: 'application/json', text: JSON.stringify({ call, ...keys, param: [param] }) },
    answers: [FAULT],
  };
}

/** What there is to ask, as far as the answers so far say. */
function asksOf(webhook: StoredWebhook): Asked[] {
  const { topic, kind, ids } = readMessage(webhook);
  return ids.flatMap((id) => {
    switch (kind) {
      case 'order':
        return asksForOrder(webhook, id);
      case 'receivable':
        return asksForReceivable(webhook, id, saysUndone(topic));
      case 'bill':
        return asksForBill(webhook, id, saysUndone(topic));
      case 'customer':
        return [askForPerson(id)];
      case undefined:
        return [];
    }
  });
}

function asksForOrder(webhook: StoredWebhook, id: string): Asked[] {
  const first = askForOrder(id);
  if (!isAnswered(webhook, first)) return [first];
  const order = orderAnswered(webhook, id);
  const header = order?.at('pedido_venda_produto').at('cabecalho');
  return header ? [first, askForPerson(codeOf(header, 'codigo_cliente'))] : [first];
}

/** Of a receivable that belongs to a sales order, that order is of interest only once money came. */
function asksForReceivable(webhook: StoredWebhook, id: string, isUndone: boolean): Asked[] {
  const first = askForReceivable(id);
  if (!isAnswered(webhook, first)) return [first];
  const receivable = receivableAnswered(webhook, id);
  if (receivable === undefined) return [first];
  const asks = [first, askForTitle(id)];
  if (isUndone || !isAnswered(webhook, askForTitle(id))) return asks;
  const { title } = titleAnswered(webhook, id);
  const order = codeIn(receivable, 'nCodPedido');
  if (order === undefined) return [...asks, askForPersonOf(title)];
  return title.countOf('lancamentos') > 0 ? [...asks, ...asksForOrder(webhook, order)] : asks;
}

function asksForBill(webhook: StoredWebhook, id: string, isUndone: boolean): Asked[] {
  const first = askForBill(id);
  if (!isAnswered(webhook, first) || billAnswered(webhook, id) === undefined) return [first];
  const asks = [first, askForTitle(id)];
  if (isUndone || !isAnswered(webhook, askForTitle(id))) return asks;
  return [...asks, askForPersonOf(titleAnswered(webhook, id).title)];
}

function askForPersonOf(title: Payload): Asked {
  return askForPerson(codeOf(title.at('cabecTitulo'), 'nCodCliente'));
}

/** The order that a receivable turned out to belong to, where the message names one receivable. */
function laneOfFetched(webhook: StoredWebhook): string | undefined {
  const { kind, ids } = readMessage(webhook);
  const [id] = ids;
  if (kind !== 'receivable' || id === undefined || ids.length > 1) return undefined;
  const receivable = receivableAnswered(webhook, id);
  const order = receivable && codeIn(receivable, 'nCodPedido');
  return order === undefined ? undefined : `order/${order}`;
}
