import { peekJson } from '../identity';
import { Payload, UnreadablePayload } from '../payload';
import type { FetchedAnswer, StoredWebhook } from '../source';
import { codeOf } from './message';

/** The fault of a list that has nothing. */
const NOTHING_LISTED = 'SOAP-ENV:Client-5113';
/** How other faults say that something is not there: the codes differ from one call to the next. */
const NOT_THERE = /n[ãa]o (?:cadastrad[oa]|existem registros)/i;
/** How Omie says that an application asks too often, or the same again; it then answers nobody for a minute or half an hour. */
const TOO_OFTEN = /consumo (?:indevido|redundante)/i;
const FAULT_CODE = /^[\w:.-]{1,60}$/;
const MOST_TITLES = 20;

/** One request to Omie's API: all of them are POST, to the address of a service, with the name of a call. */
export interface Asked {
  /** Unique in the delivery. */
  readonly name: string;
  readonly service: string;
  readonly call: string;
  readonly param: Readonly<Record<string, number | string>>;
}

/** Asks for a sales order (pedido de venda). */
export function askForOrder(id: string): Asked {
  const param = { codigo_pedido: Number(id) };
  return { name: `order-${id}`, service: 'produtos/pedido', call: 'ConsultarPedido', param };
}

/** Asks for a receivable itself: of all answers this one alone says of which sales order it is. */
export function askForReceivable(id: string): Asked {
  const param = { codigo_lancamento_omie: Number(id) };
  return {
    ...{ name: `receivable-${id}`, service: 'financas/contareceber', call: 'ConsultarContaReceber', param },
  };
}

/** Asks for a bill itself. */
export function askForBill(id: string): Asked {
  const param = { codigo_lancamento_omie: Number(id) };
  return { name: `bill-${id}`, service: 'financas/contapagar', call: 'ConsultarContaPagar', param };
}

/** Asks for a receivable or bill with all the money that moved for it. */
export function askForTitle(id: string): Asked {
  const param = { nPagina: 1, nRegPorPagina: MOST_TITLES, nCodTitulo: Number(id) };
  return { name: `title-${id}`, service: 'financas/pesquisartitulos', call: 'PesquisarLancamentos', param };
}

/** Asks for a customer or supplier. */
export function askForPerson(id: string): Asked {
  const param = { codigo_cliente_omie: Number(id) };
  return { name: `person-${id}`, service: 'geral/clientes', call: 'ConsultarCliente', param };
}

/** Whether it was asked for already. */
export function isAnswered({ fetched = [] }: StoredWebhook, { name }: Asked): boolean {
  return fetched.some((answer) => answer.name === name);
}

/** A sales order; undefined where it is not there any more. @throws UnreadablePayload */
export function orderAnswered(webhook: StoredWebhook, id: string): Payload | undefined {
  const answer = answerTo(webhook, askForOrder(id));
  return answer && only(answer, answer.at('pedido_venda_produto').at('cabecalho'), 'codigo_pedido', id);
}

/** A receivable; undefined where it is not there any more. @throws UnreadablePayload */
export function receivableAnswered(webhook: StoredWebhook, id: string): Payload | undefined {
  const answer = answerTo(webhook, askForReceivable(id));
  return answer && only(answer, answer, 'codigo_lancamento_omie', id);
}

/** A bill; undefined where it is not there any more. @throws UnreadablePayload */
export function billAnswered(webhook: StoredWebhook, id: string): Payload | undefined {
  const answer = answerTo(webhook, askForBill(id));
  return answer && only(answer, answer, 'codigo_lancamento_omie', id);
}

/** A customer or supplier; undefined where there is none any more. @throws UnreadablePayload */
export function personAnswered(webhook: StoredWebhook, id: string): Payload | undefined {
  const answer = answerTo(webhook, askForPerson(id));
  return answer && only(answer, answer, 'codigo_cliente_omie', id);
}

/**
 * A receivable or bill with the money that moved for it, and the answer that it is in.
 * @throws UnreadablePayload also where it is not listed: it was there when it was asked for itself
 */
export function titleAnswered(webhook: StoredWebhook, id: string): { answer: Payload; title: Payload } {
  const answer = answerTo(webhook, askForTitle(id));
  const title = answer
    ?.items('titulosEncontrados', MOST_TITLES)
    .find((one) => one.at('cabecTitulo').text('nCodTitulo') === id);
  if (answer && title) return { answer, title };
  throw new UnreadablePayload('Omie has the title, and does not list what moved for it');
}

/** @throws UnreadablePayload where there is none, or Omie answered with a fault that says nothing of what was asked for */
function answerTo({ fetched = [] }: StoredWebhook, { name }: Asked): Payload | undefined {
  const answer = fetched.find((one) => one.name === name);
  const what = name.replace(/-\d+$/, '');
  if (answer === undefined) throw new UnreadablePayload(`the ${what} was not fetched from Omie`);
  return readAnswer(answer, what);
}

/**
 * What Omie answered; undefined where it says that there is nothing.
 * @param what was asked for
 * @throws UnreadablePayload where it answered with another fault
 */
export function readAnswer(answer: FetchedAnswer, what: string): Payload | undefined {
  const place = Payload.parse(answer.body);
  const code = place.textIfAny('faultcode');
  const fault = place.textIfAny('faultstring');
  if (code === undefined && fault === undefined && answer.status < 300) return place;
  if (code === NOTHING_LISTED || NOT_THERE.test(fault ?? '')) return undefined;
  const shown = code !== undefined && FAULT_CODE.test(code) ? code : `status ${answer.status}`;
  throw new UnreadablePayload(`Omie did not answer about the ${what}: ${shown}`);
}

/** Omie says so with a fault as any other. */
export function isTooOften({ body }: FetchedAnswer): boolean {
  const { faultstring } = peekJson(body);
  return typeof faultstring === 'string' && TOO_OFTEN.test(faultstring);
}

function only(answer: Payload, place: Payload, key: string, id: string): Payload {
  return codeOf(place, key) === id ? answer : place.fail(key, 'is not that of what was asked for');
}
