import { topicOf } from '../identity';
import { Payload } from '../payload';
import type { StoredWebhook } from '../source';

/** What a message is about. */
type Kind = 'order' | 'receivable' | 'bill' | 'customer';

const ORDER = 'VendaProduto';
const RECEIVABLE = 'Financas.ContaReceber';
const BILL = 'Financas.ContaPagar';
const PERSON = 'ClienteFornecedor';

const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ...['Incluida', 'Alterada', 'EtapaAlterada', 'Faturada', 'Cancelada', 'Devolvida'].map(
    (what) => [`${ORDER}.${what}`, 'order'] as const,
  ),
  ...['Incluido', 'Alterado', 'BoletoGerado', 'BaixaRealizada', 'BaixaCancelada'].map(
    (what) => [`${RECEIVABLE}.${what}`, 'receivable'] as const,
  ),
  ...['BaixaRealizada', 'BaixaCancelada'].map((what) => [`${BILL}.${what}`, 'bill'] as const),
  ...['Incluido', 'Alterado'].map((what) => [`${PERSON}.${what}`, 'customer'] as const),
]);
const REMOVED =
  'was removed from Omie, which does not show it any more: put right by hand what was booked of it';
/** Topics of which nothing is fetched, with the reason. */
const MEANINGLESS: ReadonlyMap<string, string> = new Map([
  [`${ORDER}.Excluida`, `a sales order ${REMOVED}`],
  [`${RECEIVABLE}.Excluido`, `a receivable ${REMOVED}`],
  [`${BILL}.Excluido`, `a bill ${REMOVED}`],
  [`${BILL}.Incluido`, 'a bill was entered: it is booked when it is paid'],
  [`${BILL}.Alterado`, 'a bill was changed: it is booked when it is paid'],
]);

/** What a topic is about; undefined where Ponte reads none of it. */
export function kindOf(topic: string): Kind | undefined {
  return KINDS.get(topic);
}

/** Topics whose deliveries have the newest state of what they are about, and not only that something was undone. */
export function topicsWithStateOf(kind: Kind): string[] {
  return [...KINDS].flatMap(([topic, its]) => (its === kind && !saysUndone(topic) ? topic : []));
}

/** Why a topic of no {@link kindOf} means nothing. */
export function reasonOf(topic: string): string {
  return MEANINGLESS.get(topic) ?? `topic ${topic} is none that Ponte reads`;
}

/** Whether a topic says that something was entered for the first time. */
export function saysCreated(topic: string): boolean {
  return topic === `${ORDER}.Incluida` || topic === `${RECEIVABLE}.Incluido`;
}

/** Whether a topic says that money moved. */
export function saysMoved(topic: string): boolean {
  return topic.endsWith('.BaixaRealizada');
}

/** Whether a topic says that a sales order was cancelled. */
export function saysCancelled(topic: string): boolean {
  return topic === `${ORDER}.Cancelada`;
}

/** Whether a topic says that money which was entered did not move after all. */
export function saysUndone(topic: string): boolean {
  return topic.endsWith('.BaixaCancelada');
}

/** What Omie calls everything by, in numbers that JavaScript has exactly. */
const IDENTIFIER = /^[1-9]\d{0,14}$/;
/** Receivables or bills that one message may name: what has to be fetched about more is too much for one delivery. */
const MOST_TITLES = 5;
const MOST_ENTRIES = 200;
/** The list of titles in an entry of a message. */
const TITLES: Readonly<Partial<Record<Kind, string>>> = {
  receivable: 'conta_a_receber',
  bill: 'conta_a_pagar',
};
const NAMES: Readonly<Record<Kind, string>> = {
  order: 'idPedido',
  receivable: 'codigo_lancamento_omie',
  bill: 'codigo_lancamento_omie',
  customer: 'codigo_cliente_omie',
};

/** Omie's message, of which only what it is about is believed: nothing signs it. */
export interface Message {
  readonly topic: string;
  /** Undefined where Ponte reads none of it. */
  readonly kind: Kind | undefined;
  /** What to fetch, each once. */
  readonly ids: readonly string[];
}

/** @throws UnreadablePayload */
export function readMessage({ rawBody }: StoredWebhook): Message {
  const body = Payload.parse(rawBody);
  const topic = topicOf(body.text('topic') ?? body.missing('topic'));
  const kind = kindOf(topic);
  if (kind === undefined) return { topic, kind, ids: [] };
  const entries = body.countOf('event') > 0 ? body.items('event', MOST_ENTRIES) : [body.at('event')];
  const ids = new Set(entries.flatMap((entry) => idsOf(entry, kind)));
  if (ids.size > MOST_TITLES)
    body.fail('event', `names more than ${MOST_TITLES} titles, which is too much to fetch for one delivery`);
  return { topic, kind, ids: [...ids] };
}

/** What an entry names: where money moved, one of several may pay several titles. */
function idsOf(entry: Payload, kind: Kind): string[] {
  const list = TITLES[kind];
  const titles = list === undefined ? [] : entry.items(list, MOST_ENTRIES);
  return (titles.length > 0 ? titles : [entry]).map((place) => codeOf(place, NAMES[kind]));
}

/** A number that Omie calls something by. @throws UnreadablePayload */
export function codeOf(place: Payload, key: string): string {
  return codeIn(place, key) ?? place.missing(key);
}

/** As {@link codeOf}; undefined where it is absent, or zero, by which Omie says the same. */
export function codeIn(place: Payload, key: string): string | undefined {
  const id = place.text(key);
  if (id === undefined || id === '0') return undefined;
  return IDENTIFIER.test(id) ? id : place.fail(key, 'is not a number of Omie');
}
