import { parseInstant } from '../instant';
import { wallTimeOf } from '../mapping/brazilian-dates';
import { notification } from '../mapping/listed';
import { formBody } from '../mapping/oauth';
import { type PartLengths, PeriodParts } from '../mapping/period-parts';
import { isNothing } from '../mapping/sales-order';
import type { AboutPage, ListedItem, Period, ProviderList } from '../missed-webhooks';
import type { Payload } from '../payload';
import { textSetting } from '../settings';
import type { Settings } from '../source';
import { listIn } from './fetch-back';
import { numberIn, UPDATED } from './message';
import { accountOf, isCancelled, isDraft, leftOutChannelsOf } from './settings';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long a part of a period is by the period's own length: Tiny takes some thirty requests a minute of small accounts. */
const PART_LENGTHS: PartLengths = [
  { upTo: 6 * HOUR_MS, length: 30 * MINUTE_MS },
  { upTo: 48 * HOUR_MS, length: 2 * HOUR_MS },
  { upTo: Infinity, length: 12 * HOUR_MS },
];
const NUMBER = /^\d{1,9}$/;

/** Since when changes are asked for, a page of them, and what was in those that were asked for before. */
interface Place {
  /** Milliseconds. */
  readonly since: number;
  readonly page: number;
  /** Orders that changed later than this part of the period. */
  readonly later: readonly string[];
}

/**
 * The sales orders that changed. Tiny can be asked for those that changed since a time, and does not say when each of them did. So
 * it is asked from the end of the period backwards: an order that is there for the first time changed in the part that just
 * began. What changed after the period is asked for before all else, and left to its webhook.
 */
export const tinyList: ProviderList = {
  has: 'states',
  missingSetting: () => undefined,
  request(place, period, { settings, credentials }) {
    const { since, page } = placeOf(place, period);
    return {
      ...{ name: 'orders', path: '/pedidos.pesquisa.php', headers: { accept: 'application/json' } },
      body: formBody({
        ...{ token: credentials['token'] ?? '', formato: 'json', dataAtualizacao: timeFor(since, settings) },
        ...{ pagina: String(page), sort: 'ASC' },
      }),
      answers: [],
    };
  },
  read({ body }, about) {
    const place = placeOf(about.place, about.period);
    const list = listIn(body);
    const orders = list ? ordersIn(list) : [];
    const found = orders.map((order) => ({ order, id: numberIn(order, 'id') }));
    const known = new Set(place.later);
    const isUnderWay = place.since >= about.period.to.getTime();
    const items = found
      .filter(({ order, id }) => !isUnderWay && !known.has(id) && isBooked(order, about.settings))
      .map(({ id }) => listed(id, place.since, about));
    const later = [...new Set([...place.later, ...found.map(({ id }) => id)])];
    const next =
      list && place.page < pagesOf(list) ? pageAfter(place, later) : partBefore(place, later, about);
    return { items, ...(next && { next: JSON.stringify(next) }) };
  },
};

function placeOf(place: string | undefined, { to }: Period): Place {
  if (place === undefined) return { since: to.getTime(), page: 1, later: [] };
  return JSON.parse(place) as Place;
}

function pageAfter({ since, page }: Place, later: readonly string[]): Place {
  return { since, page: page + 1, later };
}

/** The part before, or undefined where the period begins with this one. */
function partBefore({ since }: Place, later: readonly string[], { period }: AboutPage): Place | undefined {
  const from = period.from.getTime();
  return since <= from
    ? undefined
    : { since: Math.max(from, partsOf(period).beginOf(since - 1)), page: 1, later };
}

function partsOf(period: Period): PeriodParts {
  return new PeriodParts(period, PART_LENGTHS);
}

/** As Tiny wants it: `16/07/2026 09:00:00`, without a zone. */
function timeFor(ms: number, settings: Settings): string {
  const [day = '', time] = wallTime(ms, settings).split(' ');
  return `${day.split('-').reverse().join('/')} ${time}`;
}

function wallTime(ms: number, settings: Settings): string {
  return wallTimeOf(new Date(ms), textSetting(settings, 'timeZone'));
}

/** A list of one order may be that order, as the XML has it. @throws UnreadablePayload */
function ordersIn(list: Payload): Payload[] {
  if (!list.has('pedidos')) list.missing('pedidos');
  const listed = list.countOf('pedidos') > 0 ? list.items('pedidos') : [list.at('pedidos')];
  return listed.flatMap((one) => (one.has('pedido') || listed.length > 1 ? one.at('pedido') : []));
}

function pagesOf(list: Payload): number {
  const pages = list.text('numero_paginas') ?? list.missing('numero_paginas');
  return NUMBER.test(pages) ? Number(pages) : list.fail('numero_paginas', 'is not a number of pages');
}

/**
 * Whether something is booked of it: what is set aside leaves no trace by which it would be known. Tiny's list does not say of
 * which e-commerce an order is, so that where some are left out, none of any e-commerce is compared.
 */
function isBooked(order: Payload, settings: Settings): boolean {
  const situation = order.text('situacao') ?? order.missing('situacao');
  if (isDraft(situation)) return false;
  if (leftOutChannelsOf(settings).length > 0 && order.textIfAny('numero_ecommerce') !== undefined)
    return false;
  return !isNothing(order.textIfAny('valor')) || isCancelled(situation);
}

/** Known by its part, and parts begin at the same times whichever period they are of. */
function listed(id: string, since: number, { settings, timeZone, period }: AboutPage): ListedItem {
  const part = partsOf(period).nameOf(since);
  // What was asked for as a time without a zone is one of the source's zone.
  const changedAt = parseInstant(wallTime(since, settings), timeZone) ?? new Date(since);
  const message = { cnpj: accountOf(settings), tipo: UPDATED, dados: { id, listed: part } };
  return { webhook: { body: notification(message) }, changedAt, entity: `order/${id}` };
}
