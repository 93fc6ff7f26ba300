import { parseInstant } from '../instant';
import { wallTimeOf } from '../mapping/brazilian-dates';
import { listRequest, notification } from '../mapping/listed';
import { type PartLengths, PeriodParts } from '../mapping/period-parts';
import { isNothing } from '../mapping/sales-order';
import type { AboutPage, ListedItem, Period, ProviderList } from '../missed-webhooks';
import { Payload } from '../payload';
import { textSetting } from '../settings';
import type { Settings } from '../source';
import { topLevelMember } from '../top-level-member';
import { blingHeaders } from './fetch-back';
import { leftOutBecause, ORDER_UPDATED, orderIdOf, situationOf } from './message';
import { companyOf, meaningsOf } from './settings';

/** Orders of a page: Bling gives 100 at most. */
const PAGE = 100;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long a part of a period is by the period's own length, so that there are a hundred parts at most. */
const PART_LENGTHS: PartLengths = [
  { upTo: 12 * HOUR_MS, length: 15 * MINUTE_MS },
  { upTo: 48 * HOUR_MS, length: 30 * MINUTE_MS },
  { upTo: Infinity, length: 2 * HOUR_MS },
];

/** A part of a period, and a page of what changed in it. */
interface Place {
  readonly part: Period;
  readonly page: number;
}

/**
 * The sales orders that changed. Bling can be asked for those of a period and does not say when each of them changed, so that
 * it is asked for one short part of the period after another: an order changed when its part began, or later. An order that
 * changes while pages of its part are asked for leaves that part, and another one may move to a page that was read already;
 * the next comparison, which begins two hours before, has it.
 */
export const blingList: ProviderList = {
  has: 'states',
  missingSetting: () => undefined,
  request(place, period, { settings, accessToken }) {
    const { part, page } = placeOf(place, period);
    const query = new URLSearchParams({
      dataAlteracaoInicial: wallTime(part.from, settings),
      dataAlteracaoFinal: wallTime(part.to, settings),
      ...{ limite: String(PAGE), pagina: String(page) },
    });
    return listRequest('orders', '/pedidos/vendas', query, blingHeaders(accessToken));
  },
  read({ body }, about) {
    const answer = Payload.parse(body);
    // Absent is not empty: of another answer nobody may think that no order changed.
    if (topLevelMember(body, 'data') === undefined) answer.missing('data');
    const orders = answer.items('data');
    const { part, page } = placeOf(about.place, about.period);
    const items = orders
      .filter((order) => isBooked(order, about.settings))
      .map((order) => listed(order, part, about));
    const next = orders.length < PAGE ? placeAfter(part, about.period) : `${part.from.getTime()}/${page + 1}`;
    return { items, ...(next !== undefined && { next }) };
  },
};

/** @param place begin of the part in milliseconds, and number of the page; undefined: the first of both */
function placeOf(place: string | undefined, period: Period): Place {
  const [from = period.from.getTime(), page = 1] = place?.split('/').map(Number) ?? [];
  const to = Math.min(partsOf(period).endOf(from), period.to.getTime());
  return { part: { from: new Date(from), to: new Date(to) }, page };
}

function placeAfter({ to }: Period, period: Period): string | undefined {
  return to < period.to ? `${to.getTime()}/1` : undefined;
}

function partsOf(period: Period): PeriodParts {
  return new PeriodParts(period, PART_LENGTHS);
}

/** As Bling wants it: without a zone, to the second. */
function wallTime(instant: Date, settings: Settings): string {
  return wallTimeOf(instant, textSetting(settings, 'timeZone'));
}

/** Whether something is booked of it: what is set aside leaves no trace by which it would be known. @throws UnreadablePayload */
function isBooked(order: Payload, settings: Settings): boolean {
  if (leftOutBecause(order, settings) !== undefined) return false;
  return !isNothing(order.textIfAny('total')) || meaningsOf(settings).cancelled.includes(situationOf(order));
}

/**
 * It is known by its part, and parts begin at the same times whichever period they are of: the same change is the same
 * delivery in every comparison.
 * @throws UnreadablePayload
 */
function listed(order: Payload, { from }: Period, { settings, timeZone, period }: AboutPage): ListedItem {
  const id = orderIdOf(order);
  const part = partsOf(period).nameOf(from.getTime());
  // What was asked for as a time without a zone is one of the source's zone.
  const changedAt = parseInstant(wallTime(from, settings), timeZone) ?? from;
  const message = {
    ...{ eventId: `compared:${id}:${part}`, date: changedAt.toISOString(), version: 'v1' },
    ...{ event: ORDER_UPDATED, companyId: companyOf(settings), data: { id } },
  };
  return { webhook: { body: notification(message) }, changedAt, entity: `order/${id}` };
}
