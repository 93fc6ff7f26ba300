import { topicOf } from '../identity';
import { Payload } from '../payload';
import type { StoredWebhook } from '../source';
import { type Kind, kindOf } from './topics';

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
